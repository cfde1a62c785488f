"""Hive Arena games drawn as text, for tests that read like the rule book."""

from __future__ import annotations

from typing import Any

from botyard.games.hive.settings import HiveSettings
from tests.games.drawn import Drawn, Draws


class DrawnHive(Drawn):
    __slots__ = ()

    def play(self, *orders: str | int, draws: Draws = ()) -> DrawnHive:
        """Plays orders in turn."""
        with self.drawing(draws):
            for order in orders:
                self.step(order)
                self.check()
        return self


def hive(drawing: str, **settings: Any) -> DrawnHive:
    return DrawnHive.of("hive", drawing, HiveSettings(**settings) if settings else None)


def beside(bee: str, target: str) -> str:
    """A drawing with a bee, something east of it, a flower far off and the other pieces out of the way."""
    rest = [piece for piece in ("@", "&", "a") if piece != target[0]]
    away = "".join(f"{piece:2}" for piece in [*rest, ".", "."][:4])
    return f"{bee:2}{target:2}. *\n. . . .\n{away}"
