"""A scene: what people are shown of a game, free of any protocol. The terminal and the pages draw it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mark:
    """One cell: a glyph of one or two columns, and the name of a style (`seat0`, `food`, `wall`, `home0`, `empty`)."""

    glyph: str
    style: str


@dataclass(frozen=True, slots=True)
class Scene:
    """A board, a headline, a line per seat, and what the glyphs mean."""

    headline: str
    rows: tuple[tuple[Mark, ...], ...]
    seats: tuple[str, ...]  # for example "3 points", by seat
    legend: tuple[tuple[Mark, str], ...]
