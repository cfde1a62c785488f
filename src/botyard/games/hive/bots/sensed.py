"""What all learners of Hive Arena sense, whatever else they are told: the cells of the window around their bee."""

from __future__ import annotations

from typing import Any

from botyard.games.hive.bots.sight import distance, hive_col, hive_row
from botyard.games.hive.layout import CARRIER, EMPTY, FLOWER, HIVE, OUTSIDE
from botyard.kernel.records import Record
from botyard.kernel.rule import rule

CODES = (
    "empty",
    "an own bee",
    "a rival's bee",
    "an own bee with a flower",
    "a rival's bee with a flower",
    "a flower",
    "a wall",
    "the own hive",
    "the rival's hive",
    "outside the board",
)

# What a position is worth, in twentieths of a point. A flower on its way home is a promise that is taken back if it is
# lost.
POINT, CARRIED, HOMEWARD = 20, 6, 30


def sense_shape(arena: Any) -> tuple[int, int]:
    side = 2 * int(arena.margin) + 1
    return side, side


@rule
def sense(arena: Record, view: Record, memory: Record, row: int, col: int) -> int:
    """Returns the code of a cell of the window as player 0 would see it: the own bees and hive have its odd codes."""
    code = view.window[row, col]
    if view.player == 0 or code == EMPTY or FLOWER <= code < HIVE or code == OUTSIDE:
        return code
    return code + 1 if code & 1 else code - 1


@rule
def promised(arena: Record, state: Record, seat: int) -> int:
    """Returns what the flowers are worth that the bees of a seat carry; the more, the nearer they are to its hive."""
    promise = 0
    for bee in range(arena.bees):
        row, col = state.bees[seat, bee, 0], state.bees[seat, bee, 1]
        if state.cells[row, col] == CARRIER + seat:
            south = row - arena.margin - hive_row(arena)
            east = col - arena.margin - hive_col(arena, seat)
            promise += CARRIED + max(0, HOMEWARD - distance(south, east)) // 3
    return promise
