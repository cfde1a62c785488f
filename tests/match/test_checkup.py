"""The checkup: what turns tell about a program, in words its author can use."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from botyard.games import load
from botyard.kernel.verdict import Fault, Verdict
from botyard.links.play import play
from botyard.match.checkup import Case, Finding, Start, examine, idle_orders, json_reader, native_reader, unbuilt
from botyard.match.remedies import stack_trace
from botyard.match.turns import Turn


def turn(
    tick: int = 0,
    received: str = "",
    verdict: Verdict = Verdict.OK,
    reason: str = "",
    *,
    early: str = "",
    said: str = "",
    ms: float = 1.0,
    limit_ms: int = 1000,
    order: int | None = None,
) -> Turn:
    sizes = len(received), len(early)
    return Turn(tick, 0, verdict, reason, ms, limit_ms, "action move 1000\n", received, early, said, *sizes, order)


def answered(game: str, *answers: str) -> list[Turn]:
    """Turns with these answers, judged as the game's protocol judges them."""
    read, turns = native_reader(load(game), load(game).settings()), []
    for tick, answer in enumerate(answers):
        result = read(answer.encode())
        fault = result if isinstance(result, Fault) else Fault(Verdict.OK, "")
        turns.append(turn(tick, answer.encode().decode("latin-1"), fault.verdict, fault.reason))
    return turns


def found(game: str, turns: Iterable[Turn], language: str = "", idle: Iterable[tuple[int, str]] = ()) -> list[Finding]:
    book = load(game)
    return examine(Case(book.facts, list(turns), native_reader(book, book.settings()), language, idle=list(idle)))


def only(findings: list[Finding]) -> Finding:
    [finding] = findings
    return finding


@pytest.mark.parametrize(
    ("game", "answers"),
    [
        ("hackman", ["up\n", "down\n", "pass\n"]),
        ("hive", ["0,1\n", "3,0\n", "1,7\n"]),
        ("battlebots", ["B NE\n", "P", "NO"]),
        ("snakepit", ["r", "l", "d"]),
        ("snakebattle", ["LEFT", "ACT", ""]),
    ],
)
def test_a_bot_that_does_everything_right_hears_nothing(game: str, answers: list[str]) -> None:
    assert found(game, (turn(tick, answer) for tick, answer in enumerate(answers))) == []


@pytest.mark.parametrize(
    ("game", "answer", "remedy"),
    [
        ("hackman", "UP\n", "write the answer in lower case"),
        ("hackman", "I am at 3,4\nup\n", "you print debug text on standard output"),
        ("hackman", "'up'\n", "leave out the quotes"),
        ("hackman", '"Up"\n', "leave out the quotes, and write in lower case"),
        ("hackman", "\ufeffup\n", "byte order mark"),
        ("hackman", '{"order": "up"}\n', 'protocol = "json"'),
        ("hackman", "jump\n", "answer exactly as the protocol says"),
        ("hackman", "Traceback (most recent call last):\n", "your program wrote this error message"),
        ("hackman", "\n", "an empty or blank line is not an answer"),
        ("battlebots", "", "an empty or blank line is not an answer"),
        ("battlebots", "ne\n", "write the answer in upper case"),
        ("battlebots", "thinking…\nNE\n", "you print debug text on standard output"),
        ("battlebots", "B  NE\n", "separate the parts by one space"),
        ("hive", "move N\n", "answer exactly as the protocol says"),
        ("hive", "'0,1'\n", "leave out the quotes"),
    ],
)
def test_an_answer_nobody_could_read_is_mended(game: str, answer: str, remedy: str) -> None:
    finding = only(found(game, answered(game, answer)))
    assert (finding.stage, finding.wrong) == ("protocol", True)
    assert remedy in finding.remedy


