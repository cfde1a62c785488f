"""Hack-man games drawn as text, for tests that read like the rule book."""

from __future__ import annotations

from typing import Any

from botyard.games.game import Game
from botyard.games.hackman.map.plan import MapPlan
from botyard.games.hackman.settings import HackmanSettings
from tests.games.drawn import Drawn, Draws

# A real number is two draws. The lowest is not above any chance, the highest above any but certainty.
CHASES: Draws = [(1 << 26, 0), (1 << 27, 0)]
ROAMS: Draws = [(1 << 26, (1 << 26) - 1), (1 << 27, (1 << 27) - 1)]


class DrawnMaze(Drawn):
    __slots__ = ()

    def play(self, *rounds: str, draws: Draws = ()) -> DrawnMaze:
        """Plays rounds, "right pass" each."""
        with self.drawing(draws):
            for orders in rounds:
                self.step(orders.split())
                self.check()
        return self

    def board(self) -> str:
        return drawn(str(self))

    def head(self) -> list[str]:
        """The lines above the board."""
        return [line for line in str(self).splitlines() if ":" in line or line.startswith("round")]


def hackman(drawing: str, **settings: Any) -> DrawnMaze:
    return DrawnMaze.of("hackman", drawing, HackmanSettings(**settings) if settings else None)


def plan_of(game: Game) -> MapPlan:
    assert isinstance(game.settings, HackmanSettings)
    return game.settings.plan


def drawn(text: str) -> str:
    """A drawing without its head, one blank between cells."""
    lines = [" ".join(line.split()) for line in text.strip().splitlines()]
    return "\n".join(line for line in lines if not line.startswith(("round ", "player ", "bugs: ")))


def bare(**settings: Any) -> HackmanSettings:
    """Settings under which nothing is placed by itself."""
    return HackmanSettings(**{"map_snippet_count": 0, "snippet_spawn_rate": 1_000_000, **settings})


# Two rings that share their middle, over a server room of one cell with one gate.
RINGS = """
    .  .  .  .  .  .  .
    .  x  x  .  x  x  .
    .  .  .  .  .  .  .
    x  x  x  g  x  x  x
    x  x  x  s  x  x  x
"""


def rings(head: str = "", /, **pieces: str) -> str:
    """The two rings with something on cells named by row and column: r0c3="C<"."""
    rows = [line.split() for line in RINGS.strip().splitlines()]
    for place, what in pieces.items():
        row, col = map(int, place.removeprefix("r").split("c"))
        rows[row][col] = rows[row][col].removeprefix(".") + what
    return "\n".join([*head.strip().splitlines(), *(" ".join(row) for row in rows)])
