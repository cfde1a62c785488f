"""A film is a game to look at: every board from the first to the last, and what is said about each.

It is a head and blocks of ticks. A block begins with a key frame; every further tick of it is what changed. So a viewer
gets anywhere from the beginning of a block, and a long game can be sent a block at a time. A film holds no seed and no
orders. Changes are told as differences wherever things move or grow by steps: the same small numbers come again and
again then, which halves a film when it is compressed. As JSON:

    block  {"at": first tick, "grid": [tile, times, …], "pieces": [id, row, col, tile, number, …], "words": words,
            "ticks": [tick, …]}
    words  [headline, [condition of a seat, …], [[value of a seat, …] of a name, …]], or 0
    tick   [cells, order, changes, headline, conditions, numbers], each 0 if nothing changed; 0s at its end are left out
           cells       [gap, tile, …], ascending: a gap leads from the last cell named here to the next, from 0 at
                       first, where a cell is row × columns + column; the tile is the new one
           order       [id, …], all pieces as they are stamped; the last on a cell is seen
           changes     [at, down, right, tile, number, …] of pieces by their place in the order: how far a piece has
                       moved, its new tile and number; one that was not there one tick before comes from row 0, column 0
           conditions  [seat, phrase, …]
           numbers     [name, seat, difference, …], where a name is its place in the head's "numbers"
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from botyard.kernel.scene import Tile, Words

if TYPE_CHECKING:
    from botyard.games.picture import Picture  # it loads the rules, which pages of films can do without

FORMAT = "botyard-film"
VERSION = 1
BLOCK = 100  # ticks from one key frame to the next
COLUMNS = ("row", "col", "tile", "number")  # of a piece, beside its id


@dataclass(slots=True)
class Film:
    """The head, and the blocks in order."""

    head: dict[str, Any]
    blocks: list[dict[str, Any]] = field(default_factory=list)

    @property
    def palette(self) -> tuple[Tile, ...]:
        return tuple(Tile(*row) for row in self.head["palette"])

    def to_json(self) -> str:
        return compact({"head": self.head, "blocks": self.blocks})

    def to_bytes(self) -> bytes:
        return gzip.compress(self.to_json().encode(), 9, mtime=0)


def compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def tile_row(tile: Tile) -> list[Any]:
    """Returns a tile as the head of a film has it."""
    return [tile.glyph, tile.name, tile.style, tile.sprite, tile.seat, tile.ascii, tile.listed]


class FilmStock:
    """Takes frame after frame and keeps them as blocks. `head` is completed by whoever makes the film."""

    def __init__(self, head: dict[str, Any], numbers: Sequence[str]) -> None:
        self.film = Film({**head, "numbers": list(numbers)})
        self.ticks = 0
        self._grid: NDArray[np.uint16] = np.zeros((0, 0), np.uint16)
        self._ids: list[int] = []
        self._placed: dict[int, list[int]] = {}  # row, column, tile and number of each piece, by id
        self._words: Words | None = None

    def add(self, picture: Picture, words: Words | None) -> list[Any] | None:
        """Adds the next tick; returns what changed, or None if it began a block."""
        ids = picture.pieces["id"].tolist()
        placed = dict(zip(ids, map(list, picture.pieces[list(COLUMNS)].tolist()), strict=True))
        entry = None
        if self.ticks % BLOCK == 0:
            self.film.blocks.append(key_frame(self.ticks, picture, words))
        else:
            entry = [
                changed_cells(self._grid, picture.grid),
                0 if ids == self._ids else ids,
                changed_pieces(ids, self._placed, placed),
                *changed_words(self._words, words),
            ]
            while entry and entry[-1] == 0:
                entry.pop()
            self.film.blocks[-1]["ticks"].append(entry)
        self._grid, self._ids, self._placed, self._words = picture.grid, ids, placed, words
        self.ticks += 1
        return entry


def key_frame(tick: int, picture: Picture, words: Words | None) -> dict[str, Any]:
    runs = ((tile, len(list(run))) for tile, run in groupby(picture.grid.ravel().tolist()))
    rows = picture.pieces[["id", *COLUMNS]].tolist()
    told = (
        0 if words is None else [words.headline, list(words.conditions), [list(row) for row in words.numbers.values()]]
    )
    return {
        "at": tick,
        "grid": [number for run in runs for number in run],
        "pieces": [number for row in rows for number in row],
        "words": told,
        "ticks": [],
    }


def changed_cells(before: NDArray[np.uint16], grid: NDArray[np.uint16]) -> Any:
    at = np.flatnonzero(before != grid)
    if not len(at):
        return 0
    told = np.empty(2 * len(at), at.dtype)
    told[::2], told[1::2] = at, grid.ravel()[at]
    told[2::2] -= at[:-1]
    return told.tolist()


def changed_pieces(ids: list[int], before: dict[int, list[int]], placed: dict[int, list[int]]) -> Any:
    changes: list[int] = []
    for at, piece in enumerate(ids):
        was = before.get(piece)
        if was != placed[piece]:
            (from_row, from_col), (row, col, tile, number) = was[:2] if was else (0, 0), placed[piece]
            changes += [at, row - from_row, col - from_col, tile, number]
    return changes or 0


def changed_words(before: Words | None, words: Words | None) -> list[Any]:
    if before is None or words is None:
        return [0, 0, 0]
    conditions: list[Any] = []
    if before.conditions != words.conditions:
        for seat, (old, new) in enumerate(zip(before.conditions, words.conditions, strict=True)):
            conditions += [seat, new] if old != new else []
    numbers: list[int] = []
    for name, (olds, news) in enumerate(zip(before.numbers.values(), words.numbers.values(), strict=True)):
        if olds != news:
            for seat, (was, value) in enumerate(zip(olds, news, strict=True)):
                numbers += [name, seat, value - was] if was != value else []
    return [0 if before.headline == words.headline else words.headline, conditions or 0, numbers or 0]
