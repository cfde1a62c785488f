"""The shapes of a tile, ready to be drawn: turned, coloured by a theme, and with the sign of its seat.

Whatever draws tiles draws these shapes in their order over the plain colour "ground".
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, Literal, NamedTuple

from botyard.kernel.scene import NOBODY, Tile
from botyard.render.sprites import SIDE
from botyard.render.themes import Theme

EMBLEMS = "emblems.json"
GLYPH_SIZE = 44

Point = tuple[float, float]


class Shape(NamedTuple):
    """Something to be drawn in a square of 64 units."""

    kind: Literal["polygon", "circle", "line", "glyph"]
    colour: str  # "#rrggbb"
    points: tuple[Point, ...]  # corners, or a centre
    size: float = 0  # a radius, the width of a line, the height of a glyph
    text: str = ""  # of a glyph


@cache
def emblems() -> list[Any]:
    """The signs of seats, each as a sprite; seat 8 has that of seat 0 again, in another colour."""
    return list(json.loads((resources.files(__package__) / EMBLEMS).read_text(encoding="utf-8")))


def shapes_of(tile: Tile, sprites: Mapping[str, Any], theme: Theme) -> list[Shape]:
    """Returns how a tile looks. One that has no sprite is its glyph."""
    name, _, turns = tile.sprite.partition("/")
    if name not in sprites:
        return glyph_shapes(tile, theme)
    turn = int(turns or 0)
    return [turned(shape, turn) for shape in coloured(sprites[name], theme, tile.seat, turn, tile.style)]


def glyph_shapes(tile: Tile, theme: Theme) -> list[Shape]:
    text = tile.glyph.strip()
    colour = theme.colour("own" if tile.seat != NOBODY else "text", tile.seat)
    return [Shape("glyph", colour, ((SIDE / 2, SIDE / 2),), GLYPH_SIZE, text)] if text else []


def emblem_shapes(seat: int, theme: Theme, x: float, y: float, radius: float, turns: int = 0) -> Iterator[Shape]:
    """Yields the sign of a seat around a place. It is turned back, so that it stands upright on a sprite that turns."""
    signs = emblems()
    scale = 2 * radius / SIDE
    for sign in coloured(signs[seat % len(signs)], theme, seat):
        shape = turned(sign, -turns % 4)
        points = tuple((x + (px - SIDE / 2) * scale, y + (py - SIDE / 2) * scale) for px, py in shape.points)
        yield shape._replace(points=points, size=shape.size * scale)


def coloured(
    sprite: Iterable[Sequence[Any]], theme: Theme, seat: int, turns: int = 0, style: str = ""
) -> Iterator[Shape]:
    for kind, *rest in sprite:
        if kind == "emblem":
            x, y, radius = rest
            yield from emblem_shapes(seat, theme, x, y, radius, turns) if seat != NOBODY else ()
            continue
        colour = theme.colour(rest[0], seat, style)
        if kind == "circle":
            yield Shape("circle", colour, ((rest[1], rest[2]),), rest[3])
        elif kind == "line":
            yield Shape("line", colour, pairs(rest[2]), rest[1])
        else:
            yield Shape("polygon", colour, pairs(rest[1]))


def pairs(numbers: Sequence[float]) -> tuple[Point, ...]:
    return tuple(zip(numbers[::2], numbers[1::2], strict=True))


def turned(shape: Shape, turns: int) -> Shape:
    """Returns a shape after some quarter turns clockwise around the middle of the square."""
    points = shape.points
    for _ in range(turns):
        points = tuple((SIDE - y, x) for x, y in points)
    return shape._replace(points=points)


BADGE = pairs(
    (14, 0, 50, 0, 57, 2, 62, 7, 64, 14, 64, 50, 62, 57, 57, 62, 50, 64, 14, 64, 7, 62, 2, 57, 0, 50, 0, 14, 2, 7, 7, 2)
)
"""A square with round corners."""


def badge_shapes(seat: int, theme: Theme) -> list[Shape]:
    """Returns the sign of a seat on its colour, for lists of names."""
    field = Shape("polygon", theme.colour("own", seat), BADGE)
    return [field, *emblem_shapes(seat, theme, SIDE / 2, SIDE / 2, 20)]
