"""`botyard play --watch`: a watcher stops, steps, hurries and leaves a game, and no bot pays for it."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from botyard.match.replay import Replay
from botyard.match.turns import read_turns
from tests.cli.terminal import terminal

QUICK = ("--seed", "7", "--set", "max_turns=60")
FILE = Path("replays") / "hive-7.replay"
BOT = """
def decide(view):
    return "move N"
"""


def test_a_game_is_stopped_stepped_and_gone_back_in(tmp_path: Path) -> None:
    words = ("play", "hive", "house:forager", "house:raider", *QUICK, "--watch", "--pace", "20")
    with terminal(*words, folder=tmp_path) as screen:
        screen.see("Hive Arena")
        screen.press(" ")
        text = screen.see("⏸ 1x")
        stopped = int(text.rpartition("tick ")[2].split()[0])
        assert stopped < 60
        screen.press("ArrowRight")
        screen.see(f"tick {stopped + 1} of {stopped + 1}")
        screen.press("Shift+ArrowRight")
        screen.see(f"tick {stopped + 11} of {stopped + 11}")
        screen.press("ArrowLeft")
        screen.see(f"tick {stopped + 10} of {stopped + 11}")
        screen.press(*["ArrowUp"] * 6, " ")
        screen.see("turn 60", "a draw", "the game is over")
        screen.press("0")
        screen.see("seat 0's view")
        screen.press("q")
        assert screen.ended() == 0
        assert "replay: " in screen.text
    assert len(Replay.read(tmp_path / FILE).ticks) == 60


@pytest.mark.long
def test_whoever_leaves_does_not_end_the_game(tmp_path: Path) -> None:
    words = ("play", "hive", "house:forager", "house:raider", *QUICK, "--watch", "--pace", "5")
    with terminal(*words, folder=tmp_path, rows=60) as screen:
        screen.see("Hive Arena")
        screen.press("q")
        assert screen.ended() == 0
        assert "the game goes on without being shown" in screen.text
    assert len(Replay.read(tmp_path / FILE).ticks) == 60


@pytest.mark.long
def test_ctrl_c_breaks_a_game_off_and_keeps_one_that_is_over(tmp_path: Path) -> None:
    words = ("play", "hive", "house:forager", "house:raider", *QUICK, "--watch", "--pace")
    with terminal(*words, "5", folder=tmp_path) as screen:
        screen.see("Hive Arena")
        screen.press("\x03")
        assert screen.ended() != 0
    assert not (tmp_path / FILE).exists()
    with terminal(*words, "0", folder=tmp_path) as screen:
        screen.see("the game is over")
        screen.press("\x03")
        assert screen.ended() == 0
    assert len(Replay.read(tmp_path / FILE).ticks) == 60


def test_a_pause_costs_no_bot_time(tmp_path: Path) -> None:
    """The bot has 500 ms for an answer; the pause is longer than that, and no turn is lost."""
    (tmp_path / "bot.py").write_text(BOT)
    limits = ("--set", "reply_timeout_ms=500", "--set", "max_turns=12")
    words = ("play", "hive", "py:bot.py", "house:wanderer", "--seed", "7", *limits, "--watch", "--pace", "4", "--open")
    with terminal(*words, folder=tmp_path) as screen:
        screen.see("Hive Arena")
        screen.press(" ")
        screen.see("⏸ 1x")
        began = time.monotonic()
        screen.wait(lambda: time.monotonic() - began > 1.5)
        screen.press(*["ArrowUp"] * 6, " ")
        screen.see("the game is over")
        screen.press("q")
        assert screen.ended() == 0
    log = read_turns(tmp_path / FILE)
    assert {turn.verdict for turn in log.turns} == {"OK"}
    assert max(turn.ms for turn in log.turns) < 500


@pytest.mark.long
def test_without_keys_a_game_is_shown_and_ends_by_itself(tmp_path: Path) -> None:
    words = ("play", "hive", "house:forager", "house:raider", *QUICK, "--watch", "--pace", "0")
    with terminal(*words, folder=tmp_path, keys=False) as screen:
        assert screen.ended() == 0
        assert b"\x1b[?1049h" in screen.raw
        assert "replay: " in screen.text
