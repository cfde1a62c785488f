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
from botyard.kernel.records import record_of
from botyard.kernel.scene import Mark, Scene
from botyard_tictactoe.layout import LAYOUTS, SIDE, make_arena, validate
from botyard_tictactoe.settings import TictactoeSettings

GLYPHS = ".XO"
STYLES = ("empty", "seat0", "seat1")
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


def scene(arena: Any, state: Any) -> Scene:
    marks = [Mark(f"{glyph} ", style) for glyph, style in zip(GLYPHS, STYLES, strict=True)]
    return Scene(
        headline=headline(state),
        rows=tuple(tuple(marks[code] for code in row) for row in state.cells),
        seats=tuple(f"plays {glyph}" for glyph in GLYPHS[1:]),
        legend=tuple((marks[seat + 1], f"player {seat}") for seat in range(2)),
    )
