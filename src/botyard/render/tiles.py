"""This module draws shapes with Pillow: much larger than wanted, then scaled down, so that edges are smooth."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cache
from itertools import pairwise
from typing import Any

from PIL import Image, ImageDraw, ImageFont

from botyard.render.shapes import Point, Shape
from botyard.render.sprites import SIDE

FINEST = 192  # pixels of a cell before it is scaled down, at least
LEAST_FACTOR = 4
FONTS = ("DejaVuSans-Bold.ttf", "DejaVuSans.ttf")  # bold and plain; many machines have them, and most letters


@cache
def font(size: int, bold: bool = False) -> Any:
    """Returns a font of the machine that has many letters, or the one that comes with Pillow."""
    try:
        return ImageFont.truetype(FONTS[0 if bold else 1], size)
    except OSError:
        return ImageFont.load_default(size)


def drawn_tile(shapes: Iterable[Shape], size: int) -> Image.Image:
    """Returns shapes as a square picture of this many pixels. What they leave free stays transparent."""
    factor = max(LEAST_FACTOR, math.ceil(FINEST / size))
    large = Image.new("RGBA", (size * factor, size * factor), (0, 0, 0, 0))
    pen = ImageDraw.Draw(large)
    for shape in shapes:
        draw_shape(pen, shape, size * factor / SIDE)
    # Transparent pixels are black: they must not darken an edge, so colours count by their opacity.
    return large.convert("RGBa").reduce(factor).convert("RGBA")


def draw_shape(pen: ImageDraw.ImageDraw, shape: Shape, scale: float) -> None:
    points = [(x * scale, y * scale) for x, y in shape.points]
    if shape.kind == "polygon":
        pen.polygon([(x - 0.5, y - 0.5) for x, y in points], fill=shape.colour)
    elif shape.kind == "circle":
        draw_disc(pen, points[0], shape.size * scale, shape.colour)
    elif shape.kind == "line":
        draw_line(pen, points, shape.size * scale, shape.colour)
    else:
        pen.text(points[0], shape.text, fill=shape.colour, font=font(round(shape.size * scale), True), anchor="mm")


def draw_disc(pen: ImageDraw.ImageDraw, at: Point, radius: float, colour: str) -> None:
    x, y = at
    pen.ellipse([x - radius, y - radius, x + radius - 1, y + radius - 1], fill=colour)


def draw_line(pen: ImageDraw.ImageDraw, points: list[Point], width: float, colour: str) -> None:
    for (x1, y1), (x2, y2) in pairwise(points):
        length = math.hypot(x2 - x1, y2 - y1) or 1
        dx, dy = (y2 - y1) / length * width / 2, (x1 - x2) / length * width / 2
        corners = [(x1 + dx, y1 + dy), (x2 + dx, y2 + dy), (x2 - dx, y2 - dy), (x1 - dx, y1 - dy)]
        pen.polygon([(x - 0.5, y - 0.5) for x, y in corners], fill=colour)
    for point in points:
        draw_disc(pen, point, width / 2, colour)
