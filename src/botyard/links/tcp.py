"""TCP: bots that connect to us, started by us or by themselves."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections import deque
from collections.abc import Sequence
from pathlib import Path

from botyard.kernel.errors import YardError
from botyard.kernel.verdict import Fault, Verdict
from botyard.links.program import Program

LOOPBACK = "127.0.0.1"  # always an IPv4 address: the original C library takes nothing else

UNREAD_LIMIT = 64 * 1024  # past this a bot is flooding: no answer of any game is a hundredth of it
START_ALLOWANCE_S = 60.0  # for a program we started to connect, where the settings name no time
LEAVE_S = 0.5  # for a program to end by itself after its game
EXIT_S = 0.1  # for a program's end to be noticed after its connection has closed


class Connection(asyncio.Protocol):
    """Raw reads in the order they came. Reading stops while a bot is ahead of us by more than the limit."""

    def __init__(self) -> None:
        self._reads: deque[bytes] = deque()
        self._size = 0
        self._news = asyncio.Event()
        self._transport: asyncio.Transport | None = None
        self.closed = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._reads.append(data)
        self._size += len(data)
        if self.flooded and self._transport is not None:
            self._transport.pause_reading()
        self._news.set()

    def eof_received(self) -> bool:
        self.closed = True
        self._news.set()
        return True  # a bot may shut its side down and still be told the end

    def connection_lost(self, error: Exception | None) -> None:
        self.closed = True
        self._news.set()

    @property
    def flooded(self) -> bool:
        return self._size > UNREAD_LIMIT

    async def receive(self) -> bytes:
        while not self._reads and not self.closed:
            self._news.clear()
            await self._news.wait()
        return self._take(1) if self._reads else b""

    def unread(self) -> bytes:
        return self._take(len(self._reads))

    def _take(self, count: int) -> bytes:
        taken = b"".join(self._reads.popleft() for _ in range(count))
        self._size -= len(taken)
        if self._transport is not None and not self.closed:
            self._transport.resume_reading()
        return taken

    def send(self, data: bytes) -> None:
        if self._transport is None or self._transport.is_closing():
            return
        # A bot that never reads cannot fill our memory: past the limit it is told nothing more, and stays silent.
        if self._transport.get_write_buffer_size() < UNREAD_LIMIT:
            self._transport.write(data)

    async def close(self) -> None:
        """What was sent still goes out, but nobody is waited for."""
        if self._transport is None:
            return
        self._transport.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LEAVE_S):
                while self._transport.get_write_buffer_size():
                    await asyncio.sleep(0.01)
        self._transport.abort()


class Doorway:
    """A listening port. Bots are let in one at a time, in the order they came."""

    def __init__(self, host: str = LOOPBACK, port: int = 0) -> None:
        try:
            self._socket = socket.create_server((host, port), backlog=8)
        except OSError as error:
            hint = f"{error.strerror}; choose another port, or 0 for any free one"
            raise YardError(f"cannot listen on {host}:{port}", hint=hint) from None
        self._socket.setblocking(False)
        self._turn = asyncio.Lock()
        self._guests = 0

    @property
    def host(self) -> str:
        return str(self._socket.getsockname()[0])

    @property
    def port(self) -> int:
        return int(self._socket.getsockname()[1])

    def expect(self) -> None:
        """One more bot will come through here; the port closes behind the last."""
        self._guests += 1

    async def accept(self) -> Connection:
        loop = asyncio.get_running_loop()
        async with self._turn:
            accepted, _ = await loop.sock_accept(self._socket)
        accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        _, connection = await loop.connect_accepted_socket(Connection, accepted)
        return connection

    def leave(self) -> None:
        self._guests -= 1
        if self._guests == 0:
            self._socket.close()


class TcpLink:
    """One bot at the other end of a TCP connection; with a command, a bot we start ourselves."""

    def __init__(self, doorway: Doorway, command: Sequence[str] = (), folder: Path | None = None) -> None:
        self._doorway = doorway
        self._doorway.expect()
        self._command, self._folder = command, folder or Path.cwd()
        self._program: Program | None = None
        self._connection: Connection | None = None

    async def open(self, limit_s: float | None) -> Fault | None:
        if self._command:
            started = await Program.start(self._command, self._folder)
            if isinstance(started, Fault):
                return started
            self._program = started
        arriving = asyncio.create_task(self._doorway.accept())
        try:
            return await self._await_arrival(arriving, limit_s)
        finally:
            arriving.cancel()
            with contextlib.suppress(asyncio.CancelledError, OSError):
                await arriving

    async def _await_arrival(self, arriving: asyncio.Task[Connection], limit_s: float | None) -> Fault | None:
        if self._program is None:
            ending = None
        else:
            ending = asyncio.create_task(self._program.ended())
            limit_s = limit_s or START_ALLOWANCE_S
        waited: set[asyncio.Task[Connection] | asyncio.Task[int]] = {arriving} | ({ending} if ending else set())
        try:
            await asyncio.wait(waited, timeout=limit_s, return_when=asyncio.FIRST_COMPLETED)
        finally:
            if ending:
                ending.cancel()
        if arriving.done():
            self._connection = arriving.result()
            return None
        if self._program is not None and not self._program.running:
            return Fault(Verdict.CRASHED, f"the program ended before it connected: {self._program.ending()}")
        return Fault(Verdict.SILENT, f"no connection to port {self._doorway.port} within {limit_s:g} s")

    async def send(self, data: bytes) -> None:
        if self._connection is not None:
            self._connection.send(data)

    async def receive(self) -> bytes:
        return await self._connection.receive() if self._connection is not None else b""

    def unread(self) -> bytes:
        return self._connection.unread() if self._connection is not None else b""

    @property
    def flooded(self) -> bool:
        return self._connection is not None and self._connection.flooded

    async def departure(self) -> Fault:
        """A program that failed has crashed; one that closed its connection has gone."""
        if self._program is not None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(EXIT_S):
                    if await self._program.ended() != 0:
                        return Fault(Verdict.CRASHED, f"the program ended: {self._program.ending()}")
        return Fault(Verdict.GONE, "the bot closed its connection")

    def said(self) -> str:
        return self._program.said() if self._program is not None else ""

    async def close(self) -> None:
        if self._connection is not None:
            await self._connection.close()
        if self._program is not None:
            if self._connection is not None:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(LEAVE_S):
                        await self._program.ended()
            await self._program.stop()
        self._doorway.leave()
