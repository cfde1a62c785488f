"""Snakepit games drawn as text, for tests that read like the rule book."""

from __future__ import annotations

from textwrap import dedent
from typing import Any

from botyard.games.game import Game
from botyard.games.snakepit.layout import validate
from botyard.games.snakepit.scene import LETTERS
from botyard.games.snakepit.settings import SnakepitSettings


class Drawn(Game):
    """A game made from a drawing and shown as one, without the lines above its board."""

    __slots__ = ()

    def play(self, pellet: tuple[int, int] | None = None, **orders: str | int) -> Drawn:
        """One tick: a letter or a number by snake. `pellet` is where a new one falls; without it none may be drawn.

        A board drawn without a pellet stays without one, unless one is named here.
        """
        state, bare = self.state, not self.state.pellet_x and pellet is None
        if bare:
            state.pellet_x = state.pellet_y = 1  # announced, but not there
        width, height = int(self.arena.width), int(self.arena.height)
        draws = [(width, pellet[0] - 1), (height, pellet[1] - 1)] if pellet else []
        self.feed(draws)
        numbers = {LETTERS.index(name): self.number_of(order) for name, order in orders.items()}
        self.step_orders(numbers)
        if bare:
            state.pellet_x = state.pellet_y = 0
        assert self.draws_fit, f"draws {draws} expected, {self.state.chance.counter} made"
        if not self.fault:
            validate(self.arena, state)
        return self

    def number_of(self, order: str | int) -> int:
        return order if isinstance(order, int) else self.book.facts.order_named(order)

    def board(self) -> str:
        return "\n".join(str(self).splitlines()[1 + self.seats :])

    def snake(self, letter: str) -> Any:
        return self.state.snakes[LETTERS.index(letter)]

    def lives(self, letter: str) -> bool:
        return bool(int(self.state.living) >> LETTERS.index(letter) & 1)


def snakepit(drawing: str, **settings: Any) -> Drawn:
    return Drawn.drawn("snakepit", dedent(drawing), SnakepitSettings.read(settings))


def board(drawing: str) -> str:
    """A drawing as `Drawn.board` gives it: one blank between cells."""
    lines = (line.strip() for line in drawing.strip().splitlines())
    return "\n".join(line if " " in line else " ".join(line) for line in lines)
