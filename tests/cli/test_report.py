"""`botyard report` and `botyard play --report`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.test_commands import QUICK, Run, run

__all__ = ["run"]  # the fixture

NOISY = """
turns = 0
def bot(view):
    global turns
    turns += 1
    print("thinking \\x1b[31m \\u202e", turns)
    return "guard N" if turns < 4 else "fly \\x1b[2J"
"""


@pytest.fixture
def noisy() -> str:
    Path("noisy.py").write_text(NOISY)
    return "py:noisy.py"


def play_noisy(run: Run, bot: str, *words: str) -> str:
    done = run("play", "hive", bot, "house:wanderer", *QUICK, "--set", "random_seats=false", *words)
    assert done.status == 0
    return done.out


def test_a_game_is_reported_from_its_replay(run: Run, noisy: str) -> None:
    play_noisy(run, noisy)
    done = run("report", "replays/hive-7.replay")
    assert done.status == 0
    assert "1 turn was lost" in done.out
    assert "tick 6, seat 0 noisy  GARBLED" in done.out
    assert "why: unknown order of hive 'fly \\x1b[2J'" in done.out
    assert "| thinking \\x1b[31m \\u202e 4" in done.out
    assert "\x1b" not in done.out
    assert "tick 5, seat 1 wanderer  OK" in done.out
    assert "tick 4, seat 0 noisy  OK guard N  " in done.out
    lost = run("report", "replays/hive-7.replay", "--only-faults", "--seat", "0").out
    assert "tick 5, seat 1" not in lost
    assert "tick 6, seat 0 noisy  GARBLED" in lost
    assert "tick 4, seat 0 noisy  OK" not in lost.partition("lost turns\n")[2]
    some = run("report", "replays/hive-7.replay", "--ticks", "2-3").out.partition("\nturns\n")[2]
    assert [line for line in some.splitlines() if line.startswith("tick")] == [
        line for line in some.splitlines() if line.startswith(("tick 2,", "tick 3,"))
    ]


def test_a_report_is_there_for_programs_too(run: Run, noisy: str) -> None:
    play_noisy(run, noisy)
    told = run("report", "replays/hive-7.replay", "--json", "--only-faults").json
    assert [(turn["tick"], turn["verdict"]) for turn in told["turns"]] == [(6, "GARBLED")]
    assert told["games"][0]["seats"][0]["level"] == "caged"
    assert told["bots"][0]["verdicts"] == {"OK": 3, "GARBLED": 1}


def test_a_report_is_written_while_playing(run: Run, noisy: str) -> None:
    play_noisy(run, noisy, "--report", "game.json")
    assert json.loads(Path("game.json").read_text())["lost"] == 1
    done = run("play", "hive", "house:forager", "house:wanderer", *QUICK, "--report", "deep/game.txt")
    assert "report: deep/game.txt" in done.out
    assert "no turn was lost" in Path("deep/game.txt").read_text()


def test_a_series_has_one_report_of_all_its_games(run: Run, noisy: str) -> None:
    shown = play_noisy(run, noisy, "--games", "3", "--report", "all.txt", "--replay", "kept")
    assert "GARBLED 3" in shown
    told = Path("all.txt").read_text()
    assert told.startswith("3 games\n")
    assert "3 turns were lost" in told
    assert "kept/hive-8.replay, tick 6, seat 0 noisy  GARBLED" in told
    assert "OK " not in told.partition("lost turns\n")[2]
    again = run("report", *sorted(Path("kept").glob("*.replay"))).out
    assert run("report", "kept").out == again
    assert "3 turns were lost" in again
    assert "kept/hive-9.replay, tick 6, seat 0 noisy  GARBLED" in again


def test_a_series_of_house_bots_can_be_reported(run: Run) -> None:
    words = ("play", "hive", "house:forager", "house:wanderer", *QUICK, "--games", "2", "--report", "all.json")
    assert run(*words).status == 0
    told = json.loads(Path("all.json").read_text())
    assert (len(told["games"]), told["lost"]) == (2, 0)
    assert not Path("replays").exists()


def test_a_replay_without_its_turns_says_what_is_missing(run: Run, noisy: str) -> None:
    play_noisy(run, noisy)
    Path("replays/hive-7.replay.turns").unlink()
    done = run("report", "replays/hive-7.replay")
    assert done.status == 0
    assert "no hive-7.replay.turns beside it" in " ".join(done.out.split())
    assert "tick 6, seat 0 noisy  GARBLED" in done.out
    assert run("report", "replays/hive-7.replay", "--json").json["games"][0]["missing"]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("report", "nothing.replay"), "cannot read nothing.replay"),
        (("report", "replays/hive-7.replay", "--ticks", "x"), "a tick such as 7"),
        (("report", "replays/hive-7.replay", "--ticks", "5-"), "a tick such as 7"),
        (("report", "replays/hive-7.replay", "--seat", "2"), "seats go from 0 to 1"),
        (("report", "."), "no replay in ."),
        (("report",), "Missing argument"),
    ],
)
def test_mistakes_are_told(run: Run, words: tuple[str, ...], complaint: str) -> None:
    run("play", "hive", "house:wanderer", "house:wanderer", *QUICK, "--quiet")
    done = run(*words)
    assert done.status == 2
    assert complaint in " ".join(done.err.split())


def test_damaged_turns_are_told(run: Run) -> None:
    run("play", "hive", "house:wanderer", "house:wanderer", *QUICK, "--quiet")
    Path("replays/hive-7.replay.turns").write_bytes(b"junk")
    done = run("report", "replays/hive-7.replay")
    assert (done.status, "is damaged" in " ".join(done.err.split())) == (2, True)
