"""How long requests may take: each part of each kind of route, on the real server, with a clock that can leap."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from math import inf

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from botyard.links.codenjoy.addresses import CONTEXT
from botyard.links.web.http import PatientHttp
from botyard.links.web.pace import HEAD_S, IDLE_S, PAGE, STREAM, UPLOAD, Pace, Paced, keep_pace
from botyard.links.web.server import listen, serving
from tests.links.hall import hall, nothing_left_open, run_leaping
from tests.waiting import read_on, until

Leap = Callable[[float], Awaitable[None]]
BIT = PAGE.patience_s / 4  # of a patience: a busy machine has the rest
FILE_BYTES = 2 << 20
PIECE = b"x" * PAGE.least_rate * 10


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    with nothing_left_open():
        yield


@dataclass
class Studio:
    """A small server with a route of every pace, and what has become of its requests."""

    port: int = 0
    got: int = 0  # bytes of uploads
    gate: asyncio.Event = field(default_factory=asyncio.Event)  # uploads are read while it is open
    news: asyncio.Queue[bytes] = field(default_factory=asyncio.Queue)  # what streams send next; nothing ends them
    ended: list[str] = field(default_factory=list)

    async def takes(self, size: int) -> None:
        """Until so much has been uploaded, or no more is taken."""
        await until(lambda: self.got >= size or self.ended)

    async def ends(self, what: str) -> None:
        await until(lambda: what in self.ended)

    def app(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/upload", Paced(UPLOAD, self._upload), methods=["POST"]),
                Route("/stream", self.stream),
                Route("/flood", Paced(STREAM, self._flood)),
                Route("/file", Paced(STREAM, self._file)),
                Route("/slow", self.slow),
            ]
        )

    async def _upload(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        try:
            async for piece in request.stream():
                self.got += len(piece)
                await self.gate.wait()
        finally:
            self.ended.append("upload")
        await PlainTextResponse(f"{self.got} bytes")(scope, receive, send)

    async def stream(self, request: Request) -> Response:
        keep_pace(request.scope, STREAM)

        async def pieces() -> AsyncIterator[bytes]:
            try:
                while piece := await self.news.get():
                    yield piece
            finally:
                self.ended.append("stream")

        return StreamingResponse(pieces())

    async def _flood(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sends without end and listens to nobody."""
        try:
            await send({"type": "http.response.start", "status": 200, "headers": []})
            while True:
                await send({"type": "http.response.body", "body": bytes(1 << 16), "more_body": True})
        finally:
            self.ended.append("flood")

    async def _file(self, scope: Scope, receive: Receive, send: Send) -> None:
        await Response(bytes(FILE_BYTES))(scope, receive, send)

    async def slow(self, request: Request) -> Response:
        await asyncio.sleep(3600)
        return PlainTextResponse("at last")


@contextlib.asynccontextmanager
async def studio() -> AsyncIterator[Studio]:
    door = listen("127.0.0.1", 0)
    here = Studio(door.getsockname()[1])
    async with serving(here.app(), door, timeout_graceful_shutdown=1):
        yield here


Ends = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@contextlib.asynccontextmanager
async def caller(port: int, request: bytes, receive_bytes: int = 0) -> AsyncIterator[Ends]:
    plain = socket.socket()
    if receive_bytes:
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
    plain.setblocking(False)
    await asyncio.get_running_loop().sock_connect(plain, ("127.0.0.1", port))
    reader, writer = await asyncio.open_connection(sock=plain, limit=1024)
    writer.write(request)
    try:
        yield reader, writer
    finally:
        writer.transport.abort()


async def rest_of(reader: asyncio.StreamReader) -> bytes:
    """Everything until the connection ends, however it does."""
    whole = bytearray()
    with contextlib.suppress(ConnectionResetError):
        while piece := await reader.read(1 << 16):
            whole += piece
    return bytes(whole)


