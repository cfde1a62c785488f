"""Requests that two readers could understand differently, or that cost too much: refused, and nobody else notices."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Iterable, Iterator

import pytest

from botyard.links.codenjoy.addresses import CONTEXT
from botyard.links.web import heads
from botyard.links.web.heads import HEAD_BYTES, LINE_BYTES, MOST_LINES, Refused, check_head
from tests.links.hall import Hall, exchange, fetch, hall, nothing_left_open
from tests.waiting import finished, soon, until


@pytest.fixture(autouse=True)
def nothing_is_left(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Neither an open file nor a line in the log."""
    with nothing_left_open():
        yield
    assert caplog.records == []


def asked(*headers: bytes, line: bytes = b"GET /codenjoy-contest/rest/health HTTP/1.1", body: bytes = b"") -> bytes:
    return b"\r\n".join([line, b"Host: x", *headers, b"", body])


def posted(*headers: bytes, body: bytes) -> bytes:
    return asked(*headers, line=b"POST /codenjoy-contest/register HTTP/1.1", body=body)


SOCKET = (b"Connection: Upgrade", b"Upgrade: websocket", b"Sec-WebSocket-Version: 13",
          b"Sec-WebSocket-Key: UZwtPwuKTbaW/EM9hewx0g==")  # fmt: skip
TO_SOCKET = b"GET /codenjoy-contest/ws?user=ann&code=7 HTTP/1.1"
CHUNKED = b"Transfer-Encoding: chunked"

