"""What people are shown of a game, whatever its protocol: pictures, words and keys.

A picture is a grid of palette numbers, and pieces that move over it. A game makes it by a rule (`ScenePart.picture`);
terminals, pages and films are all made from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from botyard.kernel.records import layout

TileStyle = Literal["empty", "wall", "food", "danger", "item", "unknown", "seat", "home", "trail"]
"""What a tile is like. Tiles of the last three belong to a seat and have its colour.

Where a seat's view does not say which seat it is, tiles of its own belong to NOBODY: they are of whoever sees them.
"""

NOBODY = -1
"""The seat of a tile, a mark or a phrase that belongs to no seat."""

PIECE = layout(
    [
        ("id", "i4"),  # the same through all its life, and of no other piece at the same time
        ("number", "i4"),  # shown with it, such as the time left; 0: none
        ("row", "i2"),
        ("col", "i2"),
        ("tile", "u2"),
        ("spare", "u1", (2,)),
    ]
)
"""What moves as an individual, so that a viewer can let it glide."""


@dataclass(frozen=True, slots=True)
class Tile:
    """One entry of a palette: how something on a cell looks, and what it is called."""

    glyph: str  # in a terminal: one or two columns
    name: str  # in words: "bee", "wall"; tiles of one name share an entry of the legend
    style: TileStyle
    sprite: str = ""  # its drawing: "NAME" or "NAME/QUARTER TURNS"; empty: the glyph is drawn
    seat: int = NOBODY
    ascii: str = ""  # the glyph for terminals that only have ASCII; empty: the glyph itself
    listed: bool = True  # in the legend; tiles that only seats' views have explain themselves

    @property
    def plain(self) -> str:
        return self.ascii or self.glyph


@dataclass(frozen=True, slots=True)
class PictureSize:
    """How much room the picture of an arena takes."""

    rows: int
    cols: int
    pieces: int = 0  # at most


def picture_arrays(size: PictureSize) -> tuple[NDArray[np.uint16], NDArray[Any]]:
    """Returns a grid and pieces for a picture to be made in."""
    return np.zeros((size.rows, size.cols), np.uint16), np.zeros(size.pieces, PIECE)


@dataclass(frozen=True, slots=True)
class Words:
    """What is said about a position: a headline, for each seat its figures by name, and its condition in a phrase."""

    headline: str
    numbers: Mapping[str, tuple[int, ...]]  # "points", "length", "health" …: a value per seat; "points" comes first
    conditions: tuple[str, ...]  # by seat, without the figures: "asleep", "carries a weapon"; often empty
    out: frozenset[int] = frozenset()  # the seats that are dead, or have forfeited
    round_number: int = 0  # of games in several rounds
    steady: int = 0  # points that every tick brings by itself, so that they are no moment worth going to

    def line(self, seat: int) -> str:
        """All that is said of a seat."""
        told = [f"{name} {values[seat]}" for name, values in self.numbers.items()]
        return ", ".join([*told, *filter(None, [self.conditions[seat]])])


@dataclass(frozen=True, slots=True)
class Scene:
    """A board as a terminal shows it: a headline, a line per seat, rows of tiles, and the tiles of the legend."""

    headline: str
    seats: tuple[str, ...]
    rows: tuple[tuple[Tile, ...], ...]
    legend: tuple[Tile, ...]


# People at the board


@dataclass(frozen=True, slots=True)
class Key:
    """What a person presses, with its place among the touch buttons, and the order it gives in each mode."""

    names: tuple[str, ...]  # as browsers name keys: "ArrowUp", "w"; the first is shown
    label: str  # on the touch button: "↑"
    orders: tuple[str, ...]  # by mode; empty: none in this mode
    row: int = 0
    col: int = 0


@dataclass(frozen=True, slots=True)
class Mode:
    """What the keys mean for the moment: "move" or "forage". The first mode of a pad needs no key."""

    label: str
    hold: str = ""  # a modifier that is held down in a browser: "Shift", "Alt", "Control"
    tap: str = ""  # a key that chooses the mode for the next order, for terminals and touch


@dataclass(frozen=True, slots=True)
class KeyPad:
    """How a person plays a game."""

    keys: tuple[Key, ...]
    modes: tuple[Mode, ...] = field(default=(Mode("play"),))


COMPASS = (
    ("NW", "↖", ("q",), (0, 0)),
    ("N", "↑", ("ArrowUp", "w"), (0, 1)),
    ("NE", "↗", ("e",), (0, 2)),
    ("W", "←", ("ArrowLeft", "a"), (1, 0)),
    ("E", "→", ("ArrowRight", "d"), (1, 2)),
    ("SW", "↙", ("z",), (2, 0)),
    ("S", "↓", ("ArrowDown", "x"), (2, 1)),
    ("SE", "↘", ("c",), (2, 2)),
)
"""Eight directions around the key s, each with its label, its keys and its place."""


def compass_keys(*orders: str) -> tuple[Key, ...]:
    """Returns the keys of a game with eight directions; `orders` are by mode, with {} for the direction."""
    return tuple(
        Key(names, label, tuple(order.format(to) for order in orders), *place) for to, label, names, place in COMPASS
    )
