"""`botyard check`: real programs, real mistakes, and what their authors are told."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from tests.cli.test_commands import Run, run
from tests.jail.drawing import drawn
from tests.links.yard import children, tiny_bot

__all__ = ["run"]


# How busy this machine is must not make a bot late.
PATIENCE = ("--set", "reply_timeout_ms=30000", "--set", "name_timeout_ms=30000")


def check(run: Run, bot: str, *words: str) -> tuple[int, list[str]]:
    """The exit status and every finding with its remedy."""
    done = run("check", bot, "--game", "hive", "--turns", "8", "--json", *PATIENCE, *words)
    assert children() == []
    return done.status, [f"{one['what']} → {one['remedy']}" for one in done.json["findings"]]


def test_a_good_bot_is_fine(run: Run, tmp_path: Path) -> None:
    bot = tiny_bot(tmp_path, "for turn, _ in enumerate(turns()): say(f'3,{turn % 8}\\n')")
    done = run("check", bot, "--game", "hive", "--turns", "8", *PATIENCE)
    assert done.status == 0
    assert "Hive Arena from seat 1: 8 questions" in done.out
    assert "Hive Arena from seat 0: 8 questions" in done.out
    assert "nothing is wrong with" in done.out.splitlines()[-1]


@pytest.mark.parametrize(
    ("behaviour", "finding"),
    [
        ("for _ in turns(): say('guard\\n')", "not action,direction: 'guard\\n' → answer exactly"),
        ("for _ in turns(): say('7,7\\n')", "no action 7"),
        ("next(turns()); {}['x']", "exit status 1 → your program failed: KeyError: 'x'"),
        ("next(turns()); say('3,0\\n'); sys.exit(0)", "→ your program ended after 1 answers"),
        ("sys.exit(3)", "exit status 3"),
        ("for _ in turns(): say('3,0\\n3,1\\n')", "you answered twice"),
        ("for _ in turns(): say('3,0\\nI am a bee\\n')", "you send text that is not an answer"),
    ],
)
def test_mistakes_are_found_and_fail_the_check(run: Run, tmp_path: Path, behaviour: str, finding: str) -> None:
    status, findings = check(run, tiny_bot(tmp_path, behaviour))
    assert status == 1
    assert finding in findings[0], findings


def test_an_answer_that_waits_in_a_buffer_is_told_to_be_flushed(run: Run, tmp_path: Path) -> None:
    buffered = "out = link.makefile('w')\nfor _ in turns(): out.write('3,0\\n')"
    status, [finding] = check(run, tiny_bot(tmp_path, buffered), "--set", "reply_timeout_ms=700")
    assert status == 1
    assert "no answer within 700 ms → flush what you send" in finding


def test_advice_alone_does_not_fail_the_check(run: Run, tmp_path: Path) -> None:
    status, findings = check(run, tiny_bot(tmp_path, "for _ in turns(): say('3,0\\r\\n')"), "--turns", "20")
    assert status == 0
    assert findings[0].startswith("your answers end in CR LF")
    assert any(finding.startswith("every answer was '3,0'") for finding in findings)


def test_the_author_sees_question_answer_and_last_words(run: Run, tmp_path: Path) -> None:
    bot = tiny_bot(
        tmp_path,
        "next(turns()); print('I am \\x1b[31mlost', flush=True); time.sleep(0.3); say('home\\n'); time.sleep(60)",
    )
    done = run("check", bot, "--game", "hive", *PATIENCE)
    assert done.status == 1
    assert "1. wrong, protocol: not action,direction: 'home\\n'" in done.out
    assert "remedy: answer exactly as the protocol says" in done.out
    assert "answered: 'home\\n'" in done.out
    assert "lost" in done.out
    assert "\x1b[31m" not in done.out


PIPED = """
    --- botyard.toml
    game = "hackman"
    --- main.py
    import sys, time
    def asked():
        for line in sys.stdin:
            if line.startswith("action"):
                yield line
    def say(text):
        sys.stdout.write(text)
        sys.stdout.flush()
