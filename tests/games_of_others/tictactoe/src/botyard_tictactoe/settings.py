"""The settings of tic-tac-toe."""

from __future__ import annotations

from dataclasses import dataclass

from botyard.kernel.settings import Settings, setting


@dataclass(frozen=True, kw_only=True)
class TictactoeSettings(Settings):
    misere: bool = setting(False, "whoever makes a line loses")
    move_ms: int = setting(2000, "time for one answer", group="clock", at_least=1)


SETTINGS = TictactoeSettings
