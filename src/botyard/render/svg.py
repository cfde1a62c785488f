"""A tick of a game as one SVG document: no script, nothing from elsewhere, and words for those who cannot see it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any
from unicodedata import east_asian_width
from xml.sax.saxutils import escape

from botyard.kernel.plain import clean
from botyard.kernel.scene import Tile
from botyard.render.caption import Caption, letter_size
from botyard.render.footage import Shot
from botyard.render.shapes import Shape, badge_shapes, shapes_of
from botyard.render.sprites import SIDE
from botyard.render.themes import Theme

FONT = "system-ui, 'DejaVu Sans', sans-serif"
LETTER = 0.62  # a letter's usual width by its height; nobody can measure a text before it is shown
WIDE = 1.0


def svg_of(head: dict[str, Any], shot: Shot, theme: Theme, size: int = 480, prefix: str = "") -> str:
    """Returns a picture, about `size` pixels wide. Pages that hold several give each of them a prefix for its names."""
    scale = size / (SIDE * max(head["rows"], head["cols"]))
    width, height = round(head["cols"] * SIDE * scale), round(head["rows"] * SIDE * scale)
    caption = Caption(head, width, letter_size(width), estimated(letter_size(width)))
    whole = caption.height + height
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {whole}" width="{width}" height="{whole}" '
            f'role="img" aria-labelledby="{prefix}title {prefix}desc" font-family="{FONT}">',
            *spoken(head, shot, prefix),
            f'<rect width="{width}" height="{whole}" fill="{theme.colours["page"]}"/>',
            *caption_parts(caption, shot, theme),
            f'<g transform="translate(0 {caption.height}) scale({scale:.6g})">',
            *board_parts(head, shot, theme, prefix),
            "</g>",
            "</svg>\n",
        ]
    )


def estimated(size: int) -> Any:
    def measure(text: str, bold: bool) -> float:
        letters = sum(WIDE if east_asian_width(sign) in "WF" else LETTER for sign in text)
        return letters * size * (1.06 if bold else 1)

    return measure


def spoken(head: dict[str, Any], shot: Shot, prefix: str) -> Iterator[str]:
    """Yields what a screen reader says."""
    words, names = shot.frame.words, head["names"]
    yield f'<title id="{prefix}title">{escape(clean(head["title"]))}, tick {shot.tick}</title>'
    told = [f"A board of {head['rows']} rows and {head['cols']} columns."]
    if words is None:
        told.append(f"What {names[head['seat']]} saw.")
    else:
        told += [f"{words.headline}.", *(f"{name}: {words.line(seat)}." for seat, name in enumerate(names))]
    yield f'<desc id="{prefix}desc">{escape(clean(" ".join(told)))}</desc>'


def caption_parts(caption: Caption, shot: Shot, theme: Theme) -> Iterator[str]:
    for badge in caption.badges():
        place = f"translate({badge.x:g} {badge.y:g}) scale({badge.side / SIDE:.6g})"
        yield f'<g transform="{place}">{"".join(map(element, badge_shapes(badge.seat, theme)))}</g>'
    yield f'<g font-size="{caption.size}" fill="{theme.colours["text"]}">'
    for label in caption.labels(shot.frame.words, shot.tick):
        weight = ' font-weight="bold"' if label.bold else ""
        anchor = ' text-anchor="end"' if label.ends else ""
        baseline = label.y + 0.35 * caption.size
        yield f'<text x="{label.x:g}" y="{baseline:g}"{weight}{anchor}>{escape(label.text)}</text>'
    yield "</g>"


def board_parts(head: dict[str, Any], shot: Shot, theme: Theme, prefix: str) -> Iterator[str]:
    """Yields the tiles that are seen as symbols, then every cell and piece as a use of one."""
    picture = shot.frame.picture
    rows, cols = picture.grid.shape
    used = sorted({*picture.grid.ravel().tolist(), *picture.pieces["tile"].tolist()})
    yield f'<rect width="{cols * SIDE}" height="{rows * SIDE}" fill="{theme.colours["ground"]}"/>'
    for number in used:
        shapes = shapes_of(Tile(*head["palette"][number]), head["sprites"], theme)
        yield f'<symbol id="{prefix}t{number}" overflow="visible">{"".join(map(element, shapes))}</symbol>'
    for row, numbers in enumerate(picture.grid.tolist()):
        yield "".join(use(prefix, tile, row, col) for col, tile in enumerate(numbers))
    for piece in picture.pieces:
        yield use(prefix, piece["tile"], piece["row"], piece["col"])
    yield from figures(picture.pieces, theme)


def use(prefix: str, tile: int, row: int, col: int) -> str:
    return f'<use href="#{prefix}t{tile}" x="{col * SIDE}" y="{row * SIDE}"/>'


def figures(pieces: Iterable[Any], theme: Theme) -> Iterator[str]:
    """Yields the numbers that stand on pieces."""
    style = f'font-size="24" font-weight="bold" text-anchor="end" fill="{theme.colours["paper"]}"'
    around = f'stroke="{theme.colours["ink"]}" stroke-width="6" paint-order="stroke" stroke-linejoin="round"'
    for piece in pieces:
        if piece["number"] > 0:
            x, y = (int(piece["col"]) + 1) * SIDE - 4, (int(piece["row"]) + 1) * SIDE - 5
            yield f'<text x="{x}" y="{y}" {style} {around}>{piece["number"]}</text>'


def element(shape: Shape) -> str:
    x, y = shape.points[0]
    points = " ".join(f"{x:.4g},{y:.4g}" for x, y in shape.points)
    if shape.kind == "circle":
        return f'<circle cx="{x:.4g}" cy="{y:.4g}" r="{shape.size:.4g}" fill="{shape.colour}"/>'
    if shape.kind == "polygon":
        return f'<polygon points="{points}" fill="{shape.colour}"/>'
    if shape.kind == "line":
        ends = 'fill="none" stroke-linecap="round" stroke-linejoin="round"'
        return f'<polyline points="{points}" stroke="{shape.colour}" stroke-width="{shape.size:.4g}" {ends}/>'
    style = f'font-size="{shape.size:.4g}" font-weight="bold" text-anchor="middle" dominant-baseline="central"'
    return f'<text x="{x:.4g}" y="{y:.4g}" {style} fill="{shape.colour}">{escape(clean(shape.text))}</text>'
