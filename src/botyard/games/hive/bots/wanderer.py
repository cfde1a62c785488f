"""Wanderer: does what the original's example bot does, and is the first bot to beat."""

from __future__ import annotations

from botyard.games.hive.bots.sight import NOWHERE, beside, carrying, order
from botyard.games.hive.layout import FLOWER, FORAGE, HIVE, MOVE
from botyard.kernel.chance import draw
from botyard.kernel.records import Record
from botyard.kernel.rule import rule


@rule
def wanderer(arena: Record, view: Record, memory: Record) -> int:
    """Uses what lies beside the bee, else moves in a random direction, even against a wall."""
    wanted = HIVE + view.player if carrying(view) else FLOWER
    direction = beside(arena, view, wanted)
    if direction != NOWHERE:
        return order(FORAGE, direction)
    return order(MOVE, draw(arena, memory, 8))
