"""Bots that cannot start: every kind of bot and every link says so before the first question."""

from __future__ import annotations

from pathlib import Path

import pytest

from botyard.games import load
from botyard.jail.launch import Launch
from botyard.jail.limits import Level
from botyard.jail.program import CANNOT_EXECUTE
from botyard.jail.script import missing_script
from botyard.kernel.verdict import Fault, Verdict
from botyard.links.bot_spec import Seating, read_bot_spec
from botyard.links.starts import failed_start, try_start
from botyard.match.clock import LoopClock
from botyard.match.player import Answer
from botyard.match.turns import START_TICK, Turn
from tests.waiting import finished

UNBUILT = {
    "cmd:./nobody": "there is no program './nobody'",
    "cmd:nobody-has-this": "there is no program 'nobody-has-this'",
    "cmd:python3 gone.py": "there is no file 'gone.py'",
    "cmd:./plain": "is not executable; run chmod +x",
    "json:./nobody": "there is no program './nobody'",
    "json:python3 -u gone.py": "there is no file 'gone.py'",
    "dir:missing": "there is no program './nothing'",
    "dir:script": "there is no file 'gone.py'",
}


def lay_bots(folder: Path) -> None:
    (folder / "plain").write_text("text")
    (folder / "bot.py").write_text("def decide(view):\n    return 0\n")
    for name, run in (("missing", '["./nothing"]'), ("script", '["python3", "gone.py"]')):
        (folder / name).mkdir()
        (folder / name / "botyard.toml").write_text(f"run = {run}\n")


@pytest.mark.parametrize("bot", UNBUILT)
@pytest.mark.parametrize("game", ["hive", "hackman", "battlebots", "snakebattle"])
def test_a_program_that_is_not_there_cannot_be_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str, bot: str
) -> None:
    lay_bots(tmp_path)
    monkeypatch.chdir(tmp_path)
    fault = finished(read_bot_spec(bot, load(game)).build())
    assert fault is not None
    assert fault.verdict is Verdict.UNBUILT
    assert UNBUILT[bot] in fault.reason


@pytest.mark.parametrize(
    ("command", "missing"),
    [
        (("python3", "gone.py"), "gone.py"),
        (("node", "--no-warnings", "gone.js", "7"), "gone.js"),
        (("python3", "here.py", "gone.py"), ""),
        (("python3", "-c", "print(1)", "gone.py"), ""),
        (("python3", "-m", "package.py"), ""),
        (("./mybot", "gone.py"), ""),
        (("python3",), ""),
        (("bash", "words"), ""),
    ],
)
def test_only_a_file_that_an_interpreter_is_to_run_can_be_missing(
    tmp_path: Path, command: tuple[str, ...], missing: str
) -> None:
    (tmp_path / "here.py").write_text("")
    assert missing_script(Launch(command, tmp_path, Level.OPEN)) == missing


@pytest.mark.parametrize("game", ["hive", "battlebots"])
def test_a_start_is_tried_and_leaves_nothing_running(tmp_path: Path, game: str) -> None:
    (tmp_path / "bot.py").write_text("def decide(view):\n    return 0\n")
    book = load(game)
    seating = Seating(book, book.settings().seated(2), LoopClock())
    wrong, right = (read_bot_spec(f"py:{tmp_path}/bot.py:{name}", book) for name in ("wrong", "decide"))
    fault = finished(try_start(wrong, seating))
    assert fault is not None
    assert "the file has no function 'wrong'; it has decide" in fault.reason
    assert finished(try_start(right, seating)) is None


def turn(tick: int, seat: int, verdict: Verdict = Verdict.OK, reason: str = "") -> Turn:
    return Turn.of(tick, seat, Answer(0 if verdict is Verdict.OK else Fault(verdict, reason)))


def test_a_bot_has_failed_to_start_if_it_did_not_come_or_cannot_be_executed() -> None:
    both = (0, 1)
    absent = turn(START_TICK, 1, Verdict.SILENT, "no name")
    unexecuted = turn(0, 1, Verdict.CRASHED, f"exit status 126 ({CANNOT_EXECUTE})")
    assert failed_start([turn(0, 0), turn(0, 1)], both) is None
    assert failed_start([absent, turn(0, 0)], both) is absent
    assert failed_start([turn(0, 0), unexecuted], both) is unexecuted
    assert failed_start([turn(0, 1), unexecuted], both) is None  # it has answered before
    assert failed_start([absent], (0,)) is None  # that one comes by itself
    assert failed_start([turn(START_TICK, 0, Verdict.HOUSE, "ours")], both) is None
