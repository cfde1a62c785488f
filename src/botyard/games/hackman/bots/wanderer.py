"""Wanderer: does about what the original's starter bots do, and is the first bot to beat."""

from __future__ import annotations

from botyard.games.hackman.layout import PASS
from botyard.kernel.chance import draw
from botyard.kernel.records import Record
from botyard.kernel.rule import rule


@rule
def wanderer(arena: Record, view: Record, memory: Record) -> int:
    """Chooses one of the open directions, all equally likely."""
    cell = view.cells[view.player]
    ways = 0
    for direction in range(4):
        if arena.walk[4 * cell + direction] != cell:
            ways += 1
    if ways == 0:
        return PASS
    number = draw(arena, memory, ways)
    direction = 0
    while number > 0 or arena.walk[4 * cell + direction] == cell:
        if arena.walk[4 * cell + direction] != cell:
            number -= 1
        direction += 1
    return direction
