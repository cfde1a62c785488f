"""The protocol of Hive Arena, without any I/O (specification 6).

The bot connects and says its name; then each of its turns is one line to it and one line back.
"""

from __future__ import annotations

import re
from typing import Any

from botyard.games.hive.facts import ACTIONS, DIRECTIONS
from botyard.games.hive.settings import HiveSettings
from botyard.kernel.outcome import Outcome
from botyard.kernel.session import SETTLE_MS, SOCKET_BUFFER, Session, printable
from botyard.kernel.verdict import Fault, Verdict

# White space and digits are those of C, narrower than Python's (10.4). What follows the second number is ignored.
LENIENT = re.compile(rb"[\t-\r ]*([+-]?[0-9]+),[\t-\r ]*([+-]?[0-9]+)")
STRICT = re.compile(rb"([0-9]),([0-9])\n?\Z")


class HiveSession(Session):
    """Speaks the protocol with one bot. Nothing that a bot sends raises an error."""

    introduces = True
    may_be_nameless = True  # its name in the log is then empty

    def __init__(self, settings: HiveSettings) -> None:
        super().__init__(settings.reply_timeout_ms, SETTLE_MS)
        self.start_ms = settings.name_timeout_ms
        self.connect_ms = settings.connect_timeout_ms
        self._packets = settings.line_framing == "packet"
        self._syntax = STRICT if settings.command_syntax == "strict" else LENIENT
        self._limit = settings.max_line_bytes
        self._held = b""  # bytes that arrived and are not used yet

    def introduce(self, chunk: bytes) -> str | Fault | None:
        """Takes what was read; returns the bot's name once its line is complete."""
        line = self._read_line(chunk)
        if line is None or isinstance(line, Fault):
            return line
        return line[:-1].decode("utf-8", "surrogateescape")

    def ask(self, view: Any) -> bytes:
        cells = "".join(map(str, view.window.ravel()))
        return f"{view.turn},{view.player},{view.bee},{view.row},{view.col},{cells}\n".encode()

    def unasked(self, chunk: bytes) -> bytes:
        """Takes what came before the question; returns the bytes that are dropped (10.5).

        The program reads a socket only while it waits for an answer, so under `packet` early bytes are kept and answer
        the next question.
        """
        self._held += chunk
        if self._packets:
            self._held = self._held[:SOCKET_BUFFER]
            return b""
        end = self._held.rfind(b"\n") + 1
        dropped, self._held = self._held[:end], self._held[end:]
        return dropped

    def receive(self, chunk: bytes) -> int | Fault | None:
        """Takes what was read after the question; returns an order, a fault, or None while the answer is incomplete."""
        line = self._read_line(chunk)
        if line is None or isinstance(line, Fault):
            return line
        return self._order(line)

    def closing(self, outcome: Outcome | None) -> bytes:
        return b"gameover\n"

    def _read_line(self, chunk: bytes) -> bytes | Fault | None:
        self._held += chunk
        return self._read_packet() if self._packets else self._read_stream()

    def _read_stream(self) -> bytes | Fault | None:
        line, newline, rest = self._held.partition(b"\n")
        if len(line) >= self._limit:
            return Fault(Verdict.GARBLED, f"{self._limit} bytes without a line end: {printable(line)}")
        if not newline:
            return None
        self._held = rest
        return line + newline

    def _read_packet(self) -> bytes | Fault | None:
        """Reads as the program does: whatever has arrived, up to the limit, must end with a newline."""
        if not self._held:
            return None
        read, self._held = self._held[: self._limit], self._held[self._limit :]
        if not read.endswith(b"\n"):
            return Fault(
                Verdict.GARBLED, f"one read must hold a whole line of at most {self._limit} bytes: {printable(read)}"
            )
        return read

    def _order(self, line: bytes) -> int | Fault:
        found = self._syntax.match(line)
        if found is None:
            return Fault(Verdict.GARBLED, f"not action,direction: {printable(line)}")
        action, direction = read_number(found[1]), read_number(found[2])
        if not 0 <= action < len(ACTIONS):
            return Fault(Verdict.INVALID, f"no action {action}: they go from 0 to {len(ACTIONS) - 1}")
        if not 0 <= direction < len(DIRECTIONS):
            return Fault(Verdict.INVALID, f"no direction {direction}: they go from 0 to {len(DIRECTIONS) - 1}")
        return len(DIRECTIONS) * action + direction


def read_number(text: bytes) -> int:
    """Reads a number that a bot wrote; one of more than nine digits becomes a billion, which no rule accepts."""
    digits = text.lstrip(b"+-").lstrip(b"0")
    value = int(digits or b"0") if len(digits) <= 9 else 10**9
    return -value if text.startswith(b"-") else value


def open_session(settings: HiveSettings, seat: int) -> HiveSession:
    return HiveSession(settings)


def arguments(host: str, port: int, number: int) -> list[str]:
    """Returns what follows a bot's own command line: `./agent HOST PORT`."""
    return [host, str(port)]
