"""TCP: bots that connect to us, started by us or by themselves."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Any

from botyard.jail.inbox import UNREAD_LIMIT, Inbox
from botyard.jail.launch import Launch
from botyard.jail.limits import Level
from botyard.jail.program import Program
from botyard.kernel.errors import YardError
from botyard.kernel.verdict import Fault, Verdict
from botyard.links.aborting import abort
from botyard.links.started_program import EXIT_S, LEAVE_S, StartedProgram
from botyard.match.clock import LoopClock
from botyard.match.deadline import Deadline
from botyard.match.link import Link

SOCKETS = Path("/proc/net/tcp")
LOOPBACK = "127.0.0.1"  # always an IPv4 address: the original C library takes nothing else

CAGE_PORT = 8000  # in a network of its own every bot can have the same
START_ALLOWANCE_S = 60.0  # for a program we started to connect, where the settings name no time


class Connection(Inbox):
    """Both directions of a TCP connection."""

    def __init__(self) -> None:
        super().__init__()
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        super().connection_made(transport)
        self._transport = transport

    def send(self, data: bytes) -> None:
        if self._transport is None or self._transport.is_closing():
            return
        # A bot that never reads cannot fill our memory: past the limit it is told nothing more, and stays silent.
        if self._transport.get_write_buffer_size() < UNREAD_LIMIT:
            self._transport.write(data)

    async def close(self) -> None:
        """Closes the connection after what was sent has gone out, which is waited for only a moment."""
        if self._transport is None:
            return
        self._transport.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LEAVE_S):
                while self._transport.get_write_buffer_size():
                    await asyncio.sleep(0.01)
        abort(self._transport)


class ListeningPort:
    """A port that somebody listens on."""

    def __init__(self, listening: socket.socket) -> None:
        self._socket = listening

    @property
    def host(self) -> str:
        return str(self._socket.getsockname()[0])

    @property
    def port(self) -> int:
        return int(self._socket.getsockname()[1])


class Entrance(ABC):
    """Where a bot comes in: a port of its own or one that it shares, which gives a connection in the end."""

    comes_again: bool = False  # whether a bot that has gone may come back
    only: int | None = None  # the one user whose programs are let in, where bots share our network

    @property
    @abstractmethod
    def host(self) -> str: ...

    @property
    @abstractmethod
    def port(self) -> int: ...

    @property
    def introduction(self) -> contextlib.AbstractAsyncContextManager[None]:
        """Held by the bot that says its name."""
        return contextlib.nullcontext()

    @abstractmethod
    def expect(self) -> None:
        """One more bot will come in here."""

    @abstractmethod
    async def accept(self) -> Connection: ...

    @abstractmethod
    async def leave(self) -> None:
        """A bot needs it no longer; the port closes behind the last."""


class TcpEntrance(ListeningPort, Entrance):
    """A listening port. Bots are let in one at a time, in the order they came."""

    def __init__(self, listening: socket.socket) -> None:
        super().__init__(listening)
        listening.setblocking(False)
        self._turn = asyncio.Lock()
        self._introduction = asyncio.Lock()  # held by the bot that is saying its name
        self._visitors = 0

    @classmethod
    def at(cls, host: str = LOOPBACK, port: int = 0) -> TcpEntrance:
        try:
            return cls(socket.create_server((host, port), backlog=8))
        except OSError as error:
            hint = f"{error.strerror}; choose another port, or 0 for any free one"
            raise YardError(f"cannot listen on {host}:{port}", hint=hint) from None

    @property
    def introduction(self) -> contextlib.AbstractAsyncContextManager[None]:
        """An arena with one port hears one bot out before it turns to the next."""
        return self._introduction

    def expect(self) -> None:
        """One more bot will come through here; the port closes behind the last."""
        self._visitors += 1

    async def accept(self) -> Connection:
        loop = asyncio.get_running_loop()
        async with self._turn:
            accepted, _ = await loop.sock_accept(self._socket)
            while self.only is not None and caller_of(accepted) != self.only:
                accepted.close()  # a rival's program, which would take another bot's seat
                accepted, _ = await loop.sock_accept(self._socket)
        accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        _, connection = await loop.connect_accepted_socket(Connection, accepted)
        return connection

    async def leave(self) -> None:
        self._visitors -= 1
        if self._visitors == 0:
            self._socket.close()


def caller_of(accepted: socket.socket) -> int | None:
    """The user whose program is at the other end of a connection within this machine, as the kernel lists it."""
    with contextlib.suppress(OSError):  # it has gone already
        ends = [written(*accepted.getpeername()), written(*accepted.getsockname())]
        for line in SOCKETS.read_text().splitlines()[1:]:
            fields = line.split()
            if fields[1:3] == ends:
                return int(fields[7])
    return None


def written(host: str, port: int) -> str:
    """An address as the kernel writes it."""
    return f"{int.from_bytes(socket.inet_aton(host), sys.byteorder):08X}:{port:04X}"


def tcp_entrance_on(listening: socket.socket | None) -> Entrance:
    """An entrance on a port that is given, or on any free one."""
    return TcpEntrance.at() if listening is None else TcpEntrance(listening)


async def awaited_for(limit_s: float | None, *tasks: asyncio.Task[Any]) -> None:
    """Until one of them is done or the time is over, in which we were not held up ourselves. None is cancelled."""
    with contextlib.suppress(TimeoutError):
        await Deadline(LoopClock(), limit_s).wait(
            lambda: asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        )  # fmt: skip


class TcpLink(Link):
    """One bot at the other end of a TCP connection that it opens by itself.

    `arrive` waits for the bot before the game, as long as the caller likes; `open` then finds it there, or knows that
    it never came. Without that the game's own time for connecting holds.
    """

    _waited = False  # whether somebody has waited for it before the game
    _absence: Fault | None = None

    def __init__(self, entrance: Entrance) -> None:
        self._entrance: Entrance | None = entrance
        entrance.expect()
        self._connection: Connection | None = None

    async def open(self, limit_s: float | None) -> Fault | None:
        return self._absence if self._waited else await self._let_in(limit_s)

    async def arrive(self, limit_s: float | None) -> Fault | None:
        """Waits for the bot, or for its return if it has left again; why it is not there if it did not come."""
        if self._connection is not None:
            await self._connection.close()
            self._connection = None
        self._absence = await self._let_in(limit_s)
        self._waited = True
        return self._absence

    @property
    def left(self) -> bool:
        """Whether the bot came and has gone again."""
        return self._connection is not None and self._connection.closed

    async def _let_in(self, limit_s: float | None) -> Fault | None:
        assert self._entrance is not None
        arriving = asyncio.create_task(self._entrance.accept())
        try:
            await awaited_for(limit_s, arriving)
            if arriving.done():
                self._connection = arriving.result()
                return None
        finally:
            arriving.cancel()
        return Fault(Verdict.SILENT, f"no connection to port {self._entrance.port} within {limit_s:g} s")

    @property
    def comes_again(self) -> bool:
        return self._entrance is not None and self._entrance.comes_again

    @property
    def introduction(self) -> contextlib.AbstractAsyncContextManager[None]:
        return self._entrance.introduction if self._entrance is not None else contextlib.nullcontext()

    async def _leave_entrance(self) -> None:
        if self._entrance is not None:
            await self._entrance.leave()
            self._entrance = None

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
        return Fault(Verdict.GONE, "the bot closed its connection")

    async def close(self) -> None:
        if self._connection is not None:
            await self._connection.close()
        await self._leave_entrance()


class StartedTcpLink(StartedProgram, TcpLink):
    """A bot we start ourselves, which then connects to us: over the machine's loopback, or out of its cage.

    `launch` is asked with the host and port to connect to, and gives the whole command line; `enter` makes the entrance
    on a port, which is the cage's or, without one, any that is free.
    """

    def __init__(
        self,
        launch: Callable[[str, int], Launch],
        enter: Callable[[socket.socket | None], Entrance] = tcp_entrance_on,
    ) -> None:
        self._launch, self._enter = launch, enter
        self._entrance = None
        self._connection: Connection | None = None

    async def open(self, limit_s: float | None) -> Fault | None:
        caged = self._launch(LOOPBACK, CAGE_PORT)
        if caged.level is not Level.CAGED:
            self._entrance = self._enter(None)
            self._entrance.expect()
        launch = caged if self._entrance is None else self._launch(self._entrance.host, self._entrance.port)
        started = await Program.start(launch)
        if isinstance(started, Fault):
            return started
        self._program = started
        if self._entrance is not None:
            self._entrance.only = started.cell.user
        else:
            door = started.cell.door
            assert door is not None
            self._entrance = self._enter(door.dup())
            self._entrance.expect()
            door.close()
        fault = await self._await_arrival(self._entrance, started, limit_s or START_ALLOWANCE_S)
        if not self.comes_again:
            await self._leave_entrance()  # a second connection is refused
        return fault

    async def _await_arrival(self, entrance: Entrance, program: Program, limit_s: float) -> Fault | None:
        arriving, ending = asyncio.create_task(entrance.accept()), asyncio.create_task(program.ended())
        try:
            await awaited_for(limit_s, arriving, ending)
            if arriving.done():
                self._connection = arriving.result()
                return None
        finally:
            for task in (arriving, ending):
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError, OSError):
                    await task
            if arriving.done() and not arriving.cancelled() and not arriving.exception():
                self._connection = arriving.result()  # also if nobody waits any more: it is to be closed
        if fault := program.fate():
            return Fault(fault.verdict, f"{fault.reason}, before it connected")
        return Fault(Verdict.SILENT, f"no connection to port {entrance.port} within {limit_s:g} s")

    async def departure(self) -> Fault:
        """A program that failed has crashed; one that closed its connection has gone."""
        assert self._program is not None
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(EXIT_S):
                await self._program.ended()
        if not self._program.running and await self._program.ended() != 0:  # also if that was noticed late
            return self._program.judge()
        return await super().departure()

    async def close(self) -> None:
        await self.freeze(False)
        await super().close()
        await self._end(gently=self._connection is not None)
