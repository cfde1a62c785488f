"""Beeline: does what the original's example bot does (6.7)."""

from __future__ import annotations

from botyard.games.snakepit.layout import DOWN, LEFT, RIGHT, UP
from botyard.kernel.facts import NO_ORDER
from botyard.kernel.records import Record
from botyard.kernel.rule import rule

BELIEVED_START = 10  # both coordinates: the bot ignores the opening, so it does not know where it starts


@rule
def beeline(arena: Record, view: Record, memory: Record) -> int:
    """Goes sideways first, then up or down; gives no answer if it believes that it is on the pellet."""
    x, y = view.heads[view.seat, 0], view.heads[view.seat, 1]
    if view.tick == 0:
        x, y = BELIEVED_START, BELIEVED_START
    if x < view.pellet_x:
        return RIGHT
    if x > view.pellet_x:
        return LEFT
    if y < view.pellet_y:
        return DOWN
    if y > view.pellet_y:
        return UP
    return NO_ORDER