def test_an_answer_that_stands_for_no_order_is_mended_although_it_was_understood() -> None:
    finding = only(found("snakepit", [turn(0, "r", order=0), turn(1, "R", order=4)]))
    assert (finding.what, finding.wrong) == ("an answer that is not an order: 'R'", True)
    assert finding.remedy == "write the answer in lower case"
    alone = only(found("snakepit", [turn(0, "x", order=4)]))  # no good answer came before it
    assert alone.remedy.startswith("answer exactly")


def test_what_is_no_answer_after_good_ones_is_taken_for_other_text() -> None:
    assert "print debug text" in only(found("hackman", answered("hackman", "up\n", "I see a bug\n"))).remedy


def test_a_bot_that_speaks_json_is_told_in_its_own_terms() -> None:
    book = load("hive")
    good = '{"turn": 1, "order": 1}\n'
    turns = [turn(0, good), turn(1, good, early="so far so good\n"), turn(2, "{}\n", Verdict.GARBLED, "no order")]
    case = Case(book.facts, turns, json_reader, protocol="json")
    unread, extra = examine(case)
    assert unread.remedy.startswith("an answer is one line of JSON")
    assert extra.what == "you send text that is not an answer"
    assert "standard output" in extra.remedy
    twice = examine(Case(book.facts, [turn(0, "{}\n"), turn(1, "{}\n", early="{}\n")], json_reader, protocol="json"))
    assert only(twice).what == "you answered twice"
    silent = [turn(-1, "", Verdict.SILENT, "no name line within 30000 ms")]
    assert "ready" in only(examine(Case(book.facts, silent, json_reader, protocol="json"))).remedy


def test_a_bot_that_is_a_function_is_told_in_its_own_terms() -> None:
    turns = [turn(0, "'UP'", Verdict.GARBLED, "no order 'UP'"), turn(1, "", Verdict.SILENT, SILENCE)]
    book = load("hackman")
    case = Case(book.facts, turns, native_reader(book, book.settings()), "python", "function")
    assert [finding.remedy for finding in examine(case)] == [
        "return the name of an order, or its number",
        "your function did not return: does it loop forever?",
    ]


def test_the_same_trouble_is_told_once_and_counted() -> None:
    finding = only(found("hackman", answered("hackman", "up\n", "UP\n", "DOWN\n", "down\n")))
    assert finding.times == 2
    assert finding.turn is not None
    assert finding.turn.tick == 1


SILENCE = "no answer within 1000 ms"


@pytest.mark.parametrize(
    ("game", "language", "turns", "remedy"),
    [
        ("hackman", "python", [turn(0, "", Verdict.SILENT, SILENCE)], "flush your output: print(answer, flush=True)"),
        ("hackman", "c", [turn(0, "", Verdict.SILENT, SILENCE)], "flush your output: fflush(stdout)"),
        ("hackman", "", [turn(0, "", Verdict.SILENT, SILENCE)], "flush your output: an answer that waits"),
        ("hive", "python", [turn(0, "", Verdict.SILENT, SILENCE)], "flush what you send"),
        ("hackman", "python", [turn(0, "up", Verdict.SILENT, SILENCE)], "end every answer with a line feed"),
        ("battlebots", "", [turn(0, "NO\n", Verdict.SILENT, SILENCE)], "it is read only then"),
        ("hive", "", [turn(0, "", Verdict.SILENT, SILENCE, said="0,1\n")], "you print your answers; send them over"),
        ("hackman", "", [turn(0, "up\n"), turn(1, "", Verdict.SILENT, SILENCE)], "your program stopped answering here"),
    ],
)
def test_silence_has_a_reason(game: str, language: str, turns: list[Turn], remedy: str) -> None:
    finding = only(found(game, turns, language))
    assert finding.what == SILENCE
    assert remedy in finding.remedy


TRACE = 'Traceback (most recent call last):\n  File "bot.py", line 3\nKeyError: (0, 1)\n'