def get(path: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode()


def post(path: str, length: int) -> bytes:
    return f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n\r\n".encode()


# Heads, and the pause between two requests


@pytest.mark.parametrize(
    "sent",
    [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: "],
    ids=["nothing", "half a line", "half a header"],
)
def test_a_head_has_a_short_time_in_all(callers: list[PatientHttp], sent: bytes) -> None:
    async def main(leap: Leap) -> None:
        async with hall() as here, caller(here.port, sent) as (reader, writer):
            await until(lambda: callers)
            for _ in range(4):
                writer.write(b"x" if sent else b"")  # a little now and then does not help
                await leap(HEAD_S / 4)
            assert await rest_of(reader) == b""

    run_leaping(main)


def test_a_second_head_has_a_short_time_too(callers: list[PatientHttp]) -> None:
    async def main(leap: Leap) -> None:
        async with hall() as here, caller(here.port, get(f"{CONTEXT}/rest/health")) as (reader, writer):
            await reader.readuntil(b"ok")
            await leap(IDLE_S / 2)
            writer.write(b"GET / HT")
            await until(lambda: callers[0].conn.trailing_data[0])
            assert not reader.at_eof()
            await leap(HEAD_S)
            assert await rest_of(reader) == b""

    run_leaping(main)


def test_a_second_head_that_has_begun_is_no_pause(callers: list[PatientHttp]) -> None:
    async def main(leap: Leap) -> None:
        async with hall() as here, caller(here.port, get(f"{CONTEXT}/rest/health") + b"GET / HT") as (reader, _):
            await reader.readuntil(b"ok")
            await leap(HEAD_S)
            assert callers[0].transport.is_closing()

    run_leaping(main)


def test_a_connection_without_a_further_request_is_closed_after_a_while() -> None:
    async def main(leap: Leap) -> None:
        async with hall() as here, caller(here.port, get(f"{CONTEXT}/rest/health")) as (reader, writer):
            await reader.readuntil(b"ok")
            await leap(IDLE_S / 2)
            writer.write(get(f"{CONTEXT}/rest/health"))
            await reader.readuntil(b"ok")
            await leap(IDLE_S)
            assert await rest_of(reader) == b""

    run_leaping(main)


def test_a_socket_has_no_deadline_any_more(callers: list[PatientHttp]) -> None:
    async def main(leap: Leap) -> None:
        async with hall() as here:
            here.register("ann")
            async with here.socket("ann", ping_interval=None) as client:
                await leap(IDLE_S + HEAD_S + PAGE.body_s + PAGE.answer_s)
                await here.tick(client)

    run_leaping(main)


# Pages


def test_half_a_form_is_told_that_it_came_too_slowly() -> None:
    async def main(leap: Leap) -> None:
        async with hall() as here, caller(here.port, post(f"{CONTEXT}/register", 100) + b"name=") as (reader, _):
            await leap(0)
            await leap(PAGE.body_s)
            assert (await rest_of(reader)).startswith(b"HTTP/1.1 408 ")

    run_leaping(main)


def test_a_page_that_takes_too_long_is_given_up(callers: list[PatientHttp]) -> None:
    async def main(leap: Leap) -> None:
        async with studio() as here, caller(here.port, get("/slow")) as (reader, _):
            await until(lambda: callers and callers[0].cycle)
            await leap(PAGE.answer_s)
            assert await rest_of(reader) == b""

    run_leaping(main)


# Uploads


def test_an_upload_lives_by_its_progress() -> None:
    pieces = 40  # more than the patience and a page's time together

    async def main(leap: Leap) -> None:
        async with studio() as here, caller(here.port, post("/upload", pieces * len(PIECE))) as (reader, writer):
            here.gate.set()
            for count in range(1, pieces + 1):
                writer.write(PIECE)
                await here.takes(count * len(PIECE))
                await leap(BIT)
            assert f"{pieces * len(PIECE)} bytes".encode() in await reader.readuntil(b"bytes")

    run_leaping(main)


@pytest.mark.parametrize("trickle", [b"", b"x", b"1;" + b"e" * 5000 + b"\r\nx\r\n"], ids=["nothing", "bytes", "chunks"])
def test_an_upload_that_trickles_is_let_go(trickle: bytes) -> None:
    head = post("/upload", 10**6)
    if trickle.startswith(b"1;"):  # what stands around the bytes is no progress
        head = head.replace(b"Content-Length: 1000000", b"Transfer-Encoding: chunked")

    async def main(leap: Leap) -> None:
        async with studio() as here, caller(here.port, head) as (reader, writer):
            here.gate.set()
            for count in range(1, 6):
                writer.write(trickle)
                await here.takes(count if trickle else 0)
                await leap(BIT)
            assert (await rest_of(reader)).startswith(b"HTTP/1.1 408 ")
            await until(lambda: here.ended == ["upload"])

    run_leaping(main)


def test_a_burst_buys_no_long_silence() -> None:
    async def main(leap: Leap) -> None:
        async with studio() as here, caller(here.port, post("/upload", 10**9)) as (reader, writer):
            here.gate.set()
            writer.write(PIECE * 100)
            await until(lambda: here.got == 100 * len(PIECE))
            await leap(UPLOAD.patience_s)
            assert (await rest_of(reader)).startswith(b"HTTP/1.1 408 ")

    run_leaping(main)


def test_an_upload_that_never_ends_has_an_end() -> None:
    async def main(leap: Leap) -> None:
        async with studio() as here, caller(here.port, post("/upload", 10**12)) as (reader, writer):
            here.gate.set()
            while not here.ended:
                writer.write(PIECE)
                await here.takes(here.got + len(PIECE))
                await leap(2 * BIT)
            assert (await rest_of(reader)).startswith(b"HTTP/1.1 408 ")

    run_leaping(main)


def test_a_slow_app_is_not_the_clients_fault(callers: list[PatientHttp]) -> None:
    size = 64 * len(PIECE)

    async def main(leap: Leap) -> None:
        async with studio() as here, caller(here.port, post("/upload", size)) as (reader, writer):
            writer.write(bytes(size))
            await until(lambda: callers and callers[0].flow and callers[0].flow.read_paused)
            for _ in range(10):
                await leap(UPLOAD.patience_s)
            here.gate.set()
            assert f"{size} bytes".encode() in await reader.readuntil(b"bytes")

    run_leaping(main)


# Streams


def test_a_stream_lives_while_it_is_read() -> None:
    async def main(leap: Leap) -> None:
        async with studio() as here, caller(here.port, get("/stream")) as (reader, _):
            for at in range(20):
                here.news.put_nowait(b"event %d\n" % at)
                await reader.readuntil(b"event %d\n" % at)
                await leap(PAGE.answer_s)
            here.news.put_nowait(b"")
            assert b"\r\n0\r\n" in await reader.readuntil(b"\r\n0\r\n")
            assert here.ended == ["stream"]

    run_leaping(main)


def test_a_stream_that_is_not_read_is_let_go_and_its_app_is_told(callers: list[PatientHttp]) -> None:
    async def main(leap: Leap) -> None:
        async with studio() as here, caller(here.port, get("/flood"), receive_bytes=4096):
            await until(lambda: callers and callers[0].flow and callers[0].flow.write_paused)
            await leap(STREAM.patience_s)
            await until(lambda: here.ended == ["flood"])

    run_leaping(main)


def test_a_stream_whose_reader_leaves_ends_its_app() -> None:
    async def main(leap: Leap) -> None:
        async with studio() as here:
            for path in ("/flood", "/stream"):
                async with caller(here.port, get(path)) as (reader, _):
                    await reader.readuntil(b"\r\n\r\n")
                await here.ends(path.strip("/"))

    run_leaping(main)


def test_a_large_answer_may_be_read_slowly(callers: list[PatientHttp]) -> None:
    async def main(leap: Leap) -> None:
        async with studio() as here, caller(here.port, get("/file"), receive_bytes=4096) as (reader, _):
            await reader.readuntil(b"\r\n\r\n")
            taken, slow = 0, 4 * PAGE.answer_s
            while taken < FILE_BYTES:
                taken += len(await read_on(reader))
                if slow > 0 and taken > FILE_BYTES * (1 - slow / (5 * PAGE.answer_s)):
                    await leap(BIT)
                    slow -= BIT
            assert slow <= 0

    run_leaping(main)


def test_an_answer_that_is_not_taken_is_let_go(callers: list[PatientHttp]) -> None:
    async def main(leap: Leap) -> None:
        async with studio() as here, caller(here.port, get("/file"), receive_bytes=4096):
            await until(lambda: callers and callers[0].cycle and callers[0].cycle.response_complete)
            await leap(STREAM.patience_s)
            assert callers[0].transport.is_closing()

    run_leaping(main)


def test_the_server_may_end_while_a_stream_is_open(caplog: pytest.LogCaptureFixture) -> None:
    async def main(leap: Leap) -> None:
        async with contextlib.AsyncExitStack() as clients, studio() as here:
            reader, _ = await clients.enter_async_context(caller(here.port, get("/stream")))
            await reader.readuntil(b"\r\n\r\n")
        assert caplog.records == []

    run_leaping(main)


def test_under_another_server_a_route_may_name_its_pace_too() -> None:
    keep_pace({"type": "http"}, Pace(answer_s=inf))
