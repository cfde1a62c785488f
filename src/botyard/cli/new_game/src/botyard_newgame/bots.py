"""The house bots of New game: rules that see a view and a memory, as any bot does, and nothing else.

`decide` is given the number of a bot in HOUSE_BOTS. A second bot is a second name, and an `if bot == …` in `decide`.
"""

from __future__ import annotations

from botyard.kernel.chance import draw
from botyard.kernel.records import Record
from botyard.kernel.rule import rule
from botyard_newgame.layout import COIN
from botyard_newgame.rules import DOWN, LEFT, ORDERS, RIGHT, UP

HOUSE_BOTS = {"gatherer": "Walks to the nearest coin it sees, and anywhere while it sees none."}


@rule
def decide(bot: int, arena: Record, view: Record, memory: Record) -> int:
    rows, cols = view.cells.shape
    nearest = rows + cols
    order = -1
    for row in range(rows):
        for col in range(cols):
            steps = abs(row - view.row) + abs(col - view.col)
            if view.cells[row, col] == COIN and steps < nearest:
                nearest = steps
                order = towards(view, row, col)
    return order if order >= 0 else draw(arena, memory, ORDERS)


@rule
def towards(view: Record, row: int, col: int) -> int:
    if row != view.row:
        return UP if row < view.row else DOWN
    return LEFT if col < view.col else RIGHT
