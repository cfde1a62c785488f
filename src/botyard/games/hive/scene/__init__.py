"""Hive Arena as people see it: a board as text that parses back, and pictures of it.

    turn 12, score 0-1, last point 7
    . . . *
    @ A*. a
    . # . &

`A` is bee 0 of player 0, `a` bee 0 of player 1, `B` bee 1 and so on; a star behind a bee is the flower it carries.
`@` and `&` are the hives of players 0 and 1, `*` a flower, `#` a wall.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from botyard.games.hive.layout import (
    BEE,
    CARRIER,
    EMPTY,
    FLOWER,
    HIVE,
    OUTSIDE,
    PLAYERS,
    WALL,
    layouts,
    make_arena,
    validate,
)
from botyard.games.hive.scene.picture import KEYS, palette, picture, picture_size, seat_picture, words
from botyard.games.hive.settings import HiveSettings
from botyard.kernel.errors import BadRecord
from botyard.kernel.records import record_of

__all__ = ["KEYS", "draw", "draw_view", "palette", "parse", "picture", "picture_size", "seat_picture", "words"]

GLYPHS = {EMPTY: ".", FLOWER: "*", WALL: "#", HIVE: "@", HIVE + 1: "&", OUTSIDE: " "}
CODES = {glyph: code for code, glyph in GLYPHS.items() if code != OUTSIDE}
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXY"
FLAGS = ("closing", "over", "swapped", "changed")
HEADER = re.compile(r"turn (\d+), score (\d+)-(\d+), last point (-?\d+)((?:, \w+(?: \d)?)*)")


def draw(arena: Any, state: Any) -> str:
    """Draws the whole state as text, except for its chance (the random generator)."""
    rows = ["".join([glyph.ljust(2) for glyph in row]).rstrip() for row in glyphs(arena, state)]
    return "\n".join([headline(state), *rows])


def headline(state: Any) -> str:
    words = [f"turn {state.turn}, score {state.scores[0]}-{state.scores[1]}, last point {state.last_point_turn}"]
    words += [flag for flag in FLAGS if state[flag]]
    words += [f"{name} {state[name]}" for name in ("winner", "forfeited") if state[name] >= 0]
    return ", ".join(words)


def glyphs(arena: Any, state: Any) -> list[list[str]]:
    """Returns the board cell by cell; bees are shown by their letters."""
    margin, rows, cols = int(arena.margin), int(arena.rows), int(arena.cols)
    cells = state.cells[margin : margin + rows, margin : margin + cols].tolist()
    board = [[GLYPHS.get(code, "") for code in row] for row in cells]
    for player, bees in enumerate((state.bees[:, : int(arena.bees)].astype(int) - margin).tolist()):
        for bee, (row, col) in enumerate(bees):
            letter = LETTERS[bee] if player == 0 else LETTERS[bee].lower()
            board[row][col] = letter + ("*" if cells[row][col] == CARRIER + player else "")
    return board


def parse(text: str, settings: HiveSettings | None = None) -> tuple[HiveSettings, NDArray[Any]]:
    """Reads settings and a state (an array of one record) from a drawing; the header line may be missing.

    The size of the board and the number of bees come from the drawing, every other setting from `settings`.
    """
    lines = [line.strip() for line in text.strip().splitlines()]
    header = HEADER.fullmatch(lines[0]) if lines else None
    board = [cut_row(line) for line in (lines[1:] if header else lines)]
    if not board or len({len(row) for row in board}) != 1:
        raise BadRecord(
            "not a drawing of a hive board", hint="write rows of equal length, two characters for each cell: `. A*. #`"
        )
    fitting = fitted(settings or HiveSettings(), board)
    states = np.zeros(1, layouts(fitting).state)
    arena, state = record_of(make_arena(fitting)), record_of(states)
    fill(arena, state, board)
    read_header(state, header, fitting.bees_per_player)
    validate(arena, state)
    return fitting, states


def cut_row(line: str) -> list[str]:
    return [line[at : at + 2].strip() for at in range(0, len(line), 2)]


def fitted(settings: HiveSettings, board: list[list[str]]) -> HiveSettings:
    rows, cols = len(board), len(board[0])
    bees = sum(cell[:1] in LETTERS for row in board for cell in row if cell)
    if (rows, cols, bees) == (settings.rows, settings.cols, settings.bees_per_player):
        return settings
    # The flowers are drawn already, so the numbers of flowers only have to be possible on a small board.
    return replace(
        settings, rows=rows, cols=cols, bees_per_player=bees, hive_inset=0, bee_inset=1, flowers_min=0, flowers_max=0
    )


def fill(arena: Any, state: Any, board: list[list[str]]) -> None:
    margin = int(arena.margin)
    state.cells[:, :] = OUTSIDE
    for row, cells in enumerate(board, margin):
        for col, cell in enumerate(cells, margin):
            state.cells[row, col] = code_of(cell, state, row, col)
    state.flowers = np.isin(state.cells, (FLOWER, CARRIER, CARRIER + 1)).sum()


def code_of(cell: str, state: Any, row: int, col: int) -> int:
    letter, carrying = cell[:1], cell[1:] == "*"
    if letter.upper() in LETTERS and letter:
        player, bee = int(letter.islower()), LETTERS.index(letter.upper())
        if bee < state.bees.shape[1]:
            state.bees[player, bee] = row, col
        return (CARRIER if carrying else BEE) + player
    if cell not in CODES:
        raise BadRecord(
            f"unknown cell {cell!r} in a hive drawing", hint=f"known: {' '.join(CODES)} and bees A, a, A*, a* …"
        )
    return CODES[cell]


def read_header(state: Any, header: re.Match[str] | None, bees: int) -> None:
    state.last_point_turn = state.winner = state.forfeited = -1
    if header is None:
        return
    state.turn, state.scores[0], state.scores[1], state.last_point_turn = (int(header[at]) for at in range(1, 5))
    state.bee = state.turn // PLAYERS % bees
    for word in header[5].split(", ")[1:]:
        name, _, number = word.partition(" ")
        if name in ("winner", "forfeited") and number:
            state[name] = int(number)
        elif name in FLAGS and not number:
            state[name] = 1
        else:
            raise BadRecord(
                f"unknown word {word!r} in the header of a hive drawing",
                hint=f"known: {', '.join(FLAGS)}, winner N, forfeited N",
            )


def draw_view(view: Any) -> str:
    """Draws the window as the bot sees it: bees have no names there, so `A` is any bee of player 0."""
    names = {**GLYPHS, BEE: "A", BEE + 1: "a", CARRIER: "A*", CARRIER + 1: "a*"}
    head = f"turn {view.turn}, player {view.player}, bee {view.bee} at row {view.row}, column {view.col}"
    rows = ["".join(f"{names[int(code)]:2}" for code in row).rstrip() for row in view.window]
    return "\n".join([head, *rows])
