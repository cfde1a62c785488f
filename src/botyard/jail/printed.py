"""What a program prints beside its answers is kept for its author, and is never in the way of the game."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from botyard.jail.inbox import PIPE_MOST, lying_there
from botyard.jail.note_lines import NoteLines, NoteSieve

HEAD_BYTES = 8192
TAIL_BYTES = 8192

Overhear = Callable[[bytes], None]
"""Hears everything a program prints, the moment it does; for those who want more of it than its two ends."""


def nobody_listens(chunk: bytes) -> None:
    """Lets what was printed pass; for callers to whom its two ends are enough."""


class Printed:
    """Keeps the beginning and the end of what was printed, and counts the middle. Note lines are kept apart."""

    def __init__(self, overhear: Overhear = nobody_listens) -> None:
        self._head, self._tail, self._dropped = bytearray(), bytearray(), 0
        self._sieve, self._overhear = NoteSieve(), overhear
        self.total = 0

    def add(self, chunk: bytes) -> None:
        self.total += len(chunk)
        self._overhear(chunk)
        self._keep(self._sieve.sift(chunk))

    def end(self) -> None:
        """Nothing more will be printed: a last line without an end is taken as it is."""
        self._keep(self._sieve.end())

    def _keep(self, chunk: bytes) -> None:
        room = HEAD_BYTES - len(self._head)
        self._head += chunk[:room]
        self._tail += chunk[room:]
        excess = len(self._tail) - TAIL_BYTES
        if excess > 0:
            del self._tail[:excess]
            self._dropped += excess

    def take(self) -> str:
        """The text since the last call."""
        gap = f"\n… {self._dropped} bytes dropped …\n".encode() if self._dropped else b""
        text = (self._head + gap + self._tail).decode("utf-8", "replace")
        self._head, self._tail, self._dropped = bytearray(), bytearray(), 0
        return text

    def take_notes(self) -> NoteLines:
        """The note lines since the last call."""
        return self._sieve.take()


class PrintedReader(asyncio.Protocol):
    """Drains a pipe into `Printed`, so that nobody blocks on printing."""

    def __init__(self, printed: Printed, limit: int, overrun: Callable[[], None]) -> None:
        self._printed, self._limit, self._overrun = printed, limit, overrun
        self._source: asyncio.BaseTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._source = transport

    def data_received(self, data: bytes) -> None:
        self._printed.add(data)
        if self._printed.total > self._limit:
            self._overrun()

    def read_rest(self) -> None:
        """Reads what is left of a program that has ended."""
        for chunk in lying_there(self._source, PIPE_MOST):
            self._printed.add(chunk)
        self._printed.end()
