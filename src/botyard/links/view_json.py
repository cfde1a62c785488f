"""A view as named fields, for bots that are spoken to in Botyard's own protocol.

Made from the view record alone: a bot is told what every other bot of its seat is told, no more and no less. What a
record holds only to have a fixed size is left out, by the conventions all views share:

- `spare` bytes, and lists seen a second time as words, are nobody's business;
- a list beside its count (`bugs`, `bug_count`) is as long as the count says, and the count is left out;
- a list that grows with the number of seats has one entry per seat;
- a board beside its `side` is as large as the side says.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from botyard.games.view import View
from botyard.kernel.records import told_fields
from botyard.kernel.rulebook import Rulebook
from botyard.kernel.settings import Settings

COUNT = "_count"


class FieldNames:
    """How the views of a game under some settings are told."""

    def __init__(self, book: Rulebook, settings: Settings) -> None:
        self._seats = book.layout.seats(settings)
        names = told_fields(book.layouts(settings).view)
        counted = {name.removesuffix(COUNT) + "s": name for name in names if name.endswith(COUNT)}
        self._counts = {things: count for things, count in counted.items() if things in names}
        self._by_seat = seat_lists(book)
        self._sized = "board" if "side" in names else None
        self._told = [name for name in names if name not in self._counts.values()]

    def of(self, view: View) -> dict[str, Any]:
        """The fields of a view, as JSON can hold them."""
        record = view.array[0]
        return {name: self._field(record, name) for name in self._told}

    def _field(self, record: np.void, name: str) -> Any:
        value = record[name]
        if name in self._counts:
            return listed(value, record[self._counts[name]])
        if name in self._by_seat:
            value = value[: self._seats]
        elif name == self._sized:
            side = int(record["side"])
            value = value[:side, :side]
        return value.tolist()


def listed(items: np.ndarray[Any, Any], count: Any) -> list[Any]:
    """As many items as were counted; several lists in one field have several counts."""
    if np.ndim(count) == 0:
        return items[: int(count)].tolist()  # type: ignore[no-any-return]
    return [listed(part, many) for part, many in zip(items, count, strict=True)]


@lru_cache(maxsize=64)
def seat_lists(book: Rulebook) -> frozenset[str]:
    """The fields of a view that have an entry per seat: those that are longer where more may sit."""
    usual, facts = book.settings.read(), book.facts
    few, many = (book.layouts(usual.seated(seats)).view for seats in (facts.seats_min, facts.seats_max))
    return frozenset(name for name in told_fields(few) if few[name].shape != many[name].shape)
