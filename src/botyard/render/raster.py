"""This module paints ticks of a game as pixels, with Pillow: each kind of cell is drawn once and then copied."""

from __future__ import annotations

import io
import math
from collections import defaultdict
from functools import lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageColor, ImageDraw

from botyard.games.picture import Picture
from botyard.kernel.scene import Tile
from botyard.render.caption import Caption, letter_size
from botyard.render.footage import Shot
from botyard.render.shapes import badge_shapes, shapes_of
from botyard.render.themes import Theme
from botyard.render.tiles import drawn_tile, font

SMALLEST_CELL = 4  # pixels
LEGIBLE = 20  # pixels of a cell from which on the number of a piece is written on it

Pixels = NDArray[np.uint8]
Layer = tuple[int, int]  # a tile, and the number that is written on it


class Atlas:
    """Every cell that is seen, drawn once: a tile of the grid, and the pieces that stand on it in order."""

    def __init__(self, palette: tuple[Tile, ...], sprites: dict[str, Any], theme: Theme, size: int) -> None:
        self.size = size
        self._palette, self._sprites, self._theme = palette, sprites, theme
        self._numbers: dict[tuple[Layer, ...], int] = {}
        self._drawn: list[Pixels] = []
        self._stamps: dict[Layer, Image.Image] = {}
        self._of_tile = np.full(len(palette), -1, np.int32)
        self._stacked: Pixels = np.zeros((0, size, size, 3), np.uint8)

    def cells(self, picture: Picture) -> NDArray[np.int32]:
        """Returns for every cell of a board the number of its drawing."""
        cells: NDArray[np.int32] = self._of_tile[picture.grid]
        if cells.min() < 0:
            for tile in np.unique(picture.grid[cells < 0]).tolist():
                self._of_tile[tile] = self._number(((tile, 0),))
            cells = self._of_tile[picture.grid]
        standing: dict[tuple[int, int], list[Layer]] = defaultdict(list)
        for _, number, row, col, tile, _ in picture.pieces.tolist():
            standing[row, col].append((tile, number))
        for (row, col), layers in standing.items():
            cells[row, col] = self._number(((int(picture.grid[row, col]), 0), *layers))
        return cells

    def pixels(self) -> Pixels:
        """Returns all drawings so far, by number."""
        if len(self._stacked) < len(self._drawn):
            self._stacked = np.stack(self._drawn)
        return self._stacked

    def _number(self, layers: tuple[Layer, ...]) -> int:
        number = self._numbers.get(layers)
        if number is None:
            number = self._numbers[layers] = len(self._drawn)
            cell = Image.new("RGBA", (self.size, self.size), self._theme.colours["ground"])
            for layer in layers:
                cell.alpha_composite(self._stamp(layer))
            self._drawn.append(np.asarray(cell.convert("RGB")))
        return number

    def _stamp(self, layer: Layer) -> Image.Image:
        if layer not in self._stamps:
            tile, number = layer
            stamp = drawn_tile(shapes_of(self._palette[tile], self._sprites, self._theme), self.size)
            if number > 0 and self.size >= LEGIBLE:
                self._write(stamp, str(number))
            self._stamps[layer] = stamp
        return self._stamps[layer]

    def _write(self, stamp: Image.Image, number: str) -> None:
        colours, size = self._theme.colours, self.size
        pen, style = ImageDraw.Draw(stamp), font(max(9, round(size * 0.38)), True)
        place = (size - 2, size - 1)
        ring = max(1, size // 24)
        pen.text(place, number, colours["paper"], style, anchor="rd", stroke_width=ring, stroke_fill=colours["ink"])


def assembled(drawings: NDArray[Any], cells: NDArray[np.int32]) -> NDArray[Any]:
    """Returns a board of drawings; pixels may be colours or numbers of a palette."""
    rows, cols = cells.shape
    size = drawings.shape[1]
    board = drawings[cells].swapaxes(1, 2)
    return board.reshape(rows * size, cols * size, *drawings.shape[3:])


@lru_cache(maxsize=1024)
def text_width(size: int, text: str, bold: bool) -> float:
    return float(font(size, bold).getlength(text))


@lru_cache(maxsize=1024)
def written_text(size: int, text: str, bold: bool) -> Pixels:
    """Returns a text as shares of its colour. Most of a caption stays the same from tick to tick, so it is kept."""
    height = 2 * size
    mask = Image.new("L", (max(math.ceil(text_width(size, text, bold)), 1), height))
    ImageDraw.Draw(mask).text((0, height / 2), text, 255, font(size, bold), anchor="lm")
    return np.asarray(mask)


class Easel:
    """Paints the ticks of one game: a caption, and the board below it."""

    def __init__(self, head: dict[str, Any], theme: Theme, size: int) -> None:
        """`size` is about how many pixels the longer side of the board gets."""
        cell = max(size // max(head["rows"], head["cols"]), SMALLEST_CELL)
        self.theme = theme
        self.atlas = Atlas(tuple(Tile(*row) for row in head["palette"]), head["sprites"], theme, cell)
        width = head["cols"] * cell
        letter = letter_size(width)
        self.caption = Caption(head, width, letter, partial(text_width, letter))
        self.size = width, head["rows"] * cell + self.caption.height
        self._badges = [
            (drawn_tile(badge_shapes(badge.seat, theme), round(badge.side)), (round(badge.x), round(badge.y)))
            for badge in self.caption.badges()
        ]

    def painted(self, shot: Shot) -> Image.Image:
        cells = self.atlas.cells(shot.frame.picture)
        page, text = (np.array(ImageColor.getrgb(self.theme.colours[name])) for name in ("page", "text"))
        shares = self.written(shot)[..., None] / 255
        head = self.badges_on(np.rint(page + (text - page) * shares).astype(np.uint8))
        return Image.fromarray(np.concatenate([head, assembled(self.atlas.pixels(), cells)]))

    def written(self, shot: Shot) -> Pixels:
        """Returns how much each pixel of the caption has of the colour of text: 0 to 255."""
        height = self.caption.height
        shares: Pixels = np.zeros((height, self.size[0]), np.uint8)
        for label in self.caption.labels(shot.frame.words, shot.tick):
            text = written_text(self.caption.size, label.text, label.bold)
            left = max(round(label.x) - (text.shape[1] if label.ends else 0), 0)
            top = max(round(label.y - text.shape[0] / 2), 0)
            place = shares[top : top + text.shape[0], left : left + text.shape[1]]
            np.maximum(place, text[: place.shape[0], : place.shape[1]], out=place)
        return shares

    def badges_on(self, caption: Pixels) -> Pixels:
        """Returns a caption with the signs of the seats."""
        picture = Image.fromarray(caption)
        for sign, place in self._badges:
            picture.paste(sign, place, sign)
        return np.asarray(picture)


def png_of(easel: Easel, shot: Shot) -> bytes:
    """Returns a tick as a PNG file."""
    file = io.BytesIO()
    easel.painted(shot).save(file, "PNG", optimize=True)
    return file.getvalue()
