"""Tic-tac-toe as people see it: three rows of `.`, `X` and `O`, and a headline if the game is over.

over, winner 0
X O .
O X .
. . X
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from botyard.kernel.errors import BadRecord
from botyard.kernel.records import Record, record_of
from botyard.kernel.rule import rule
from botyard.kernel.scene import Key, KeyPad, PictureSize, Tile, Words
from botyard_tictactoe.facts import FACTS
from botyard_tictactoe.layout import LAYOUTS, SIDE, make_arena, validate
from botyard_tictactoe.settings import TictactoeSettings

GLYPHS = ".XO"
# The digits lie on a keyboard's number pad as the cells lie on the board.
KEYS = KeyPad(
    tuple(
        Key(("789456123"[cell],), order, (order,), cell // SIDE, cell % SIDE) for cell, order in enumerate(FACTS.orders)
    )
)
HEADLINE = re.compile(r"over(?:, winner ([01]))?")


def draw(arena: Any, state: Any) -> str:
    board = rows_of(state.cells)
    return f"{headline(state)}\n{board}" if state.over else board


def rows_of(cells: NDArray[Any]) -> str:
    return "\n".join(" ".join(GLYPHS[code] for code in row) for row in cells)


def headline(state: Any) -> str:
    if not state.over:
        return f"turn {state.turn}"
    return "over" if state.winner < 0 else f"over, winner {state.winner}"


def parse(text: str, settings: TictactoeSettings | None = None) -> tuple[TictactoeSettings, NDArray[Any]]:
    lines = [line.strip() for line in text.strip().splitlines()]
    states = np.zeros(1, LAYOUTS.state)
    state, fitting = record_of(states), settings or TictactoeSettings()
    ended = HEADLINE.fullmatch(lines[0]) if lines else None
    board = [line.split() for line in (lines[1:] if ended else lines)]
    if [len(row) for row in board] != [SIDE] * SIDE or not all(cell in GLYPHS for row in board for cell in row):
        raise BadRecord("not a drawing of tictactoe", hint="three rows of three cells each: `. X O`")
    state.cells[:] = [[GLYPHS.index(cell) for cell in row] for row in board]
    state.turn = (state.cells > 0).sum()
    state.over, state.winner = ended is not None, int(ended[1] or -1) if ended else -1
    validate(record_of(make_arena(fitting)), state)
    return fitting, states


def draw_view(view: Any) -> str:
    return f"player {view.player}\n{rows_of(view.cells)}"


def palette(arena: Any) -> tuple[Tile, ...]:
    return Tile(".", "empty cell", "empty"), Tile("X", "cross", "seat", seat=0), Tile("O", "nought", "seat", seat=1)


def picture_size(arena: Any) -> PictureSize:
    return PictureSize(SIDE, SIDE)


@rule
def picture(arena: Record, state: Record, grid: Record, pieces: Record) -> int:
    for row in range(SIDE):
        for col in range(SIDE):
            grid[row, col] = state.cells[row, col]
    return 0


def words(arena: Any, state: Any) -> Words:
    won = tuple(int(state.winner == seat) for seat in range(2))
    return Words(headline(state), {"points": won}, ("plays X", "plays O"))