@pytest.mark.parametrize(
    ("game", "turns", "remedy"),
    [
        (
            "hackman",
            [turn(0, "", Verdict.CRASHED, "exit status 1", said=TRACE)],
            "your program failed: KeyError: (0, 1)",
        ),
        ("hackman", [turn(0, "", Verdict.CRASHED, "exit status 0")], "more questions follow the first"),
        (
            "hive",
            [turn(0, "0,1\n"), turn(1, "", Verdict.GONE, "closed")],
            "ended after 1 answers: read and answer in a loop",
        ),
        ("battlebots", [turn(0, "", Verdict.CRASHED, "exit status 1")], "end with exit status 0"),
    ],
)
def test_a_program_that_ends_is_told_why(game: str, turns: list[Turn], remedy: str) -> None:
    assert remedy in only(found(game, turns)).remedy


@pytest.mark.parametrize(
    ("verdict", "stage", "remedy"),
    [
        (Verdict.LATE, "timing", "think less"),
        (Verdict.INVALID, "protocol", "names something that does not exist"),
        (Verdict.FLOODED, "protocol", "answer once for each question"),
        (Verdict.MEMORY, "protocol", "use less memory"),
    ],
)
def test_other_verdicts_have_remedies_too(verdict: Verdict, stage: str, remedy: str) -> None:
    finding = only(found("hackman", [turn(0, "up\n", verdict, "so it was")]))
    assert (finding.stage, finding.what, finding.wrong) == (stage, "so it was", True)
    assert remedy in finding.remedy


def test_a_move_that_was_written_in_time_but_never_ended_is_told_so() -> None:
    assert "end the program" in only(found("battlebots", [turn(0, "NO\n", Verdict.LATE, "had not exited")])).remedy
    assert "think less" in only(found("battlebots", [turn(0, "", Verdict.LATE, "had not exited")])).remedy


def test_our_own_failure_is_not_held_against_the_bot() -> None:
    assert not only(found("hackman", [turn(0, "up\n", Verdict.HOUSE, "our fault")])).wrong


@pytest.mark.parametrize(
    ("game", "early", "at", "stage", "wrong", "what"),
    [
        ("hackman", "up\n", 1, "protocol", True, "you answered twice"),
        ("hackman", "up\n", 0, "protocol", True, "you answered before you were asked"),
        ("hackman", "my plan is fine\n", 1, "output", True, "you send text that is not an answer"),
        ("snakepit", "\n", 1, "protocol", False, "you send line ends beyond the answer"),
    ],
)
def test_what_nobody_asked_for_is_told(game: str, early: str, at: int, stage: str, wrong: bool, what: str) -> None:
    good = {"hackman": "up\n", "snakepit": "r"}[game]
    finding = only(found(game, [turn(tick, good, early=early if tick == at else "") for tick in range(3)]))
    assert (finding.stage, finding.wrong, finding.what) == (stage, wrong, what)


def test_what_is_left_of_an_unreadable_answer_is_not_told_again() -> None:
    turns = [turn(0, "I see\nup\n", Verdict.GARBLED, "no"), turn(1, "I see\nup\n", Verdict.GARBLED, "no", early="up\n")]
    assert only(found("hackman", turns)).what == "no"


def test_carriage_returns_are_advice() -> None:
    finding = only(found("hive", answered("hive", "0,1\r\n", "3,0\r\n")))
    assert (finding.wrong, finding.what, finding.times) == (False, "your answers end in CR LF", 2)


def test_a_narrow_escape_is_told() -> None:
    finding = only(found("hackman", [turn(0, "up\n", ms=10), turn(1, "down\n", ms=700)]))
    assert finding.what == "an answer took 700 of the 1000 ms allowed"
    assert not finding.wrong


def test_a_time_bank_that_runs_dry_is_told() -> None:
    limits = [10_000, 6_000, 3_000]
    finding = only(found("hackman", [turn(tick, "up\n", limit_ms=limit) for tick, limit in enumerate(limits)]))
    assert finding.what == "your time bank fell from 10000 to 3000 ms"


