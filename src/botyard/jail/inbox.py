"""An inbox holds what a bot sends: raw reads in the order they came, and never more than a bounded number of bytes."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections import deque
from collections.abc import Iterator

UNREAD_LIMIT = 64 * 1024  # past this a bot is flooding: no answer of any game is a hundredth of it

PIPE_MOST = 1024 * 1024  # a pipe holds no more, whatever its owner asks for
CHUNK = 64 * 1024


def lying_there(source: asyncio.BaseTransport | None, most: int) -> Iterator[bytes]:
    """Reads what has arrived at a connection's end and was not delivered yet."""
    if source is None or source.is_closing():
        return
    end = source.get_extra_info("pipe") or source.get_extra_info("socket")
    with contextlib.suppress(OSError):  # nothing more is there, or the connection broke: its protocol will hear of it
        while most > 0 and (chunk := os.read(end.fileno(), CHUNK)):
            most -= len(chunk)
            yield chunk


class Inbox(asyncio.Protocol):
    """The receiving half of a connection. Reading stops while a bot is ahead of us by more than the limit."""

    def __init__(self) -> None:
        self._reads: deque[bytes] = deque()
        self._size = 0
        self._news = asyncio.Event()
        self._source: asyncio.ReadTransport | None = None
        self.closed = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.ReadTransport)
        self._source = transport

    def data_received(self, data: bytes) -> None:
        self._reads.append(data)
        self._size += len(data)
        if self.flooded and self._source is not None:
            self._source.pause_reading()
        self._news.set()

    def eof_received(self) -> bool:
        self.close_off()
        return True  # a bot may shut its side down and still be told the end

    def connection_lost(self, error: Exception | None) -> None:
        self.close_off()

    def read_rest(self) -> None:
        """Reads what is left of a bot that has ended, and closes, whoever else still holds its end open."""
        for chunk in lying_there(self._source, PIPE_MOST):
            self.data_received(chunk)
        self.close_off()

    def close_off(self) -> None:
        """Nothing more will come: whoever waits is woken."""
        self.closed = True
        self._news.set()

    @property
    def flooded(self) -> bool:
        return self._size > UNREAD_LIMIT

    async def receive(self) -> bytes:
        """The next raw read; nothing once there is an end."""
        while not self._reads and not self.closed:
            self._news.clear()
            await self._news.wait()
        return self._take(1) if self._reads else b""

    def unread(self) -> bytes:
        """Takes all that has arrived and was not received, also what the event loop has not seen yet."""
        for chunk in lying_there(self._source, UNREAD_LIMIT - self._size):
            self.data_received(chunk)
        return self._take(len(self._reads))

    def _take(self, count: int) -> bytes:
        taken = b"".join(self._reads.popleft() for _ in range(count))
        self._size -= len(taken)
        if self._source is not None and not self.closed:
            self._source.resume_reading()
        return taken
