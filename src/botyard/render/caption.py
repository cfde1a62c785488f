"""The caption above a board: what is played, what is said about it, and for each seat its sign, name and points.

It is laid out here, for whoever draws it; how wide a text is they must know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from botyard.kernel.plain import clean
from botyard.kernel.scene import Words

LETTERS = 34  # of the usual width, side by side above a board
SMALLEST, LARGEST = 11, 22  # pixels of a letter
LINE = 1.7  # heights of a letter from one line to the next
COLUMN = 15  # letters of a seat's column, at least
NAME_SHARE = 0.45  # of a column, at least

Measure = Callable[[str, bool], float]
"""Returns the width of a text, which may be bold."""


class Label(NamedTuple):
    """A line of text, whose middle is at a height. One that ends at x has that place on its right."""

    x: float
    y: float
    text: str
    bold: bool = False
    ends: bool = False


class Badge(NamedTuple):
    """Where the sign of a seat stands: its left upper corner and its side."""

    seat: int
    x: float
    y: float
    side: float


def letter_size(width: int) -> int:
    return min(max(width // LETTERS, SMALLEST), LARGEST)


class Caption:
    """The layout for a board of some width."""

    def __init__(self, head: dict[str, Any], width: int, size: int, measure: Measure) -> None:
        self.head, self.width, self.size, self._measure = head, width, size, measure
        seats = len(head["names"])
        self.columns = min(max(width // (COLUMN * size), 1), seats, 4)
        self._line = round(LINE * size)
        self._edge = round(size * 0.6)
        self.height = self._line * (1 - -seats // self.columns) + self._edge

    def badges(self) -> Iterator[Badge]:
        side = round(self.size * 1.2)
        for seat in range(len(self.head["names"])):
            x, middle = self._place(seat)
            yield Badge(seat, x, middle - side / 2, side)

    def labels(self, words: Words | None, tick: int) -> Iterator[Label]:
        """Yields the lines of a tick. A seat's own film has no words: it says whose view it is."""
        names, seat = self.head["names"], self.head["seat"]
        told = f"tick {tick}, as {names[seat]} saw it" if words is None else words.headline
        room, middle = float(self.width - 2 * self._edge), self._edge / 2 + self._line / 2
        title = self._fitted(self.head["title"], room, True)
        yield Label(self._edge, middle, title, bold=True)
        room -= self._measure(title, True) + self.size
        yield Label(self.width - self._edge, middle, self._fitted(told, room), ends=True)
        for number, name in enumerate(names):
            yield from self._seat_labels(number, name, "" if words is None else words.line(number))

    def _seat_labels(self, seat: int, name: str, line: str) -> Iterator[Label]:
        x, middle = self._place(seat)
        x += 1.7 * self.size
        end = self._place(seat)[0] + self.width / self.columns - 1.5 * self.size
        least = min(NAME_SHARE * (end - x), self._measure(clean(name), True))
        line = self._as_much_of(line, end - x - least - self.size)
        taken = self._measure(line, False) + self.size if line else 0
        yield Label(x, middle, self._fitted(name or "(no name)", end - x - taken, True), bold=True)
        yield Label(end, middle, line, ends=True)

    def _place(self, seat: int) -> tuple[float, float]:
        """Where a seat's column begins, and the middle of its line."""
        row, column = divmod(seat, self.columns)
        return self._edge + column * self.width / self.columns, self._edge / 2 + self._line * (row + 1.5)

    def _as_much_of(self, line: str, room: float) -> str:
        """Returns as many of the parts of a line as there is room for; points come first."""
        parts = line.split(", ")
        while len(parts) > 1 and self._measure(clean(", ".join(parts)), False) > room:
            parts.pop()
        return self._fitted(", ".join(parts), room)

    def _fitted(self, text: str, room: float, bold: bool = False) -> str:
        text = clean(text)
        if self._measure(text, bold) <= room:
            return text
        while text and self._measure(f"{text}…", bold) > room:
            text = text[:-1]
        return f"{text.rstrip(' ,')}…" if text else ""
