"""Snakepit games drawn as text, for tests that read like the rule book."""

from __future__ import annotations

from typing import Any

from botyard.games.snakepit.scene import LETTERS
from botyard.games.snakepit.settings import SnakepitSettings
from tests.games.drawn import Drawn, board


class DrawnPit(Drawn):
    __slots__ = ()

    def play(self, pellet: tuple[int, int] | None = None, **orders: str | int) -> DrawnPit:
        """One tick: a letter or a number by snake. `pellet` is where a new one falls; without it none may be drawn.

        A board drawn without a pellet stays without one, unless one is named here.
        """
        state, bare = self.state, not self.state.pellet_x and pellet is None
        if bare:
            state.pellet_x = state.pellet_y = 1  # announced, but not there
        width, height = int(self.arena.width), int(self.arena.height)
        draws = [(width, pellet[0] - 1), (height, pellet[1] - 1)] if pellet else []
        numbers = {LETTERS.index(name): self.number_of(order) for name, order in orders.items()}
        with self.drawing(draws):
            self.step_orders(numbers)
        if bare:
            state.pellet_x = state.pellet_y = 0
        if not self.fault:
            self.check()
        return self

    def number_of(self, order: str | int) -> int:
        return order if isinstance(order, int) else self.book.facts.order_named(order)

    @property
    def headlines(self) -> int:
        return 1 + self.seats

    def snake(self, letter: str) -> Any:
        return self.state.snakes[LETTERS.index(letter)]

    def lives(self, letter: str) -> bool:
        return bool(int(self.state.living) >> LETTERS.index(letter) & 1)


def snakepit(drawing: str, **settings: Any) -> DrawnPit:
    return DrawnPit.of("snakepit", drawing, SnakepitSettings.read(settings))


def spaced(drawing: str) -> str:
    """A drawing without blanks, as `DrawnPit.board` gives it."""
    return "\n".join(line if " " in line else " ".join(line) for line in board(drawing).splitlines())
