"""The protocol of tic-tac-toe: a line with the board, `X........ O`, and a line with a cell back, `b2`."""

from __future__ import annotations

from typing import Any

from botyard.kernel.line_session import LineSession
from botyard_tictactoe.facts import FACTS
from botyard_tictactoe.scene import GLYPHS
from botyard_tictactoe.settings import TictactoeSettings


class TictactoeSession(LineSession):
    """One bot's side of the conversation."""

    def question(self, view: Any) -> str:
        return "".join(GLYPHS[code] for code in view.cells.ravel()) + " " + GLYPHS[view.player + 1]


def open_session(settings: TictactoeSettings, number: int) -> TictactoeSession:
    return TictactoeSession(FACTS, settings.move_ms)


def arguments(host: str, port: int, number: int) -> list[str]:
    return []
