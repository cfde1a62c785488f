"""What strangers ask of a server of rooms (row 40 of the catalogue): slow, huge and endless requests."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator

import pytest

from botyard.links.websocket.codenjoy import CONTEXT
from botyard.links.websocket.http import PatientHttp
from tests.links.websocket.hall import PATIENCE_S, exchange, fetch, hall, nothing_left_open, until


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    with nothing_left_open():
        yield


def test_a_form_that_is_too_large_is_refused() -> None:
    async def main() -> None:
        async with hall() as here:
            assert (await fetch(here, "/register", b"name=" + b"x" * 5000)).status == 413
            assert (await fetch(here, "/register", b"x&" * 1000)).status == 400
            assert here.room.members == []

    asyncio.run(main())


def test_an_endless_chunked_body_is_cut_off() -> None:
    head = f"POST {CONTEXT}/register HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"

    async def main() -> None:
        async with hall() as here:
            answer = await exchange(here, head.encode() + (b"400\r\n" + b"x" * 1024 + b"\r\n") * 5)
            assert answer.status == 413

    asyncio.run(main())


def test_a_compressed_body_is_not_unpacked() -> None:
    async def main() -> None:
        async with hall() as here:
            answer = await fetch(here, "/register", b"\x1f\x8b", Content_Encoding="gzip")
            assert answer.status == 415

    asyncio.run(main())


@pytest.mark.parametrize(
    "headers",
    [["Sec-WebSocket-Version: 8"], ["Sec-WebSocket-Key: short"], []],
    ids=["an old version", "no key", "nothing more"],
)
def test_a_handshake_that_cannot_be_read_ends_the_connection(headers: list[str]) -> None:
    request = [f"GET {CONTEXT}/ws?user=ann&code=7 HTTP/1.1", "Host: x", "Connection: Upgrade", "Upgrade: websocket"]
    request += [*headers, "", ""]

    async def main() -> None:
        async with hall() as here:
            here.register("ann")
            reader, writer = await asyncio.open_connection("127.0.0.1", here.port)
            writer.write("\r\n".join(request).encode())
            async with asyncio.timeout(PATIENCE_S):
                with contextlib.suppress(ConnectionResetError):
                    assert b" 101 " not in await reader.read()
            writer.close()

    asyncio.run(main())


def test_more_connections_than_can_be_held_are_closed_at_once(callers: list[PatientHttp]) -> None:
    async def main() -> None:
        async with hall(limit_concurrency=3) as here:
            held = [await asyncio.open_connection("127.0.0.1", here.port) for _ in range(3)]
            await until(lambda: len(callers) == 3)
            reader, writer = await asyncio.open_connection("127.0.0.1", here.port)
            async with asyncio.timeout(PATIENCE_S):
                with pytest.raises((ConnectionResetError, asyncio.IncompleteReadError)):
                    await reader.readexactly(1)
            for _, other in [*held, (reader, writer)]:
                other.close()

    asyncio.run(main())
