"""Footage of small games for the tests of pictures."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import botyard
from botyard.match.filming import Shots
from botyard.match.replay import Replay

HOSTILE = "<script>alert(1)</script>&\"'\x1b[2J\u202eevil"
SHOWN = "<script>alert(1)</script>&\"'·[2J·evil"  # what people are to read


@cache
def game(ticks: int = 60) -> Replay:
    """A short game of two house bots: the meadow has flowers, hives, bees, and no walls yet."""
    return botyard.play("hive", ["house:forager", "house:wanderer"], seed=7, max_turns=ticks).replay


def footage(*ticks: int, seat: int | None = None, names: tuple[str, ...] = ("ann", "bob")) -> Shots:
    return Shots(replace(game(), names=names), ticks, seat)
