"""A scene is what people are shown of a game, whatever its protocol. The terminal and the pages draw it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mark:
    """One cell of the board: a glyph of one or two columns, and the name of a style such as `seat0`, `food`, `wall`."""

    glyph: str
    style: str


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture of a game: a headline, a line per seat, a board, and what its glyphs mean."""

    headline: str
    rows: tuple[tuple[Mark, ...], ...]
    seats: tuple[str, ...]  # for example "3 points", by seat
    legend: tuple[tuple[Mark, str], ...]
