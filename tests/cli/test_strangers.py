"""Every command that prints strangers' words, with words that mean harm: none reaches the terminal as they were."""

from __future__ import annotations

import ast
import io
import json
import re
import unicodedata
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.progress import Progress
from rich.text import Text

from botyard import cli
from botyard.cli import console
from botyard.cli.bar import bar
from botyard.cli.console import Lines, YardConsole, note, print_json, print_table, say
from botyard.cli.screen import plain_watcher
from botyard.contest.runner import News
from botyard.links.play import play
from botyard.match.turns import SeatRecord, TurnLog, write_turns
from tests.cli.test_commands import Done, Run, run
from tests.contest.yard import QUICK, write
from tests.waiting import finished

__all__ = ["run"]  # the fixture

# Clears the screen, sets the window's title, links, moves up, rings; turns the writing, hides, breaks the line; C1;
# markup that colours, that links and that is wrong.
HOSTILE = "ev\x1b[2J\x1b]0;owned\x07\x1b]8;;http://x\x1b\\il\x1b[1A\r\b\x9b31m\u202e\u200b\u2066\u2028\nerror: forged"
MARKUP = "[red]r[/red][link=http://x]l[/link][/nosuch][bold"
WORDS = HOSTILE + MARKUP
IN_A_FILE_NAME = WORDS.replace("/", "|").replace("\0", "")
NO_OPTION = re.sub("[\u200b-\u2069]", "", WORDS)  # typer's own words about options escape the rest