"""
CALM = ("timebank_ms=60000",)  # time is no matter
BRISK = ("timebank_ms=700", "settle_ms=0", "max_timeouts=0")  # what never comes need not be waited for
STEADY = ("timebank_ms=3000", "settle_ms=0", "max_timeouts=0")  # what never ends, until its beginning has come
PATIENT = ("timebank_ms=700", "time_per_move_ms=700", "settle_ms=30000")  # what is late comes at last


@pytest.mark.parametrize(
    ("behaviour", "clock", "finding"),
    [
        (
            "for _ in asked(): print('pass')",
            BRISK,
            "does it flush its output? → flush your output: print(answer, flush=True)",
        ),
        ("for _ in asked(): say('Up\\n')", CALM, "'Up' → write the answer in lower case"),
        ("for _ in asked(): say('thinking\\npass\\n')", CALM, "→ you print debug text on standard output"),
        ("for _ in asked(): say('pass\\npass\\n')", CALM, "you answered twice → wait for the question"),
        (
            "for _ in asked(): say('pass')",
            STEADY,
            "it sent 'pass' without a line end → end every answer with a line feed",
        ),
        ("next(asked()); raise RuntimeError('no plan')", CALM, "→ your program failed: RuntimeError: no plan"),
        ("next(asked()); say('pass\\n')", CALM, "→ your program ended after 1 answers: read and answer in a loop"),
        ("for _ in asked(): time.sleep(0.8); say('pass\\n')", PATIENT, "answered after"),
    ],
)
def test_a_bot_that_answers_by_printing_is_told_what_is_wrong(
    run: Run, tmp_path: Path, behaviour: str, clock: tuple[str, ...], finding: str
) -> None:
    folder = drawn(tmp_path / "hacker", PIPED)
    with (folder / "main.py").open("a") as file:
        file.write(behaviour + "\n")
    settings = [word for setting in clock for word in ("--set", setting)]
    done = run("check", "hacker", "--turns", "8", "--json", *settings)
    findings = [f"{one['what']} → {one['remedy']}" for one in done.json["findings"]]
    assert done.status == 1
    assert done.json["game"] == "hackman"
    assert finding in findings[0], findings


@pytest.mark.parametrize(
    ("behaviour", "finding"),
    [
        ("print('NE')\nprint('that was north-east')", "→ you print debug text on standard output"),
        ("print('ne')", "→ write the answer in upper case"),
        ("pass", "→ an empty or blank line is not an answer"),
        ("[][0]", "→ your program failed: IndexError: list index out of range"),
        ("print('NO'); raise SystemExit(3)", "→ end with exit status 0 after the answer is written"),
        ("print('NO', flush=True)\nwhile True: pass", "→ end the program once the answer is written"),
    ],
)
def test_a_bot_that_is_started_for_every_move_is_told_what_is_wrong(
    run: Run, tmp_path: Path, behaviour: str, finding: str
) -> None:
    drawn(tmp_path / "robot", f"--- main.py\n{behaviour}\n")
    turns, limit_ms = ("1", 4000) if "while" in behaviour else ("4", 60_000)
    clock = ("--set", f"move_timeout_ms={limit_ms}")
    done = run("check", "robot", "--game", "battlebots", "--turns", turns, "--json", *clock)
    [found] = done.json["findings"]
    assert done.status == 1
    assert finding in f"{found['what']} → {found['remedy']}"


def test_a_question_that_is_a_drawing_is_shown_whole(run: Run, tmp_path: Path) -> None:
    drawn(tmp_path / "robot", "--- main.py\nprint('north')\n")
    done = run("check", "robot", "--game", "battlebots")
    assert "      .Y........\n" in done.out
    assert "      Y hp=10\n" in done.out


def test_a_function_is_checked_too(run: Run, tmp_path: Path) -> None:
    (tmp_path / "bee.py").write_text("def bot(view): return 'fly'")
    status, [finding] = check(run, "py:bee.py")
    assert status == 1
    assert finding.endswith("→ return the name of an order, or its number")


def test_a_bot_that_speaks_json_is_checked_too(run: Run, tmp_path: Path) -> None:
    drawn(
        tmp_path / "bee",
        """
        --- botyard.toml
        game = "hive"
        protocol = "json"
        --- main.py
        import json, sys
        for line in sys.stdin:
            told = json.loads(line)
            if told["type"] == "hello":
                print('{"type": "ready", "version": 1}', flush=True)
            if told["type"] == "turn":
                print("so it goes", flush=True)
    """,
    )
    status, [finding] = check(run, "bee")
    assert status == 1
    assert "→ an answer is one line of JSON" in finding


def test_a_folder_names_its_game_itself(run: Run, tmp_path: Path) -> None:
    drawn(
        tmp_path / "bee",
        "--- botyard.toml\ngame = 'hive'\nbuild = 'false'\nrun = './agent'\n--- Makefile\nagent:\n\tfalse\n",
    )
    done = run("check", "bee", "--json")
    assert done.status == 1
    assert done.json["game"] == "hive"
    assert done.json["findings"][0]["stage"] == "start"


def test_a_bot_without_a_game_is_asked_for_one(run: Run, tmp_path: Path) -> None:
    drawn(tmp_path / "bee", "--- main.py\n")
    done = run("check", "bee")
    assert done.status == 2
    assert "which game does bee play?" in done.err
    assert run("check", "nowhere", "--game", "hive").status == 2


def test_a_program_that_is_not_there_is_told(run: Run) -> None:
    status, [finding] = check(run, "cmd:./no-such-program")
    assert status == 1
    assert "check the command line that starts the program" in finding


def test_the_check_follows_the_preset(run: Run, tmp_path: Path) -> None:
    """The original takes one packet for one line: what is forgiven by default is wrong there."""
    torn = tiny_bot(tmp_path, "for _ in turns(): say('3'); time.sleep(0.1); say(',0\\n')")
    assert check(run, torn)[0] == 0
    status, findings = check(run, torn, "--preset", "program")
    assert status == 1
    assert "one read must hold a whole line" in findings[0]


def test_a_program_that_ends_at_once_is_told(run: Run) -> None:
    status, [finding] = check(run, f"cmd:{shlex.quote(sys.executable)} -c 'raise SystemExit(4)'")
    assert status == 1
    assert "exit status 4, before it connected" in finding


def test_a_client_that_wants_other_words_is_told_which_it_was_started_with(run: Run, tmp_path: Path) -> None:
    drawn(tmp_path / "client", "--- main.py\nimport sys\ngame, host, port = sys.argv[1], sys.argv[2], sys.argv[3]\n")
    done = run("check", "client", "--game", "hive", "--json")
    [finding] = done.json["findings"]
    assert done.status == 1
    assert finding["seen"]["started as"] == "python3 main.py 127.0.0.1 8000"
    assert 'botyard.toml: run = "python3 main.py hive"' in finding["remedy"]
    (tmp_path / "client" / "botyard.toml").write_text('run = "python3 main.py hive"\n')
    [mended] = run("check", "client", "--game", "hive", "--json").json["findings"]
    assert mended["seen"]["started as"] == "python3 main.py hive 127.0.0.1 8000"
    assert "sys.argv" not in str(mended)
