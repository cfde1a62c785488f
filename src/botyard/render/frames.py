"""This module gives back the frames of a film."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from botyard.games.picture import Picture
from botyard.kernel.scene import PIECE, Words
from botyard.render.film import BLOCK, Film

ENTRY = 6  # parts of a tick
NEW = [0, 0, 0, 0]  # where a piece comes from that was not there one tick before


@dataclass(frozen=True, slots=True)
class Frame:
    """One tick of a film. Films of what a seat saw have no words."""

    picture: Picture
    words: Words | None


def frames(film: Film) -> Iterator[Frame]:
    """Yields every tick of a film in order."""
    shape = film.head["rows"], film.head["cols"]
    for block in film.blocks:
        reel = Reel(block, shape, film.head["numbers"])
        yield reel.frame()
        for tick in block["ticks"]:
            reel.turn(tick)
            yield reel.frame()


class FilmReader:
    """Gives any frame of a film, in whatever order. The film may still be growing.

    The blocks that were looked at last are kept as frames, so that going to and fro costs nothing.
    """

    KEPT = 4  # blocks

    def __init__(self, film: Film) -> None:
        self.film = film
        self._open: dict[int, tuple[Reel, list[Frame]]] = {}

    @property
    def last(self) -> int:
        """The last tick that there is; -1 if there is none."""
        blocks = self.film.blocks
        return BLOCK * (len(blocks) - 1) + len(blocks[-1]["ticks"]) if blocks else -1

    def frame(self, tick: int) -> Frame:
        number = tick // BLOCK
        block = self.film.blocks[number]
        if number not in self._open:
            head = self.film.head
            reel = Reel(block, (head["rows"], head["cols"]), head["numbers"])
            self._open[number] = reel, [reel.frame()]
        reel, seen = self._open[number] = self._open.pop(number)  # now the youngest
        while len(self._open) > self.KEPT:
            del self._open[next(iter(self._open))]
        while len(seen) <= tick % BLOCK:
            reel.turn(block["ticks"][len(seen) - 1])
            seen.append(reel.frame())
        return seen[tick % BLOCK]


class Reel:
    """A block being played."""

    def __init__(self, block: dict[str, Any], shape: tuple[int, int], names: Sequence[str]) -> None:
        runs = np.array(block["grid"], np.int64).reshape(-1, 2)
        self._grid: NDArray[np.uint16] = np.repeat(runs[:, 0].astype(np.uint16), runs[:, 1]).reshape(shape)
        rows = [block["pieces"][at : at + 5] for at in range(0, len(block["pieces"]), 5)]
        self._ids = [row[0] for row in rows]
        self._placed = {row[0]: row[1:] for row in rows}
        self._names = names
        told: list[Any] = block["words"] or ["", [], [[] for _ in names]]
        self._headline: str = told[0]
        self._conditions: list[str] = list(told[1])
        self._numbers: list[list[int]] = [list(values) for values in told[2]]

    def turn(self, tick: Sequence[Any]) -> None:
        entry: list[Any] = [*tick, *[0] * (ENTRY - len(tick))]
        cells, order, changes, headline, conditions, numbers = entry
        if cells:
            self._grid = self._grid.copy()
            self._grid.ravel()[np.cumsum(cells[::2])] = cells[1::2]
        if order != 0:
            self._ids = order
            self._placed = {piece: self._placed.get(piece, NEW) for piece in order}
        for at in range(0, len(changes or ()), 5):
            which, down, right, tile, number = changes[at : at + 5]
            row, col, *_ = self._placed[self._ids[which]]
            self._placed[self._ids[which]] = [row + down, col + right, tile, number]
        self._headline = headline or self._headline
        for at in range(0, len(conditions or ()), 2):
            self._conditions[conditions[at]] = conditions[at + 1]
        for at in range(0, len(numbers or ()), 3):
            self._numbers[numbers[at]][numbers[at + 1]] += numbers[at + 2]

    def frame(self) -> Frame:
        pieces = np.zeros(len(self._ids), PIECE)
        for at, piece in enumerate(self._ids):
            row, col, tile, number = self._placed[piece]
            pieces[at] = (piece, number, row, col, tile, (0, 0))
        return Frame(Picture(self._grid, pieces), self._words())

    def _words(self) -> Words | None:
        if not self._headline:
            return None
        numbers = dict(zip(self._names, map(tuple, self._numbers), strict=True))
        return Words(self._headline, numbers, tuple(self._conditions))
