"""BattleBots bouts drawn as text, for tests that read like the rule book."""

from __future__ import annotations

from textwrap import dedent
from typing import Any

from botyard.games import load
from botyard.games.battlebots.rules import board_shape, stray
from botyard.games.battlebots.settings import BattlebotsSettings
from botyard.games.game import Game
from botyard.kernel.records import Record
from botyard.kernel.rule import rule


@rule
def stray_at(arenas: Record, states: Record, seat: int, dice: int) -> int:
    """Compiled rules take records in their arrays only."""
    return stray(arenas[0], states[0], seat, dice)


@rule
def shape_at(arenas: Record, views: Record) -> tuple[int, int]:
    return board_shape(arenas[0], views[0])


class Drawn(Game):
    """A bout made from a drawing and shown as one."""

    __slots__ = ()

    settings: BattlebotsSettings

    def play(self, *rounds: str) -> Drawn:
        """Plays rounds, each `bot 1 / bot 2`."""
        for orders in rounds:
            first, _, second = orders.partition(" / ")
            self.step([first, second])
        return self

    def board(self) -> str:
        """The drawing without its headline."""
        return str(self).partition("\n")[2]

    @property
    def hp(self) -> tuple[int, int]:
        return int(self.state.hp[0]), int(self.state.hp[1])


def battle(drawing: str, preset: str = "document", **settings: Any) -> Drawn:
    return Drawn.drawn("battlebots", dedent(drawing), BattlebotsSettings.read(settings, preset))


def fresh(preset: str = "document", **settings: Any) -> Drawn:
    """A bout from its start."""
    return Drawn(load("battlebots"), BattlebotsSettings.read(settings, preset), 0)


def board(drawing: str) -> str:
    """A drawing as `Drawn.board` gives it."""
    return "\n".join(line.strip() for line in drawing.strip().splitlines())