REFUSED = {
    "60 KB of headers in one piece": (431, asked(b"X: " + b"y" * 60_000)),
    "60 KB of short headers": (431, asked(*[b"X: yyyyyyyy"] * 5000)),
    "a header too many": (431, asked(*[b"X: y"] * MOST_LINES)),
    "a long header": (431, asked(b"X: " + b"y" * LINE_BYTES)),
    "headers without end": (431, asked(b"X: " + b"y" * 100_000)[:-4]),
    "a long first line": (414, asked(line=b"GET /" + b"a" * LINE_BYTES + b" HTTP/1.1")),
    "a first line without end": (414, b"GET /" + b"a" * 100_000),
    "a length and chunks": (400, posted(b"Content-Length: 5", CHUNKED, body=b"0\r\n\r\n")),
    "chunks and a length": (400, posted(CHUNKED, b"Content-Length: 5", body=b"0\r\n\r\n")),
    "two lengths": (400, posted(b"Content-Length: 5", b"Content-Length: 6", body=b"name=a")),
    "the same length twice": (400, posted(b"Content-Length: 6", b"Content-Length: 6", body=b"name=a")),
    "a list of lengths": (400, posted(b"Content-Length: 6, 6", body=b"name=a")),
    "a length with a sign": (400, posted(b"Content-Length: +6", body=b"name=a")),
    "a length below zero": (400, posted(b"Content-Length: -1", body=b"name=a")),
    "an endless length": (400, posted(b"Content-Length: " + b"9" * 5000, body=b"name=a")),
    "chunked twice": (400, posted(CHUNKED, CHUNKED, body=b"0\r\n\r\n")),
    "chunked, chunked": (400, posted(b"Transfer-Encoding: chunked, chunked", body=b"0\r\n\r\n")),
    "chunks of something": (400, posted(b"Transfer-Encoding: gzip, chunked", body=b"0\r\n\r\n")),
    "chunks in HTTP/1.0": (400, posted(CHUNKED, body=b"0\r\n\r\n").replace(b"HTTP/1.1", b"HTTP/1.0")),
    "a chunk without a size": (400, posted(CHUNKED, body=b"\r\nx\r\n")),
    "a chunk of a word": (400, posted(CHUNKED, body=b"zz\r\nx\r\n")),
    "a chunk below zero": (400, posted(CHUNKED, body=b"-1\r\nx\r\n")),
    "a chunk of 2^96": (400, posted(CHUNKED, body=b"1" + b"0" * 24 + b"\r\nx\r\n")),
    "a chunk longer than it says": (400, posted(CHUNKED, body=b"1\r\nxxxx\r\n")),
    "huge words beside a chunk": (400, posted(CHUNKED, body=b"1;" + b"a" * 60_000 + b"\r\nx\r\n0\r\n\r\n")),
    "huge trailers": (400, posted(CHUNKED, body=b"0\r\n" + b"X: y\r\n" * 20_000 + b"\r\n")),
    "a folded header": (400, asked(b"X: a", b" b")),
    "a space before the colon": (400, asked(b"X : a")),
    "a header without a name": (400, asked(b": a")),
    "a header without a colon": (400, asked(b"X")),
    "a zero byte": (400, asked(b"X: a\0b")),
    "a carriage return alone": (400, asked(b"X: a\rb")),
    "a line feed alone": (400, asked(b"X: a\nContent-Length: 5")),
    "line feeds only": (400, asked().replace(b"\r", b"")),
    "line feeds after the first line": (400, b"GET / HTTP/1.1\r\nHost: x\n\n"),
    "an empty line first": (400, b"\r\n" + asked()),
    "HTTP/0.9": (400, b"GET /\r\n"),
    "HTTP/2": (400, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    "HTTP/1.2": (400, asked(line=b"GET / HTTP/1.2")),
    "TLS": (400, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"),
    "a whole address": (400, asked(line=b"GET http://elsewhere/ HTTP/1.1")),
    "a host and port": (400, asked(line=b"CONNECT elsewhere:443 HTTP/1.1")),
    "a star": (400, asked(line=b"OPTIONS * HTTP/1.1")),
    "a path that is no path": (400, asked(line=b"GET ../../etc/passwd HTTP/1.1")),
    "no path": (400, asked(line=b"GET  HTTP/1.1")),
    "a zero byte in the path": (400, asked(line=b"GET /\0 HTTP/1.1")),
    "a byte beyond ASCII in the path": (400, asked(line=b"GET /\xff HTTP/1.1")),
    "a byte beyond ASCII in the query": (400, asked(line=b"GET /?a=\xc3\xa4 HTTP/1.1")),
    "a byte beyond ASCII in a header": (400, asked(b"X: \xc3\xa4")),
    "a byte beyond ASCII in HTTP basic": (400, asked(b"Authorization: Basic \xff\xfe")),
    "a method of bytes": (400, asked(line=b"G\xc3T / HTTP/1.1")),
    "an endless method": (400, asked(line=b"A" * 5000 + b" / HTTP/1.1")),
    "no host": (400, b"GET / HTTP/1.1\r\n\r\n"),
    "two hosts": (400, asked(b"Host: y")),
    "half an address for a host": (400, b"GET /codenjoy-contest/rest/game/ws/url HTTP/1.1\r\nHost: [\r\n\r\n"),
    "no address for a host": (400, b"GET /codenjoy-contest/rest/game/ws/url HTTP/1.1\r\nHost: [:::]\r\n\r\n"),
    "a host with a path": (400, b"GET /codenjoy-contest/rest/game/ws/url HTTP/1.1\r\nHost: a/b\r\n\r\n"),
    "a host with a large port": (400, b"GET /codenjoy-contest/rest/game/ws/url HTTP/1.1\r\nHost: a:65536\r\n\r\n"),
    "something else expected": (417, asked(b"Expect: the unexpected")),
    "a socket with a body": (400, asked(*SOCKET, b"Content-Length: 5", line=TO_SOCKET, body=b"hello")),
    "a socket with chunks": (400, asked(*SOCKET, CHUNKED, line=TO_SOCKET, body=b"0\r\n\r\n")),
    "a socket by POST": (400, asked(*SOCKET, line=TO_SOCKET.replace(b"GET", b"POST"))),
    "a socket in HTTP/1.0": (400, asked(*SOCKET, line=TO_SOCKET.replace(b"1.1", b"1.0"))),
    "a socket that talks before us": (400, asked(*SOCKET, line=TO_SOCKET, body=b"\x81\x80\0\0\0\0")),
}

ANSWERED = {
    "a socket with a hundred words": (401, asked(*SOCKET, line=TO_SOCKET.replace(b" HTTP", b"&a" * 100 + b" HTTP"))),
    "a method nobody knows": (405, asked(b"Connection: close", line=b"BREW /codenjoy-contest/rest/health HTTP/1.1")),
    "bytes that are no text in a path": (
        404, asked(b"Connection: close", line=b"GET /codenjoy-contest/board/player/%ff%00%ed%a0%80 HTTP/1.1"),
    ),
    "bytes that are no text in a code": (
        401, asked(b"Connection: close", line=b"GET /codenjoy-contest/board/player/ann?code=%ff%ed%a0%80 HTTP/1.1"),
    ),
    "bytes that are no text in a form": (
        409, posted(b"Connection: close", b"Content-Length: 19", body=b"name=\xff%ff%ed%a0%80\0"),
    ),
    "bytes that are no text in HTTP basic": (
        401, asked(b"Authorization: Basic w/8=", b"Connection: close",
                   line=b"GET /codenjoy-contest/rest/settings/player HTTP/1.1"),
    ),
    "half a letter of base64": (
        401, asked(b"Authorization: Basic YQ", b"Connection: close",
                   line=b"GET /codenjoy-contest/rest/settings/player HTTP/1.1"),
    ),
    "an unknown player in HTTP basic": (
        401, asked(b"Authorization: Basic " + base64.b64encode("ä:ß".encode()), b"Connection: close",
                   line=b"GET /codenjoy-contest/rest/settings/player HTTP/1.1"),
    ),
    "100-continue without a body": (200, asked(b"Expect: 100-continue", b"Connection: close")),
    "another program's cookie": (200, asked(b"Cookie: name=\xc3\xa4", b"Connection: close")),
    "trailers": (409, posted(CHUNKED, b"Connection: close", body=b"5\r\nname=\r\n0\r\nX: y\r\n\r\n")),
    "another protocol": (200, asked(b"Connection: Upgrade, close", b"Upgrade: h2c")),
    "HTTP/1.0 without a host": (200, b"GET /codenjoy-contest/rest/health HTTP/1.0\r\n\r\n"),
}  # fmt: skip


async def alive(here: Hall) -> None:
    assert (await fetch(here, "/rest/health")).body == "ok"


@pytest.mark.parametrize("case", REFUSED)
def test_an_ambiguous_or_huge_request_is_refused_and_its_connection_closed(case: str) -> None:
    status, request = REFUSED[case]

    async def main() -> None:
        async with hall() as here:
            here.register("ann")
            answer = await exchange(here, request + asked())  # what follows is not read as a request
            assert (answer.status, answer.headers["connection"]) == (status, "close")
            assert "HTTP/1.1 " not in answer.body.replace("METHOD /PATH HTTP/1.1", "").replace("in HTTP/1.1", "")
            await alive(here)

    finished(main())


def test_a_socket_that_announces_a_body_is_refused_before_any_of_it_comes() -> None:
    async def main() -> None:
        async with hall() as here:
            answer = await exchange(here, asked(*SOCKET, b"Content-Length: 5", line=TO_SOCKET))
            assert answer.status == 400
            assert "without a body" in answer.body

    finished(main())


@pytest.mark.parametrize("case", ANSWERED)
def test_an_odd_request_is_answered_by_the_app(case: str) -> None:
    status, request = ANSWERED[case]

    async def main() -> None:
        async with hall() as here:
            here.register("ann")
            assert (await exchange(here, request)).status == status
            await alive(here)

    finished(main())


@pytest.mark.parametrize("case", REFUSED)
def test_pieces_change_nothing(case: str) -> None:
    """What is refused as a whole is refused in pieces, unless its body is what is wrong with it."""
    request = REFUSED[case][1]
    whole = verdict([request.partition(b"\r\n\r\n")[0] + b"\r\n\r\n"])
    for size in (13, 1000):
        ends = range(size, min(len(request), HEAD_BYTES + 100) + size, size)
        assert verdict(request[:end] for end in ends) == whole


def verdict(given: Iterable[bytes]) -> int:
    """The status a head is refused with while it grows; 0 if it is not."""
    try:
        for head in given:
            check_head(head)
    except Refused as refusal:
        return refusal.error_status_hint
    return 0


def test_a_head_of_the_largest_size_passes_in_any_pieces() -> None:
    lines = [b"X: " + b"y" * 100 for _ in range(MOST_LINES - 1)]
    third = b"X: " + b"y" * 5000
    room = HEAD_BYTES - len(asked(third, third, b"Y: "))
    largest = asked(third, third, b"Y: " + b"y" * room)
    assert len(largest) == HEAD_BYTES
    assert verdict([asked(third, third, b"Y: " + b"y" * (room + 1))]) == 431
    for head in (asked(*lines), asked(b"X: " + b"y" * (LINE_BYTES - 3)), largest):
        for end in [*range(1, len(head), 17), *range(len(head) - 8, len(head) + 1)]:
            heads.check_head(head[:end])


def test_many_requests_in_one_piece_are_answered_one_after_another() -> None:
    async def main() -> None:
        async with hall() as here:
            reader, writer = await asyncio.open_connection("127.0.0.1", here.port)
            writer.write(asked() * 500 + asked(b"Connection: close"))
            assert (await soon(reader.read())).count(b"HTTP/1.1 200 ") == 501
            writer.close()

    finished(main())


@pytest.mark.parametrize(
    "request_bytes",
    [
        posted(b"Content-Length: 100", body=b"name="),
        posted(CHUNKED, body=b"5\r\nnam"),
        posted(b"Content-Length: 6", b"Expect: 100-continue", body=b""),
        asked(line=f"GET {CONTEXT}/board/room/snakebattle HTTP/1.1".encode()),
        asked(*SOCKET, line=TO_SOCKET),
        asked(*SOCKET, line=TO_SOCKET.replace(b"code=7", b"code=8")),
    ],
    ids=["a form", "a chunk", "a promise", "a page", "a socket", "a wrong socket"],
)
def test_a_client_that_leaves_in_the_middle_is_no_event(request_bytes: bytes) -> None:
    async def main() -> None:
        async with hall() as here:
            here.register("ann")
            for rude in (True, False):
                _, writer = await asyncio.open_connection("127.0.0.1", here.port)
                writer.write(request_bytes)
                for _ in range(5):
                    await asyncio.sleep(0)
                writer.transport.abort() if rude else writer.close()
                await alive(here)
            tasks = asyncio.all_tasks()
            await until(lambda: not any("run_asgi" in repr(task) for task in tasks if not task.done()))
            await alive(here)

    finished(main())


def test_an_answer_before_the_body_reaches_a_client_that_is_still_sending() -> None:
    async def main() -> None:
        async with hall() as here:
            reader, writer = await asyncio.open_connection("127.0.0.1", here.port)
            writer.write(posted(b"Content-Length: 1000000", body=bytes(100_000)))
            assert b" 413 " in await soon(reader.readuntil(b"\r\n"))
            writer.write(bytes(100_000))
            await soon(reader.read())
            writer.close()
            await alive(here)

    finished(main())
