"""This module draws a board into the room that a terminal has.

A cell has two columns where all of the board fits so, else one. What does not fit is shown through a window, which
follows what moves: every sign can still be read. Whoever wants to see all of it gets it smaller: half a character for a
cell, by colours alone; or a mosaic, in which a character stands for several cells and shows the most important one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.cells import set_cell_size
from rich.color import Color
from rich.segment import Segment
from rich.style import Style

from botyard.kernel.scene import NOBODY, Tile
from botyard.render.terminal import style_of

UPPER, LOWER, EDGE, SHADE = "▀", "▄", "│", "░"
IMPORTANCE = ("unknown", "empty", "wall", "trail", "home", "food", "item", "danger", "seat")  # the least first
SHADED = {"unknown": "bright_black"}


@dataclass(frozen=True, slots=True)
class Space:
    """Columns and rows of a terminal, and what can be shown there."""

    cols: int
    rows: int
    ascii: bool = False
    colours: bool = True


@dataclass(slots=True)
class Window:
    """The part of a board that is seen. It moves only when what it follows comes near its edge, and so seldom jumps."""

    row: int = 0
    col: int = 0

    def follow(self, at: tuple[int, int], size: tuple[int, int], board: tuple[int, int]) -> None:
        self.row = followed(self.row, at[0], size[0], board[0])
        self.col = followed(self.col, at[1], size[1], board[1])


def followed(start: int, at: int, size: int, board: int) -> int:
    """Returns where a window begins, along one side of the board."""
    if size >= board:
        return 0
    margin = size // 4
    start = max(min(start, at - margin), at + margin - size + 1)
    return max(0, min(start, board - size))


def fits(shape: tuple[int, ...], room: Space) -> bool:
    """Whether every cell of a board can have a character of its own."""
    return shape[0] <= room.rows and shape[1] <= room.cols


def glyph_of(tile: Tile, ascii_only: bool) -> str:
    """Returns the sign of a tile; what is unknown is shaded where it has none."""
    if tile.style == "unknown" and not tile.glyph.strip() and not ascii_only:
        return SHADE * 2
    return tile.plain if ascii_only else tile.glyph


class BoardPainter:
    """Draws the boards of one palette. Lines are as long as the drawing is wide."""

    def __init__(self, palette: Sequence[Tile]) -> None:
        self.palette = palette
        self._styles = [Style.parse(style_of(tile) or SHADED.get(tile.style, "")) for tile in palette]
        self._ranks = np.array([IMPORTANCE.index(tile.style) for tile in palette])
        self._seats = np.array([tile.seat if tile.style == "seat" else NOBODY for tile in palette])
        self._alike = [self._styles.index(style) for style in self._styles]  # so that neighbours are written at once
        self.window = Window()
        self.seen = ""  # what the window showed last, in words; empty: all of the board

    def paint(
        self, cells: NDArray[np.uint16], room: Space, whole: bool = False, seat: int | None = None
    ) -> list[list[Segment]]:
        """Returns the board if it fits; otherwise a window onto it, or the `whole` of it made smaller.

        The window follows a seat, or all of them if that is None.
        """
        self.seen = ""
        rows, cols = cells.shape
        if fits(cells.shape, room):
            return self._glyphs(cells, 2 if 2 * cols <= room.cols else 1, room.ascii)
        if whole and room.colours and not room.ascii and fits((-(-rows // 2), cols + 1), room):
            return self._halves(cells)
        if whole:
            return self._glyphs(self._mosaic(cells, room), 1, room.ascii)
        width = 2 if 2 * cols <= room.cols else 1
        size = min(rows, room.rows), min(cols, room.cols // width)
        self.window.follow(self._focus(cells, seat, size), size, (rows, cols))
        row, col = self.window.row, self.window.col
        self.seen = f"rows {row} to {row + size[0] - 1} of {rows}" if size[0] < rows else ""
        if size[1] < cols:
            self.seen += f"{', ' if self.seen else ''}columns {col} to {col + size[1] - 1} of {cols}"
        return self._glyphs(cells[row : row + size[0], col : col + size[1]], width, room.ascii)

    def _glyphs(self, cells: NDArray[Any], width: int, ascii_only: bool) -> list[list[Segment]]:
        signs = [set_cell_size(glyph_of(tile, ascii_only), width) for tile in self.palette]
        return [
            [
                Segment("".join(signs[tile] for tile in run), self._styles[number])
                for number, run in groupby(row, key=self._alike.__getitem__)
            ]
            for row in cells.tolist()
        ]

    def _halves(self, cells: NDArray[Any]) -> list[list[Segment]]:
        rows, cols = cells.shape
        blank = np.full((1, cols), -1)
        padded = np.concatenate([cells.astype(int), blank]) if rows % 2 else cells.astype(int)
        lines = []
        for upper, lower in zip(padded[::2].tolist(), padded[1::2].tolist(), strict=True):
            pairs = groupby(zip(upper, lower, strict=True))
            halves = [self._half(pair, len(list(run))) for pair, run in pairs]
            lines.append([*halves, Segment(EDGE, Style.parse("bright_black"))])  # empty cells leave no trace
        return lines

    def _half(self, pair: tuple[int, int], times: int) -> Segment:
        above, below = (self._colour(tile) for tile in pair)
        if above is None and below is None:
            return Segment(" " * times, Style())
        if above is None:
            return Segment(LOWER * times, Style(color=below))
        return Segment(UPPER * times, Style(color=above, bgcolor=below))

    def _colour(self, tile: int) -> Color | None:
        if tile < 0 or self.palette[tile].style in ("empty", "unknown"):
            return None
        return self._styles[tile].color or Color.parse("white")

    def _mosaic(self, cells: NDArray[Any], room: Space) -> NDArray[Any]:
        """Returns a smaller board: of each block of cells the most important one, the first of its kind."""
        rows, cols = cells.shape
        wide = max(-(-cols // room.cols), -(-rows // (2 * room.rows)))
        return np.array(
            [
                [self._foremost(cells[row : row + 2 * wide, col : col + wide].ravel()) for col in range(0, cols, wide)]
                for row in range(0, rows, 2 * wide)
            ]
        )

    def _foremost(self, block: NDArray[Any]) -> int:
        return int(block[self._ranks[block].argmax()])

    def _focus(self, cells: NDArray[Any], seat: int | None, size: tuple[int, int]) -> tuple[int, int]:
        """The middle of what is followed; where that does not fit into the window, of its first seat."""
        whose = self._seats[cells]
        here = whose == seat if seat is not None and (whose == seat).any() else whose != NOBODY
        at = np.argwhere(here)
        if not len(at):
            return cells.shape[0] // 2, cells.shape[1] // 2
        if seat is None and ((at.max(0) - at.min(0)) >= size).any():
            at = np.argwhere(whose == whose[here].min())
        middle = (at.max(0) + at.min(0)) // 2
        return int(middle[0]), int(middle[1])