def test_errors_that_cost_nothing_yet_and_too_many_words_are_told() -> None:
    assert "KeyError: (0, 1)" in only(found("hackman", [turn(0, "up\n", said=TRACE)])).what
    assert "you print 5000 characters" in only(found("hackman", [turn(0, "up\n", said="x" * 5000)])).what


def test_orders_that_do_nothing_and_orders_that_never_change_are_told() -> None:
    turns = [turn(tick, "left\n") for tick in range(20)]
    idle, same = found("hackman", turns, idle=[(3, "left"), (4, "left")])
    assert idle.what == "2 of 20 orders had no effect, the first 'left' in tick 3"
    assert same.what == "every answer was 'left'"
    assert found("hackman", turns[:19]) == []


def test_orders_that_did_nothing_are_found_by_playing_again() -> None:
    played = play("hive", [lambda view: "forage N", "house:wanderer"], seed=5, max_turns=20, random_seats=False)
    idle = idle_orders(played, 0)
    assert idle
    assert {name for _, name in idle} == {"forage N"}
    assert all(tick % 2 == 0 for tick, _ in idle)


@pytest.mark.parametrize(
    ("verdict", "reason", "remedy"),
    [
        (Verdict.UNBUILT, "there is no program './x'", "check the command line"),
        (Verdict.CRASHED, "ended before it connected", "start the program by hand"),
        (Verdict.SILENT, "no name line within 2000 ms", "first send your name and a line end; flush"),
        (
            Verdict.SILENT,
            "no connection to port 4000 within 5 s",
            "connect to the address that your program gets",
        ),
        (Verdict.MEMORY, "2 GB", "use less memory"),
    ],
)
def test_a_bot_that_never_came_is_told_why(verdict: Verdict, reason: str, remedy: str) -> None:
    finding = only(found("hive", [turn(-1, "", verdict, reason)]))
    assert (finding.stage, finding.what) == ("start", reason)
    assert remedy in finding.remedy


def test_a_function_that_was_started_as_a_program_is_recognised() -> None:
    start = turn(-1, "", Verdict.CRASHED, "the program ended: exit status 0, before it connected")
    assert "py:FILE" in only(found("hive", [start], "python")).remedy
    assert "py:FILE" not in only(found("hive", [start], "lua")).remedy
    later = turn(0, "", Verdict.CRASHED, "the program ended: exit status 0")
    assert "py:FILE" in only(found("hackman", [later], "python")).remedy


def test_a_bot_that_was_not_built_hears_the_compiler() -> None:
    assert unbuilt(Fault(Verdict.UNBUILT, "make failed: agent.c:3: error")).what == "make failed: agent.c:3: error"


def test_findings_come_in_reading_order() -> None:
    turns = [turn(0, "UP\n", Verdict.GARBLED, "no"), turn(1, "up\n", said=TRACE), turn(2, "up\n", ms=900)]
    assert [finding.stage for finding in found("hackman", turns)] == ["protocol", "timing", "output"]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (TRACE, "KeyError: (0, 1)"),
        (
            'Exception in thread "main" java.lang.NullPointerException\n\tat Main.main(Main.java:3)',
            "Exception in thread",
        ),
        ("panic: runtime error: index out of range\n\ngoroutine 1", "panic: runtime error"),
        ("thread 'main' panicked at src/main.rs:2:5", "thread 'main' panicked"),
        ("lua: main.lua:3: attempt to index nil", "lua: main.lua:3: attempt"),
        (
            "/bot/main.js:3\n\nTypeError: x is not a function\n    at Object.<anonymous> (/bot/main.js:3:1)",
            "TypeError: x is",
        ),
        ("all is well, no error at all", ""),
    ],
)
def test_the_telling_line_of_an_error_report_is_found(text: str, line: str) -> None:
    assert stack_trace(text).startswith(line)
    assert bool(stack_trace(text)) == bool(line)


