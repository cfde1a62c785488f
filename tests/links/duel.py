"""Bouts of BattleBots between tiny programs written inside the tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from botyard.games import load
from botyard.jail.levels import obstacle
from botyard.jail.limits import Level, Limits
from botyard.jail.toolchains import INTERPRETER
from botyard.kernel.verdict import Verdict
from botyard.links.cage_policy import CagePolicy
from botyard.match.loop import Played
from tests.links.matches import play_match
from tests.links.yard import PATIENT_MS
from tests.waiting import finished

NOP = "house:nop"
WALKER = "house:hugger"


FIRST = """\
..........
.Y........
..........
..........
..........
..........
..........
..........
........X.
..........
Y hp=10
X hp=10
"""


def bot(folder: Path, source: str, name: str = "mybot.py", python: str = str(INTERPRETER)) -> str:
    """A Python bot as a BOT of the command line."""
    (folder / name).write_text(dedent(source))
    return f"cmd:{python} {folder / name}"


def duel(
    *bots: str,
    rounds: int = 3,
    level: Level = Level.CAGED,
    limits: Limits | None = None,
    notice: Callable[[str], None] = pytest.fail,
    **settings: Any,
) -> Played:
    """A short bout; what would be told to a person must be asked for."""
    if trouble := obstacle(level):
        pytest.skip(trouble)
    return finished(
        fight(*bots, policy=CagePolicy(level, limits or Limits()), rounds=rounds, notice=notice, **settings)
    )


async def fight(
    *bots: str,
    policy: CagePolicy,
    rounds: int,
    notice: Callable[[str], None],
    preset: str = "document",
    **settings: Any,
) -> Played:
    values = {"rounds_per_bout": rounds, "move_timeout_ms": PATIENT_MS, **settings}
    chosen = load("battlebots").settings.read(values, preset)
    return await play_match("battlebots", bots, chosen, 1, policy, notice=notice)


def verdicts(played: Played, seat: int = 0) -> list[Verdict]:
    return [turn.verdict for turn in played.turns if turn.seat == seat]


def answers(played: Played, seat: int = 0) -> list[str]:
    return [turn.received for turn in played.turns if turn.seat == seat]


def words(played: Played, seat: int = 0) -> list[str]:
    """What it said on standard error, by turn."""
    return [turn.said for turn in played.turns if turn.seat == seat]


def silent_at_first(then: str) -> str:
    """Misbehaves in the first round, in which the enemy has not moved."""
    return f"""
        import os, sys, time
        if sys.argv[1].splitlines()[8][8] == "X":
            {then}
        print("NO")
    """
