"""A seat that senses as learners do: it notes every view it is shown, and what it senses can be drawn as text."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from botyard.games.game import Game
from botyard.kernel.rule import opened
from botyard.kernel.senses import CODE, NUMBER


class Learner:
    """Remembers one seat's views; `look` is to be called once in every tick in which the seat is asked."""

    def __init__(self, game: Game, seat: int, senses: Any = None) -> None:
        self.game, self.seat, self.senses = game, seat, senses or game.book.senses
        self.memories = np.zeros(1, game.book.layouts(game.settings).memory)
        self.views = np.zeros(1, game.book.layouts(game.settings).view)

    def look(self) -> Learner:
        self.views = self.game.view(self.seat).array
        if hasattr(self.senses, "note"):
            self.senses.note(*self._records())
        return self

    def _records(self) -> tuple[Any, Any, Any]:
        return opened(self.game.arrays[0])[0], opened(self.views)[0], opened(self.memories)[0]

    @property
    def codes(self) -> NDArray[Any]:
        rows, cols = self.senses.sense_shape(self.game.arena)
        cells = [[self.senses.sense(*self._records(), row, col) for col in range(cols)] for row in range(rows)]
        return np.array(cells, CODE)

    @property
    def numbers(self) -> dict[str, int]:
        out = np.full(len(self.senses.NUMBERS), -7, NUMBER)
        self.senses.numbers(*self._records(), opened(out))
        return {number.name: int(value) for number, value in zip(self.senses.NUMBERS, out, strict=True)}

    def drawn(self, symbols: str) -> str:
        """The cells as text, by the symbol of each code; `?` for codes that have none."""
        known = dict(enumerate(symbols))
        return "\n".join("".join(known.get(int(code), "?") for code in row) for row in self.codes)


def worth_of(game: Game, seat: int, senses: Any = None) -> int:
    senses = senses or game.book.senses
    arenas, states = game.arrays
    return int(senses.worth(opened(arenas)[0], opened(states)[0], seat))


def gain_of(game: Game, seat: int) -> int:
    senses: Any = game.book.senses
    arenas, states = game.arrays
    return int(senses.gain(opened(arenas)[0], opened(states)[0], seat))


def fields_of(kind: np.dtype[Any]) -> dict[str, list[int]]:
    """The bytes that each field of a record has, by its name; of an array of records they belong to one field."""
    places: dict[str, list[int]] = {}
    for name, (inner, offset, *_) in (kind.fields or {}).items():
        base, shape = inner.subdtype if inner.subdtype else (inner, ())
        if base.fields is None:
            places[name] = list(range(offset, offset + inner.itemsize))
            continue
        for one in range(int(np.prod(shape))):
            for deeper, found in fields_of(base).items():
                begin = offset + one * base.itemsize
                places.setdefault(f"{name}.{deeper}", []).extend(begin + at for at in found)
    return {name: found for name, found in places.items() if found}
