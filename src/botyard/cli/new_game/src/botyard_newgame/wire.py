"""The protocol of New game, without any I/O: what a program is told, and what its bytes mean.

`LineSession` does the reading: a line with the name of an order is an answer, everything else is a fault of the bot's.
"""

from __future__ import annotations

from typing import Any

from botyard.kernel.line_session import LineSession
from botyard_newgame.facts import FACTS
from botyard_newgame.scene import VIEW_GLYPHS, WALKERS
from botyard_newgame.settings import NewgameSettings


class NewgameSession(LineSession):
    """The protocol of one bot. It never raises on what a bot sends."""

    def question(self, view: Any) -> str:
        """Returns `TICK LETTER ROWS`, where the rows of the board go from the top, with slashes between them."""
        rows = "/".join("".join(VIEW_GLYPHS[code] for code in row) for row in view.cells)
        return f"{view.tick} {WALKERS[view.player]} {rows}"


def open_session(settings: NewgameSettings, number: int) -> NewgameSession:
    return NewgameSession(FACTS, settings.move_ms)


def arguments(host: str, port: int, number: int) -> list[str]:
    """Returns what follows a bot's own command line; a game that is played over TCP has the address here."""
    return []
