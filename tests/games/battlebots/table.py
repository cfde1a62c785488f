"""BattleBots bouts drawn as text, for tests that read like the rule book."""

from __future__ import annotations

from typing import Any

from botyard.games import load
from botyard.games.battlebots.rules import board_shape, stray
from botyard.games.battlebots.settings import BattlebotsSettings
from botyard.kernel.records import Record
from botyard.kernel.rule import rule
from tests.games.drawn import Drawn


@rule
def stray_at(arenas: Record, states: Record, seat: int, dice: int) -> int:
    """Compiled rules take records in their arrays only."""
    return stray(arenas[0], states[0], seat, dice)


@rule
def shape_at(arenas: Record, views: Record) -> tuple[int, int]:
    return board_shape(arenas[0], views[0])


class DrawnBout(Drawn):
    __slots__ = ()

    settings: BattlebotsSettings

    def play(self, *rounds: str) -> DrawnBout:
        """Plays rounds, each `bot 1 / bot 2`."""
        for orders in rounds:
            first, _, second = orders.partition(" / ")
            self.step([first, second])
            self.check()
        return self

    @property
    def hp(self) -> tuple[int, int]:
        return int(self.state.hp[0]), int(self.state.hp[1])


def battle(drawing: str, preset: str = "document", **settings: Any) -> DrawnBout:
    return DrawnBout.of("battlebots", drawing, BattlebotsSettings.read(settings, preset))


def fresh(preset: str = "document", **settings: Any) -> DrawnBout:
    """A bout from its start."""
    return DrawnBout(load("battlebots"), BattlebotsSettings.read(settings, preset), 0)