def unseen(text: str) -> list[str]:
    """Characters a terminal would obey or an eye would miss."""
    return [sign for sign in text if sign != "\n" and unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Zl", "Zp")]


def check_plain(done: Done, status: int | None = None) -> Done:
    assert status is None or done.status == status, done.err
    assert unseen(done.out) == [], done.out
    assert unseen(done.err) == [], done.err
    assert not [line for line in (done.out + done.err).splitlines() if line.startswith("error: forged")]
    return done


def check_json(done: Done, status: int | None = None) -> Any:
    check_plain(done, status)
    return json.loads(done.out)


@pytest.fixture
def hostile_replay(run: Run) -> Path:
    """A game that lost turns, with hostile names, reasons and words."""

    def garbler(view: Any) -> str:
        return WORDS

    played = play("hive", [garbler, "house:wanderer"], seed=7, max_turns=20)
    record = replace(played.replay, names=(WORDS, WORDS))
    record.missed[:] = [replace(missed, reason=WORDS) for missed in record.missed]
    path = Path("game.replay")
    record.write(path)
    turns = [replace(turn, reason=WORDS, said=WORDS, received="\x1b[2J") for turn in played.turns]
    write_turns(path, TurnLog("hive", record.seed, (SeatRecord(WORDS, WORDS, 1.0, WORDS),) * 2, None, turns))
    return path


def test_replays_and_their_reports(run: Run, hostile_replay: Path) -> None:
    check_plain(run("report", hostile_replay), 0)
    check_plain(run("report", hostile_replay, "--full"), 0)
    check_json(run("report", hostile_replay, "--json"), 0)
    check_plain(run("show", hostile_replay), 0)
    check_plain(run("show", hostile_replay, "--play", "--pace", "0"), 0)
    odd = Path(f"{IN_A_FILE_NAME}.replay")
    hostile_replay.rename(odd)
    assert "true" in check_plain(run("verify", odd), 0).out
    assert check_json(run("verify", odd, "--json"), 0)[0]["file"] == str(odd)
    check_plain(run("report", odd), 0)
    check_plain(run("export", odd, "--to", f"{IN_A_FILE_NAME}.log"), 0)
    odd.write_bytes(b"\x1b[2J")
    for command in ("verify", "show", "report"):
        check_plain(run(command, odd))
        check_plain(run(command, f"no{IN_A_FILE_NAME}"))


def test_recordings(run: Run) -> None:
    odd = Path(f"{IN_A_FILE_NAME}.log")
    odd.write_text(WORDS)
    check_plain(run("conform", odd), 2)


def test_contests(run: Run) -> None:
    text = QUICK.replace('"A quick league"', json.dumps(MARKUP))  # a title with more than that is refused
    file = write(Path(), text, f"{IN_A_FILE_NAME}.toml")
    assert "round_robin" in check_plain(run("contest", "check", file, "--no-sample"), 0).out
    check_plain(run("contest", "run", file), 0)
    assert "finished" in check_plain(run("contest", "status", file), 0).out
    check_plain(run("contest", "report", file), 0)
    check_plain(run("contest", "replay", file, "1", "--show"), 0)
    assert check_json(run("contest", "report", file, "--json"), 0)["title"] == MARKUP
    assert check_json(run("contest", "check", file, "--json", "--no-sample"), 0)["title"] == MARKUP


def test_contests_with_mistakes(run: Run) -> None:
    word = json.dumps(WORDS)
    more = f"{word} = {word}\n[bots]\n{word} = {word}\n[format]\nkind = {word}\n[settings]\n{word} = {word}\n"
    file = write(Path(), f"title = {word}\ngame = {word}\n{more}")
    for command in ("check", "run", "status", "report"):
        check_plain(run("contest", command, file), 2)
    check_plain(run("contest", "new", "hive", f"{IN_A_FILE_NAME}2.toml"), 0)
    check_plain(run("contest", "new", WORDS), 2)


def test_games_with_hostile_bots(run: Run) -> None:
    code = f"import sys\ndef bot(view):\n    print({WORDS!r}, file=sys.stderr)\n    return {WORDS!r}\n"
    odd = Path(f"{IN_A_FILE_NAME.replace(':', ';')}.py")
    odd.write_text(code)
    quick = ("--set", "max_turns=20", "--set", "reply_timeout_ms=60000", "--seed", "7", "--open")
    done = check_plain(run("play", "hive", f"py:{odd}", "house:wanderer", *quick))
    assert "GARBLED" in done.err
    check_json(run("play", "hive", f"py:{odd}", "house:wanderer", *quick, "--json"))
    check_plain(run("play", "hive", f"py:{odd}", "house:wanderer", *quick, "--games", "2"))
    check_plain(run("play", "hive", f"py:{odd}", "house:wanderer", *quick, "--watch", "--pace", "0"))
    assert "wrong" in check_plain(run("check", f"py:{odd}", "--game", "hive", "--open", "--turns", "3"), 1).out
    check_json(run("check", f"py:{odd}", "--game", "hive", "--open", "--turns", "3", "--json"), 1)
    odd.write_text(f"raise ValueError({WORDS!r})\n")
    check_plain(run("check", f"py:{odd}", "--game", "hive", "--open", "--turns", "3"))
    check_plain(run("play", "hive", f"py:{odd}", "house:wanderer", *quick))


@pytest.mark.parametrize(
    "words",
    [
        ["play", WORDS],
        ["play", "hive", f"house:{WORDS}", "house:wanderer"],
        ["play", "hive", WORDS, WORDS],
        ["play", "hive", "house:wanderer", "house:wanderer", "--set", f"{WORDS}={WORDS}"],
        ["play", "hive", "house:wanderer", "house:wanderer", "--preset", WORDS],
        ["play", "hive", "house:wanderer", "house:wanderer", f"--{NO_OPTION}"],
        ["play", "hive", "house:wanderer", "house:wanderer", "--seed", WORDS],
        ["settings", WORDS],
        ["room", "snakebattle", "--player", WORDS],
        ["room", "snakebattle", "--player", f"ann:{WORDS}"],
        ["room", "snakebattle", "--bots", WORDS],
        ["check", WORDS],
        ["compare", "hive", f"py:{WORDS}", f"house:{WORDS}"],
        ["init", "hive", "--language", WORDS, "x"],
        ["init", "hive", IN_A_FILE_NAME],
        ["golden", "hive", "--to", f"{IN_A_FILE_NAME}.txt"],
        [WORDS],
        [f"--{NO_OPTION}"],
    ],
    ids=lambda words: " ".join(word if word.isprintable() else "…" for word in words),
)
def test_commands_that_are_told_nonsense(run: Run, words: list[str]) -> None:
    check_plain(run(*words))


# The one place


def shown(console_: YardConsole) -> str:
    assert isinstance(console_.file, io.StringIO)
    return console_.file.getvalue()


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> YardConsole:
    """A console that takes itself for a terminal, instead of both."""
    made = YardConsole()
    made.file = io.StringIO()
    made._force_terminal, made.is_interactive, made._color_system = True, True, None
    for name in ("out", "errors"):
        monkeypatch.setattr(console, name, made)
    monkeypatch.setattr("botyard.cli.bar.errors", made)
    monkeypatch.setattr("botyard.cli.screen.out", made)
    return made


OURS = re.compile(r"\x1b\[(\d+(;\d+)*m|\?25[lh]|1A|2K|0?K)|\r")  # styles, the cursor, and redrawing of rich's own bars


def test_a_sentence_takes_words_as_text(screen: YardConsole) -> None:
    say("[red]a[/] {words}", words=WORDS)
    note("b {words}, {number:.1f}", words=WORDS, number=1.25)
    text = OURS.sub("", shown(screen))
    assert unseen(text) == []
    assert text.count("\n") == 2
    assert text.count(MARKUP) == 2
    assert text.endswith(", 1.2\n")


def test_two_words_make_no_markup_together(screen: YardConsole) -> None:
    say("{one}{two} {three}", one="[bold", two="]x[/bold]", three="\\")
    assert shown(screen) == "[bold]x[/bold] \\\n"


def test_lines_stay_lines_where_they_are_meant(screen: YardConsole) -> None:
    say("{words}", words=Lines("one\r\ntwo\x1b[2J"))
    assert shown(screen) == "one\n  two·[2J\n"


def test_a_table_of_sentences_is_folded_where_there_is_no_room(screen: YardConsole) -> None:
    screen.width = 30
    rows = [["anna-is-a-long-name", 7, "one two three four"], ["ben", 12, ""]]
    print_table(["bot", ">n", "words"], rows, folded=True)
    assert shown(screen).splitlines() == [
        "bot                   n  words",
        "anna-is-a-long-name   7  one two",
        "                         three four",
        "ben                  12",
    ]


def test_a_table_has_one_line_for_a_row(screen: YardConsole) -> None:
    screen.width = 20
    print_table([WORDS, ">n"], [[WORDS, 1], [WORDS, 2]], WORDS)
    text = OURS.sub("", shown(screen))
    assert unseen(text) == []
    assert len(text.splitlines()) == 4
    assert text.count(MARKUP) == 4


class Leading(News):
    """A contest that bots lead whose names mean harm."""

    @property
    def leaders(self) -> list[tuple[str, float]]:
        return [("[red]anna", 0.5), (WORDS, 0.5)]


def test_bars_and_live_boards(screen: YardConsole) -> None:
    with bar(WORDS, quiet=False) as watch:
        watch(Leading(1, 0, 2))
    with Progress(console=screen) as progress:
        progress.add_task(WORDS.replace(MARKUP, ""))
    with screen.status(WORDS):
        pass
    record = play("hive", ["house:forager", "house:wanderer"], seed=7, max_turns=3).replay

    async def watch_all() -> None:
        show = plain_watcher([WORDS, WORDS])
        for game, _ in record.play():
            await show(game, {})

    finished(watch_all())
    assert unseen(OURS.sub("", shown(screen))) == []


def test_whatever_reaches_the_console_loses_its_control_characters_and_links(screen: YardConsole) -> None:
    screen.print(WORDS, Text("x", style="link http://x"))
    assert unseen(OURS.sub("", shown(screen))) == []
    [linked] = [part for part in screen.render(Text("x", style="link http://x")) if part.text == "x"]
    assert linked.style is not None
    assert linked.style.link is None


def test_json_has_escapes_for_what_is_not_to_be_seen(capsys: pytest.CaptureFixture[str]) -> None:
    value = {WORDS: [WORDS, "ä", "\ud800", "\U000e0041"]}
    print_json(value)
    printed = capsys.readouterr().out
    assert unseen(printed) == []
    assert "ä" in printed
    assert json.loads(printed) == value


def test_no_command_prints_markup_past_the_one_place() -> None:
    """Plain strings have no markup: a style in one would be printed as it stands. `say` and `note` know styles."""
    tag = re.compile(r"\[/?[a-z]+[^\]]*\]|\[/\]")
    for path in Path(cli.__file__).parent.glob("*.py"):
        for call in ast.walk(ast.parse(path.read_text())):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "print":
                words = [node.value for node in ast.walk(call) if isinstance(node, ast.Constant)]
                assert not any(isinstance(word, str) and tag.search(word) for word in words), f"{path}:{call.lineno}"
