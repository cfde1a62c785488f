"""Facts are what a game declares about itself: its name, its seats and its orders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from botyard.kernel.errors import UnknownName, YardError

LinkKind = Literal["process", "tcp", "websocket", "process-per-move"]

NO_ORDER = -1
"""Stands for an order that never came; each game's rules say what it does."""

FAULT_OF = 2
"""The `fault` of a state is 1 where our rules failed. Where seats' orders made them, it has this bit, shifted by its
seat, for each: a capacity was exceeded that nobody exceeds who plays. Such a game is void too, but a contest counts it
as a forfeit of these seats."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What a game declares about itself, as tables, pages and golden files show it."""

    name: str  # in code and on the command line
    title: str  # for people
    summary: str  # one sentence
    seats_min: int
    seats_max: int
    usual_seats: int  # bots of a usual game, for benches and demonstrations
    simultaneous: bool  # all seats act in one tick
    link: LinkKind  # how the original talks to bots
    rules_version: int  # grows when an outcome could change, and only then
    orders: tuple[str, ...]  # names, by number

    @property
    def seats(self) -> str:
        return str(self.seats_min) if self.seats_min == self.seats_max else f"{self.seats_min}–{self.seats_max}"

    def check_seats(self, bots: int) -> None:
        """Refuses a number of bots that cannot play."""
        if not self.seats_min <= bots <= self.seats_max:
            given = "1 bot" if bots == 1 else f"{bots} bots"
            raise YardError(f"{given} for {self.seats} seats", hint=f"{self.title} takes {self.seats} bots")

    def order_named(self, text: str) -> int:
        """Returns the number of an order from its name, in upper or lower case, or from its number as text."""
        words = " ".join(text.lower().split())
        for number, name in enumerate(self.orders):
            if name.lower() == words:
                return number
        if words.removeprefix("-").isascii() and words.removeprefix("-").isdigit():
            return self.order_numbered(int(words))
        raise UnknownName(f"order of {self.name}", text, self.orders)

    def order_numbered(self, number: int) -> int:
        """Returns an order's number that a person gave, after checking it; rules themselves take any integer."""
        if not 0 <= number < len(self.orders):
            raise YardError(f"{self.name} has no order {number}", hint=f"orders go from 0 to {len(self.orders) - 1}")
        return number
