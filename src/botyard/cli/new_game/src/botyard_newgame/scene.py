"""New game as people see it: a board as text that parses back, and pictures for the terminal and the viewers.

    tick 3, scores 1-0
    . A . *
    . . . .
    * . B .

`A` and `B` are the walkers, `@` both of them on one cell, `*` is a coin. Tests draw their boards like this.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from botyard.kernel.errors import BadRecord
from botyard.kernel.records import Record, record_of
from botyard.kernel.rule import rule
from botyard.kernel.scene import Key, KeyPad, PictureSize, Tile, Words
from botyard_newgame.layout import COIN, PLAYERS, WALKER, layouts, make_arena, validate
from botyard_newgame.settings import NewgameSettings

WALKERS = "AB"
VIEW_GLYPHS = ".*AB@?"  # by code: empty, coin, walkers, both, unseen
HEADLINE = re.compile(r"tick (\d+), scores (\d+)-(\d+)(, over)?(?:, player ([01]) gave up)?")


def draw(arena: Any, state: Any) -> str:
    """Returns all of a state but its chance, as text."""
    return "\n".join([headline(state), *(" ".join(row) for row in glyphs(state))])


def headline(state: Any) -> str:
    words = f"tick {state.tick}, scores {state.scores[0]}-{state.scores[1]}"
    words += ", over" if state.over else ""
    return words + (f", player {state.forfeited} gave up" if state.forfeited >= 0 else "")


def glyphs(state: Any) -> list[list[str]]:
    """Returns the glyphs of the board, cell by cell."""
    board = [["*" if code == COIN else "." for code in row] for row in state.cells]
    for player in range(PLAYERS):
        row, col = state.walkers[player]
        board[row][col] = "@" if board[row][col] in WALKERS else WALKERS[player]
    return board


def parse(text: str, settings: NewgameSettings | None = None) -> tuple[NewgameSettings, NDArray[Any]]:
    """Returns settings and a state from a drawing. The size and the coins are the drawing's, all else is as given."""
    lines = [line.strip() for line in text.strip().splitlines()]
    head = HEADLINE.fullmatch(lines[0]) if lines else None
    board = [line.split() for line in (lines[1:] if head else lines)]
    everything = [cell for row in board for cell in row]
    if not board or len({len(row) for row in board}) != 1 or not set(everything) <= set(VIEW_GLYPHS[:-1]):
        raise BadRecord("not a drawing of newgame", hint="rows of equal length, a blank between cells: `. A * B`")
    size = {"rows": len(board), "cols": len(board[0]), "coins": everything.count("*")}
    fitting = replace(settings or NewgameSettings(), **size)
    states = np.zeros(1, layouts(fitting).state)
    state = record_of(states)
    fill(state, board)
    read_headline(state, head)
    validate(record_of(make_arena(fitting)), state)
    return fitting, states


def fill(state: Any, board: list[list[str]]) -> None:
    for row, line in enumerate(board):
        for col, cell in enumerate(line):
            state.cells[row, col] = COIN if cell == "*" else 0
            for player in range(PLAYERS):
                if cell in (WALKERS[player], "@"):
                    state.walkers[player] = row, col


def read_headline(state: Any, head: re.Match[str] | None) -> None:
    state.forfeited = -1
    if head:
        state.tick, state.scores[0], state.scores[1] = (int(head[at]) for at in (1, 2, 3))
        state.over, state.forfeited = bool(head[4]), int(head[5] or -1)


def draw_view(view: Any) -> str:
    """Returns what one seat sees as text, for golden playthroughs and debuggers."""
    rows = [" ".join(VIEW_GLYPHS[code] for code in row) for row in view.cells]
    return "\n".join([f"tick {view.tick}, player {view.player} at row {view.row}, column {view.col}", *rows])


# Pictures: all viewers draw them, so a game looks the same in a terminal, in a browser and in a film.


def palette(arena: Any) -> tuple[Tile, ...]:
    """Returns the tiles, here in the order of a view's codes: glyph, name and style. Viewers choose the colours."""
    return (
        Tile(".", "floor", "empty", "ground"),
        Tile("*", "coin", "food"),
        *(Tile(letter, "walker", "seat", seat=player) for player, letter in enumerate(WALKERS)),
        Tile("@", "both walkers", "danger"),
        Tile("?", "unseen", "unknown", "unseen"),
    )


def picture_size(arena: Any) -> PictureSize:
    return PictureSize(int(arena.rows), int(arena.cols), PLAYERS)


@rule
def picture(arena: Record, state: Record, grid: Record, pieces: Record) -> int:
    """Fills the grid with what lies on each cell; what moves as an individual is a piece, and glides."""
    for row in range(arena.rows):
        for col in range(arena.cols):
            grid[row, col] = state.cells[row, col]
    for player in range(PLAYERS):
        piece = pieces[player]
        piece.id = player
        piece.row = state.walkers[player, 0]
        piece.col = state.walkers[player, 1]
        piece.tile = WALKER + player
    return PLAYERS


@rule
def seat_picture(arena: Record, view: Record, grid: Record, pieces: Record) -> int:
    """Shows what one seat sees, from its view alone; a game that hides nothing needs no such rule."""
    for row in range(arena.rows):
        for col in range(arena.cols):
            grid[row, col] = view.cells[row, col]
    return 0


def words(arena: Any, state: Any) -> Words:
    """Returns what is said beside the board: the points of each seat first, and what else is worth telling."""
    gave_up = int(state.forfeited)
    return Words(
        headline=f"tick {state.tick}",
        numbers={"points": tuple(state.scores.tolist())},
        conditions=tuple("gave up" if player == gave_up else "" for player in range(PLAYERS)),
        out=frozenset({gave_up} - {-1}),
    )


# How a person plays: keys as browsers name them, the label of a touch button, its order, its row and column.
KEYS = KeyPad(
    (
        Key(("ArrowUp", "w"), "↑", ("up",), 0, 1),
        Key(("ArrowLeft", "a"), "←", ("left",), 1, 0),
        Key((" ",), "·", ("stay",), 1, 1),
        Key(("ArrowRight", "d"), "→", ("right",), 1, 2),
        Key(("ArrowDown", "s"), "↓", ("down",), 2, 1),
    )
)
