"""What a server leaves to the garbage collector, and how often it is called."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, ClassVar
from weakref import WeakSet

import pytest
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send
from websockets.asyncio.client import connect

from botyard.links.web.garbage import YOUNG, collect_rarely
from botyard.links.web.http import PatientHttp
from botyard.links.web.server import listen, serving
from tests.waiting import finished, soon, until


@pytest.fixture
def as_before() -> Iterator[None]:
    """The collector as it was before, when the test is over."""
    thresholds = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*thresholds)


@pytest.fixture
def nothing_is_collected() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


async def greet(scope: Scope, receive: Receive, send: Send) -> None:
    """Greets whoever comes, over HTTP or a WebSocket."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        await send({"type": "websocket.send", "text": "hello"})
        await receive()
    else:
        await PlainTextResponse("hello")(scope, receive, send)


async def by_http(port: int) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"POST / HTTP/1.1\r\nHost: here\r\nConnection: close\r\nContent-Length: 3\r\n\r\nabc")
    assert (await soon(reader.read())).endswith(b"hello")
    writer.close()


async def by_http_for_long(port: int) -> None:
    """A connection that the client ends, between two requests."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for _ in range(2):
        writer.write(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
        await soon(reader.readuntil(b"hello"))
    writer.close()


async def by_socket(port: int) -> None:
    async with connect(f"ws://127.0.0.1:{port}/", compression=None, proxy=None) as socket:
        assert await soon(socket.recv()) == "hello"


class Known(PatientHttp):
    """The server's side of a connection, of which can be told whether it is still in memory."""

    alive: ClassVar[WeakSet[Known]] = WeakSet()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.alive.add(self)


@pytest.mark.parametrize("visit", [by_http, by_http_for_long, by_socket])
@pytest.mark.usefixtures("nothing_is_collected")
def test_a_connection_that_has_ended_is_freed_without_the_collector(
    visit: Callable[[int], Coroutine[Any, Any, None]],
) -> None:
    async def main() -> None:
        door = listen("127.0.0.1", 0)
        async with serving(greet, door, http=Known):
            for _ in range(3):
                await visit(door.getsockname()[1])
            await until(lambda: not Known.alive)

    finished(main())


class Knot:
    """Something that refers to itself, which only the collector can free."""

    living = 0

    def __init__(self) -> None:
        self.itself = self
        Knot.living += 1

    def __del__(self) -> None:
        Knot.living -= 1


@pytest.mark.usefixtures("as_before")
def test_garbage_may_lie_about_for_a_while_but_is_collected_in_the_end() -> None:
    collect_rarely()
    for _ in range(YOUNG // 4):
        Knot()
    assert Knot.living == YOUNG // 4
    for _ in range(2 * YOUNG):
        Knot()
    assert Knot.living <= YOUNG
    gc.collect()
    assert Knot.living == 0
