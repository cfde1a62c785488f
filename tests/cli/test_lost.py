"""Lost turns on the screen, in the report and for programs; results, and why there is none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import botyard
from botyard.cli.lost import lost_stretches
from botyard.cli.outcome import say_result, tell_void
from botyard.games.game import Game
from botyard.kernel.outcome import Outcome
from botyard.match.series import SeriesGame
from tests.cli.test_commands import Run, run

__all__ = ["run"]

DIES = """
import os
turns = 0
def bot(view):
    global turns
    turns += 1
    if turns > 3:
        os._exit(3)
    return "pass"
"""
STUTTERS = """
turns = 0
def bot(view):
    global turns
    turns += 1
    return "pass" if turns % 3 == 1 else "no plan " + "abcdefghijklmn"[(turns - 2) // 3]
"""
GAME = ("hackman", "py:bot.py", "house:wanderer", "--set", "max_rounds=40", "--seed", "4", "--replay", "x.replay")


def test_a_bot_that_died_is_told_once_with_the_turns_it_lost(run: Run) -> None:
    Path("bot.py").write_text(DIES)
    done = run("play", *GAME)
    told = [line for line in done.err.splitlines() if line.startswith("seat 0")]
    assert len(told) == 1
    assert told[0].startswith("seat 0 (bot) in ticks 3 to 39 (37 turns): CRASHED ")
    report = run("report", "x.replay", "--only-faults").out.partition("lost turns\n")[2]
    assert [line for line in report.splitlines() if line.startswith("tick")] == [
        "ticks 3 to 39 (37 turns), seat 0 bot  CRASHED"
    ]
    assert len(run("report", "x.replay", "--only-faults", "--json").json["turns"]) == 37
    assert run("report", "x.replay", "--only-faults", "--full").out.count("seat 0 bot  CRASHED") >= 37
    assert run("report", "x.replay", "--only-faults", "--ticks", "9-12").out.count("ticks 9 to 12 (4 turns)") == 1


def test_a_quiet_game_says_its_result_alone(run: Run) -> None:
    Path("bot.py").write_text(DIES)
    done = run("play", *GAME, "--quiet")
    assert [line for line in done.err.splitlines() if not line.startswith("Compiling")] == []
    assert [line.split()[0] for line in done.out.splitlines()] == ["draw", "replay:"]


def test_programs_get_every_lost_turn_and_the_stretches(run: Run) -> None:
    Path("bot.py").write_text(DIES)
    told = run("play", *GAME, "--json").json
    assert [miss["tick"] for miss in told["missed"]] == list(range(3, 40))
    assert [(one["seat"], one["first_tick"], one["last_tick"], one["turns"]) for one in told["stretches"]] == [
        (0, 3, 39, 37)
    ]


def test_a_fault_of_ours_is_nobodys_lost_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(game: Game, orders: Any) -> None:
        raise RuntimeError("a bug of ours")

    monkeypatch.setattr(Game, "step_orders", broken)
    played = botyard.play("hive", ["house:forager", "house:raider"], seed=3, max_turns=3)
    assert played.replay.missed
    assert lost_stretches(played) == []


def test_nobody_is_told_more_than_he_reads(run: Run) -> None:
    Path("bot.py").write_text(STUTTERS)
    done = run("play", *GAME)
    told = [line for line in done.err.splitlines() if line.startswith("seat 0")]
    assert len(told) == 11
    assert told[-1] == "seat 0 (bot) lost more turns: GARBLED 6; botyard report x.replay --only-faults shows them all"


def test_of_a_series_only_void_games_have_a_reason(capsys: pytest.CaptureFixture[str]) -> None:
    played = SeriesGame(1, 2, Outcome(((0,), (1,)), (1, 0)))
    void = SeriesGame(2, 2, trouble="OSError: No space left on device")
    tell_void([played])
    assert capsys.readouterr().err == ""
    tell_void([played, void])
    assert capsys.readouterr().err.startswith("void: OSError: No space left on device; free disk space")


def test_a_bot_without_a_name_has_a_result_too(capsys: pytest.CaptureFixture[str]) -> None:
    played = botyard.play("hive", ["house:forager", "house:raider"], seed=3, max_turns=3)
    played.names = ("", "raider")
    say_result(played)
    assert "(no name) " in capsys.readouterr().out
