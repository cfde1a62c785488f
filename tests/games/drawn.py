"""Games made from drawings and shown as drawings, for tests that read like the rule book.

How the orders of a tick are written, and what stands above a board, every game says in its `table.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from textwrap import dedent
from typing import Self, TypeAlias

from botyard.games.game import Game
from botyard.kernel.settings import Settings

Draws: TypeAlias = Sequence[tuple[int, int]]
"""What is drawn in order: below which bound, and the number."""


class Drawn(Game):
    """A game that begins in the position of a drawing."""

    __slots__ = ()

    @classmethod
    def of(cls, game: str, drawing: str, settings: Settings | None = None) -> Self:
        return cls.drawn(game, dedent(drawing), settings)

    @property
    def headlines(self) -> int:
        """How many lines stand above the board."""
        return 1

    def board(self) -> str:
        return "\n".join(str(self).splitlines()[self.headlines :])

    def check(self) -> None:
        """The state is one that a game can be in."""
        self.book.layout.validate(self.arena, self.state)

    @contextmanager
    def drawing(self, draws: Draws) -> Iterator[None]:
        """The draws named are the ones made, all of them and no other."""
        self.feed(draws)
        yield
        assert self.draws_fit, f"draws {list(draws)} expected, {self.state.chance.counter} made"


def board(drawing: str) -> str:
    """A drawing as `Drawn.board` gives it."""
    return "\n".join(line.strip() for line in drawing.strip().splitlines())
