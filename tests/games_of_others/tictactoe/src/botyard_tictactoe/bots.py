"""The house bot of tic-tac-toe."""

from __future__ import annotations

from botyard.kernel.chance import draw
from botyard.kernel.records import Record
from botyard.kernel.rule import rule
from botyard_tictactoe.layout import EMPTY, MARK, SIDE
from botyard_tictactoe.rules import CELLS

HOUSE_BOTS = {"blocker": "Completes its line, or else the rival's, and takes any free cell otherwise."}


@rule
def decide(bot: int, arena: Record, view: Record, memory: Record) -> int:
    for mark in (MARK + view.player, MARK + 1 - view.player):
        for order in range(CELLS):
            if completes(view.cells, order, mark):
                return order
    order = draw(arena, memory, CELLS)
    while view.cells[order // SIDE, order % SIDE] != EMPTY:
        order = (order + 1) % CELLS
    return order


@rule
def completes(cells: Record, order: int, mark: int) -> bool:
    """Whether a mark on this free cell would make a line: two others lie with it in a row, column or diagonal."""
    y = order // SIDE
    x = order % SIDE
    if cells[y, x] != EMPTY:
        return False
    row = 0
    col = 0
    falling = 0
    rising = 0
    for at in range(SIDE):
        row += cells[y, at] == mark
        col += cells[at, x] == mark
        falling += x == y and cells[at, at] == mark
        rising += x + y == SIDE - 1 and cells[at, SIDE - 1 - at] == mark
    return row == 2 or col == 2 or falling == 2 or rising == 2
