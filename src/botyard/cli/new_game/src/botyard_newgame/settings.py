"""The settings of New game. Each has a default, a meaning and limits.

Those of the group `rules` (the default) decide how a game goes and are kept in every replay; those of the group `clock`
hold for bots that are programs.
"""

from __future__ import annotations

from dataclasses import dataclass

from botyard.kernel.errors import SettingsError
from botyard.kernel.habits import Habits
from botyard.kernel.settings import Settings, setting


@dataclass(frozen=True, kw_only=True)
class NewgameSettings(Settings):
    rows: int = setting(5, "rows of the board", at_least=1, at_most=30)
    cols: int = setting(7, "columns of the board", at_least=3, at_most=30)
    coins: int = setting(4, "coins on the board at any time", at_least=1)
    sight: int = setting(3, "steps that a walker sees far", at_least=1, at_most=60)
    ticks: int = setting(40, "ticks of a game", at_least=1, at_most=10_000)
    move_ms: int = setting(1000, "time for one answer", group="clock", at_least=1)

    def check(self) -> None:
        """Raises SettingsError if settings do not fit together."""
        free = self.rows * self.cols - 2
        if self.coins > free:
            raise SettingsError("coins", got=self.coins, hint=f"only {free} cells are free beside the walkers")

    @property
    def habits(self) -> Habits:
        """What matches want to know: a walker does not see everything, so nobody else may look on meanwhile."""
        return Habits(hides=True)


SETTINGS = NewgameSettings
