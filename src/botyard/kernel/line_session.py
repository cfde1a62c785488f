"""This module has the protocol of lines that most new games use: lines ask, and a line with an order's name answers."""

from __future__ import annotations

from typing import Any

from botyard.kernel.errors import YardError
from botyard.kernel.facts import Facts
from botyard.kernel.session import SETTLE_MS, Session, printable
from botyard.kernel.verdict import Fault, Verdict

LINE_BYTES = 200  # the longest answer


class LineSession(Session):
    """The protocol of one bot in lines. A game says in `question` what its bots are told.

    A game whose answers are not names of orders overrides `order`. Lines that came before the question are dropped, so
    that a bot that is a line ahead does not play the whole game one turn too early.
    """

    facts: Facts

    def __init__(self, facts: Facts, move_ms: int) -> None:
        super().__init__(move_ms, SETTLE_MS)
        self.facts = facts
        self._held = b""  # bytes that have come but are not used yet

    def question(self, view: Any) -> str:
        """Returns what a bot is asked: one line or several, without the last line end."""
        raise NotImplementedError

    def order(self, line: str) -> int | Fault:
        """Returns the order that a line of the bot means, or the fault in it."""
        try:
            return self.facts.order_named(line)
        except YardError:
            shown = printable(line.encode("utf-8", "surrogateescape"))
            return Fault(Verdict.GARBLED, f"not one of {', '.join(self.facts.orders)}: {shown}")

    def unasked(self, chunk: bytes) -> bytes:
        self._held += chunk
        end = self._held.rfind(b"\n") + 1
        dropped, self._held = self._held[:end], self._held[end:]
        return dropped

    def ask(self, view: Any) -> bytes:
        return f"{self.question(view)}\n".encode()

    def receive(self, chunk: bytes) -> int | Fault | None:
        self._held += chunk
        line, newline, rest = self._held.partition(b"\n")
        if len(line) > LINE_BYTES:
            self._held = b""
            return Fault(Verdict.GARBLED, f"more than {LINE_BYTES} bytes without a line end: {printable(line)}")
        if not newline:
            return None
        self._held = rest
        return self.order(line.decode("utf-8", "surrogateescape"))
