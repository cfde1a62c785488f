"""The view: what a bot written in Python is given."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from botyard.kernel.records import Layout, record_of, told_fields
from botyard.kernel.rulebook import Rulebook


class View:
    """Holds exactly what one seat may know now: the fields of the game's view record.

    Numbers come as Python integers, tables as read-only NumPy arrays. `print(view)` draws the view.
    """

    __slots__ = ("_book", "_views")

    def __init__(self, views: NDArray[Any], book: Rulebook) -> None:
        views.flags.writeable = False
        self._views = views
        self._book = book

    def __getattr__(self, name: str) -> Any:
        try:
            value = self._views[name][0]  # reading a plain array is six times as fast here as reading a record
        except ValueError:
            known = ", ".join(self.fields)
            raise AttributeError(f"a view of {self._book.facts.name} has no {name!r}; it has {known}") from None
        return value if isinstance(value, np.ndarray) else int(value)

    @property
    def fields(self) -> list[str]:
        """The names of all fields; each is an attribute of the view."""
        return told_fields(self._views.dtype)

    @property
    def array(self) -> NDArray[Any]:
        """The record as an array of one, as the loops take it."""
        return self._views

    def __reduce__(self) -> tuple[Any, ...]:
        return view_again, (self._book, self._views.dtype, self._views.tobytes())

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.fields]

    def __str__(self) -> str:
        return self._book.scene.draw_view(record_of(self._views))

    def __repr__(self) -> str:
        return f"<View of {self._book.facts.name}: {', '.join(map(self._shown, self.fields))}>"

    def _shown(self, name: str) -> str:
        value = getattr(self, name)
        return f"{name}={value}" if isinstance(value, int) else f"{name} {'×'.join(map(str, value.shape))}"


def view_again(book: Rulebook, kind: Layout, raw: bytes) -> View:
    """Returns the view that was pickled. NumPy cannot pickle arrays of records that show words, too."""
    return View(np.frombuffer(raw, kind), book)
