"""The protocol of Snakepit, without any I/O (specification 6).

We send lines, the bot sends single bytes. A bot is told the whole start once; after each tick it is told what changed,
and `mov` when it must answer. What changed is sent together with the next question, because nothing happens in between.
"""

from __future__ import annotations

from typing import Any

from botyard.games.snakepit.facts import DIRECTIONS
from botyard.games.snakepit.layout import STAY
from botyard.games.snakepit.settings import SnakepitSettings
from botyard.kernel.outcome import Outcome
from botyard.kernel.session import SETTLE_MS, SOCKET_BUFFER, Session, printable
from botyard.kernel.verdict import Fault, Verdict

LETTERS = DIRECTIONS.encode()
LINE_ENDS = b"\r\n"


class SnakepitSession(Session):
    """Speaks the protocol with one bot. Nothing that a bot sends raises an error."""

    def __init__(self, settings: SnakepitSettings) -> None:
        self._keeps = settings.stale_answers == "keep"  # an answer that came too late answers the next question
        super().__init__(1000 * settings.client_timeout, 0 if self._keeps else SETTLE_MS)
        self.connect_ms = 1000 * settings.server_timeout
        self._settings = settings
        self._held = b""  # bytes that arrived and are not used yet

    def opening(self, view: Any) -> bytes:
        """Tells the board, the pellet and every body; snakes start upright below their heads (6.2)."""
        lines = [f"bi {self._settings.width},{self._settings.height}", pellet_line(view)]
        for seat in range(self._settings.snakes):
            x, y = view.heads[seat]
            lines += [f"si {seat + 1} {x},{y + below}" for below in range(self._settings.body_cells)]
        lines.append("ready")
        if self._settings.opening_deltas and self.game_number > 1:
            lines += snake_lines(view, self._settings.snakes)
        return told(lines)

    def unasked(self, chunk: bytes) -> bytes:
        """Takes what came before the question; returns the bytes that are dropped (6.4)."""
        if self._keeps:
            self._held = (self._held + chunk)[:SOCKET_BUFFER]
            return b""
        dropped, self._held = self._held + chunk, b""
        return dropped

    def ask(self, view: Any) -> bytes:
        """Tells what the last tick changed, and asks (6.3)."""
        lines = []
        if view.tick:
            lines += [pellet_line(view)] if view.fresh else []
            lines += snake_lines(view, self._settings.snakes)
        return told([*lines, "mov"])

    def receive(self, chunk: bytes) -> int | Fault | None:
        """Takes what was read after the question; returns an order, a fault, or None. One byte is an answer."""
        self._held += chunk
        if not self._keeps:
            self._held = self._held.lstrip(LINE_ENDS)
        if not self._held:
            return None
        answer, self._held = self._held[:1], self._held[1:]
        if answer in LETTERS:
            return LETTERS.index(answer)
        if self._settings.unknown_answer == "stay":
            return STAY
        return Fault(Verdict.GARBLED, f"not one of {' '.join(DIRECTIONS)}: {printable(answer)}")

    def closing(self, outcome: Outcome | None) -> bytes:
        return b"quit\n" if self._settings.send_quit else b""


def told(lines: list[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def pellet_line(view: Any) -> str:
    return f"p {view.pellet_x},{view.pellet_y}"


def snake_lines(view: Any, snakes: int) -> list[str]:
    """Writes the new heads and the cells that tails left; a tail that stayed is at (-1, -1)."""
    lines = []
    for seat in range(snakes):
        if view.alive[seat]:
            (x, y), (left_x, left_y) = view.heads[seat], view.tails[seat]
            lines.append(f"s {seat + 1} {x},{y},{left_x},{left_y}")
    return lines


def open_session(settings: SnakepitSettings, number: int) -> SnakepitSession:
    return SnakepitSession(settings)


def arguments(host: str, port: int, number: int) -> list[str]:
    """Returns what follows a bot's own command line: address, port and its id, counted from 1."""
    return [host, str(port), str(number + 1)]
