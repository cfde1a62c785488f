"""A server of rooms inside a test: real sockets, and ticks when the test says so."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from botyard.games import load
from botyard.kernel.chance import LOWEST
from botyard.links.codenjoy.addresses import CONTEXT
from botyard.links.codenjoy.app import room_server
from botyard.links.web.server import listen, serving
from botyard.links.websocket.player_socket import PlayerSocket
from botyard.match.lobby import Lobby
from botyard.match.room import Room
from botyard.match.room_field import Member
from tests.waiting import PATIENCE_S, RUN_S, bounded, soon, until

SMALL_MAP = "☼☼☼☼☼☼☼\n☼#    ☼\n☼☼    ☼\n☼#    ☼\n☼☼    ☼\n☼☼    ☼\n☼☼☼☼☼☼☼"


@contextlib.contextmanager
def nothing_left_open() -> Iterator[None]:
    before = len(list(Path("/proc/self/fd").iterdir()))
    yield
    assert len(list(Path("/proc/self/fd").iterdir())) <= before + 2  # an event loop's own may come and go


class LeapingLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock can be put forward: minutes pass at once, and everything due by then happens."""

    leapt = 0.0

    def time(self) -> float:
        return super().time() + self.leapt


def run_leaping(main: Callable[[Callable[[float], Awaitable[None]]], Coroutine[Any, Any, None]]) -> None:
    """Runs a test that is given a function to let so many seconds pass."""
    loop = LeapingLoop()

    async def within_bounds() -> None:
        async with bounded(RUN_S, "the event loop is not finished") as bound:

            async def leap(seconds: float) -> None:
                loop.leapt += seconds
                bound.reschedule((bound.when() or 0.0) + seconds)  # whose time does not leap
                for _ in range(5):
                    await asyncio.sleep(0)

            await main(leap)

    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(within_bounds())


def make_room(name: str = "snakebattle", patience_ms: int = 0, preset: str | None = None, **settings: Any) -> Room:
    """A small room in which every die shows the lowest number: start cells in the order of the map, nothing appears."""
    book = load("snakebattle")
    chosen = {"level_map": SMALL_MAP, "rounds_players_per_room": 2, **settings}
    room = Room(name, book, book.settings.read(chosen, preset), patience_ms)
    room.blank.arena.chance_kind = LOWEST
    return room


@dataclass
class Hall:
    """A running server."""

    lobby: Lobby
    port: int

    @property
    def room(self) -> Room:
        return next(iter(self.lobby.rooms.values()))

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{CONTEXT}{path}"

    def register(self, *names: str, room: Room | None = None) -> list[Member]:
        """Players whose user id is their name and whose code is 7."""
        return [self.lobby.register(room or self.room, name, name, "7") for name in names]

    @contextlib.asynccontextmanager
    async def socket(self, user: str, code: str = "7", **options: Any) -> AsyncIterator[ClientConnection]:
        """A client of its own, after the server has noticed it."""
        found = self.lobby.find(user)
        before = len(found[1].listeners) if found else 0
        address = f"ws://127.0.0.1:{self.port}{CONTEXT}/ws?user={user}&code={code}"
        async with connect(address, compression=None, proxy=None, **options) as made:
            if found:
                await until(lambda: len(found[1].listeners) != before)
            yield made

    async def tick(self, *clients: ClientConnection) -> list[str]:
        """One tick of the first room; the boards these sockets then get."""
        self.room.tick()
        return [str(await hear(client)) for client in clients]


async def hear(client: ClientConnection) -> str | bytes:
    return await soon(client.recv())


async def say(client: ClientConnection, member: Member, text: str) -> None:
    """Sends an answer that orders something, and waits until it has been heard."""
    before = member.order
    await client.send(text)
    await until(lambda: member.order != before)


@contextlib.asynccontextmanager
async def hall(*rooms: Room, send_bytes: int = 0, **options: Any) -> AsyncIterator[Hall]:
    """A server with some rooms; the kernel takes no more than so many bytes for a client that does not read them."""
    lobby = Lobby()
    for room in rooms or (make_room(),):
        lobby.open(room)
    door = listen("127.0.0.1", 0)
    if send_bytes:
        door.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, send_bytes)
    async with serving(room_server(lobby), door, **options):
        yield Hall(lobby, door.getsockname()[1])


def answered(member: Member) -> bool:
    """Whether the only socket of a member owes no answer."""
    [listener] = member.listeners
    assert isinstance(listener, PlayerSocket)
    return not listener.owes


@dataclass
class Answer:
    """What came back over HTTP."""

    status: int
    headers: dict[str, str]
    body: str

    @property
    def json(self) -> Any:
        return json.loads(self.body)


async def fetch(here: Hall, path: str, body: bytes | None = None, **headers: str) -> Answer:
    """A GET below the context, or with a body a POST."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    fields = {"Host": f"127.0.0.1:{here.port}", "Connection": "close", **named}
    if body is not None:
        fields.setdefault("Content-Length", str(len(body)))
    lines = [f"{'GET' if body is None else 'POST'} {CONTEXT}{path} HTTP/1.1"]
    lines += [f"{name}: {value}" for name, value in fields.items()]
    return await exchange(here, "\r\n".join([*lines, "", ""]).encode() + (body or b""))


async def exchange(here: Hall, request: bytes) -> Answer:
    """Raw bytes of a request, and the answer to them."""
    reader, writer = await asyncio.open_connection("127.0.0.1", here.port)
    writer.write(request)
    try:
        async with bounded(PATIENCE_S, "no answer came"):
            first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().strip().split("\r\n")
            body = await reader.read()
    finally:
        writer.close()
    headers = dict(line.lower().split(": ", 1) for line in lines)
    return Answer(int(first.split()[1]), headers, body.decode())


@contextlib.asynccontextmanager
async def raw_socket(
    here: Hall, user: str, code: str = "7", receive_bytes: int = 0
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A WebSocket with nobody behind it who keeps to the protocol."""
    plain = socket.socket()
    if receive_bytes:
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
    plain.setblocking(False)
    await asyncio.get_running_loop().sock_connect(plain, ("127.0.0.1", here.port))
    reader, writer = await asyncio.open_connection(sock=plain, limit=1024)
    lines = [f"GET {CONTEXT}/ws?user={user}&code={code} HTTP/1.1", "Host: x", "Upgrade: websocket"]
    lines += ["Connection: Upgrade", "Sec-WebSocket-Key: UZwtPwuKTbaW/EM9hewx0g==", "Sec-WebSocket-Version: 13"]
    writer.write("\r\n".join([*lines, "", ""]).encode())
    async with bounded(PATIENCE_S, "the server opened no socket"):
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101 ")
        found = here.lobby.find(user)
        assert found is not None
        await until(lambda: found[1].listeners)
    try:
        yield reader, writer
    finally:
        writer.transport.abort()


TEXT, PING, CONTINUED = 0x1, 0x9, 0x0


def frame(kind: int, payload: bytes = b"", last: bool = True) -> bytes:
    """A short frame of a client; masked with zeros, which masks nothing."""
    assert len(payload) < 126
    return bytes([kind | (0x80 if last else 0), 0x80 | len(payload), 0, 0, 0, 0]) + payload
