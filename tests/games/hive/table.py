"""Hive Arena games drawn as text, for tests that read like the rule book."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import dedent
from typing import Any

from botyard.games.game import Game
from botyard.games.hive.layout import validate
from botyard.games.hive.settings import HiveSettings


class Drawn(Game):
    """A game made from a drawing and shown as one, without its headline."""

    __slots__ = ()

    def play(self, *orders: str | int, draws: Sequence[tuple[int, int]] = ()) -> Drawn:
        """Plays orders in turn; the draws named are the ones made, all of them and no other."""
        self.feed(draws)
        for order in orders:
            self.step(order)
            validate(self.arena, self.state)
        assert self.draws_fit, f"draws {list(draws)} expected, {self.state.chance.counter} made"
        return self

    def board(self) -> str:
        return str(self).partition("\n")[2]


def hive(drawing: str, **settings: Any) -> Drawn:
    return Drawn.drawn("hive", dedent(drawing), HiveSettings(**settings) if settings else None)


def board(drawing: str) -> str:
    """A drawing as `Drawn.board` gives it."""
    return "\n".join(line.strip() for line in drawing.strip().splitlines())


def beside(bee: str, target: str) -> str:
    """A drawing with a bee, something east of it, a flower far off and the other pieces out of the way."""
    rest = [piece for piece in ("@", "&", "a") if piece != target[0]]
    away = "".join(f"{piece:2}" for piece in [*rest, ".", "."][:4])
    return f"{bee:2}{target:2}. *\n. . . .\n{away}"