# With which words a program was started


def started(game: str, turns: Iterable[Turn], **known: Any) -> Finding:
    book = load(game)
    words = Start(("python3", "main.py"), book.wire.arguments("127.0.0.1", 8000, 0))
    read = native_reader(book, book.settings())
    return examine(Case(book.facts, list(turns), read, "python", start=words, **known))[0]


ARGV = """Traceback (most recent call last):
  File "/bot/main.py", line 3, in <module>
    url = sys.argv[2]
IndexError: list index out of range
"""


@pytest.mark.parametrize(
    "said",
    [
        ARGV,
        "usage: main.py [-h] game url\nmain.py: error: the following arguments are required: url\n",
        "Usage: client GAME URL\n",
        "error: unrecognized arguments: http://127.0.0.1:8000/\n",
        "Not enough arguments, sorry\n",
        'Exception in thread "main" java.lang.ArrayIndexOutOfBoundsException: Index 1 out of bounds\n'
        "\tat client.Runner.main(Runner.java:9)\n",
    ],
)
@pytest.mark.parametrize("status", [0, 1])
def test_a_program_that_wants_other_words_is_told_which_it_got_and_how_to_change_them(said: str, status: int) -> None:
    reason = f"the program ended: exit status {status}, before it connected"
    finding = started("snakebattle", [turn(-1, "", Verdict.CRASHED, reason, said=said)])
    assert 'run = "python3 main.py snakebattle"' in finding.remedy
    assert "the last argument comes from the game" in finding.remedy
    assert finding.started.startswith("python3 main.py 'http://127.0.0.1:8000/codenjoy-contest/board/player/player0")


def test_a_program_that_is_asked_over_pipes_hears_of_its_words_too() -> None:
    finding = started("hackman", [turn(0, "", Verdict.CRASHED, "the program ended: exit status 1", said=ARGV)])
    assert "the game adds no arguments of its own" in finding.remedy
    assert finding.started == "python3 main.py"
    later = started("hackman", [turn(0, "up\n"), turn(1, "", Verdict.CRASHED, "exit status 1", said=ARGV)])
    assert "your program failed: IndexError" in later.remedy


def test_a_program_that_never_connects_is_told_with_which_words_it_was_started() -> None:
    finding = started("snakepit", [turn(-1, "", Verdict.SILENT, "no connection to port 8000 within 5 s")])
    assert "gets as its last arguments (127.0.0.1 8000 1)" in finding.remedy
    assert finding.started == "python3 main.py 127.0.0.1 8000 1"


# Memory


@pytest.mark.parametrize("game", ["hackman", "battlebots"])
def test_a_program_that_takes_memory_until_its_time_is_up_is_not_told_to_flush(game: str) -> None:
    reason = "no answer within 700 ms; it has sent nothing at all: does it flush its output?"
    silent = turn(0, "", Verdict.SILENT, reason)
    for known, turns in (
        ({"peak_mb": 998.0}, [silent]),
        ({"peak_mb": 300.0}, [silent, turn(1, "", Verdict.MEMORY, "used more than 1024 MB of memory")]),
    ):
        finding = started(game, turns, memory_mb=1024, **known)
        assert finding.what == f"no answer within 700 ms; it used {known['peak_mb']:.0f} MB of memory meanwhile"
        assert finding.remedy == "use less than the 1024 MB allowed; --memory MB allows more"
    small = started(game, [silent], memory_mb=1024, peak_mb=9.0)
    assert small.what == reason
    assert "memory" not in small.remedy


def test_a_program_that_used_too_much_memory_before_it_came_is_told_the_limit() -> None:
    start = turn(-1, "", Verdict.MEMORY, "used more than 64 MB of memory, before it connected")
    assert started("hive", [start], memory_mb=64, peak_mb=64.0).remedy.startswith("use less than the 64 MB")
