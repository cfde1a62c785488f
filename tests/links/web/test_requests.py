"""What strangers ask of a server of rooms (row 40 of the catalogue): slow, huge and endless requests."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator

import pytest

from botyard.links.codenjoy import pages
from botyard.links.codenjoy.addresses import CONTEXT
from botyard.links.codenjoy.pages import FORM_BYTES
from botyard.links.web import http
from botyard.links.web.http import LINGER_BYTES, PatientHttp
from botyard.links.web.pace import LINGER_S, PAGE, STREAM
from tests.links.hall import exchange, fetch, hall, nothing_left_open, run_leaping
from tests.links.web.test_pace import FILE_BYTES, Leap, caller, get, post, rest_of, studio
from tests.waiting import finished, soon, until


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    with nothing_left_open():
        yield


def test_a_form_that_is_too_large_is_refused() -> None:
    async def main() -> None:
        async with hall() as here:
            assert (await fetch(here, "/register", b"name=".ljust(FORM_BYTES + 1, b"x"))).status == 413
            assert (await fetch(here, "/register", b"name=".ljust(FORM_BYTES, b"x"))).status == 409  # a long name
            assert (await fetch(here, "/register", b"x&" * 1000)).status == 400
            assert here.room.members == []

    finished(main())


def test_a_form_that_does_not_come_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "FORM_S", 0.05)
    head = f"POST {CONTEXT}/register HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 100\r\n\r\n"

    async def main() -> None:
        async with hall() as here:
            answer = await exchange(here, head.encode() + b"name=")
            assert (answer.status, "the form did not come within 0.05 s" in answer.body) == (408, True)

    finished(main())


def test_an_endless_chunked_body_is_cut_off() -> None:
    head = f"POST {CONTEXT}/register HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"

    async def main() -> None:
        async with hall() as here:
            answer = await exchange(here, head.encode() + (b"400\r\n" + b"x" * 1024 + b"\r\n") * 5)
            assert answer.status == 413

    finished(main())


def test_a_compressed_body_is_not_unpacked() -> None:
    async def main() -> None:
        async with hall() as here:
            answer = await fetch(here, "/register", b"\x1f\x8b", Content_Encoding="gzip")
            assert answer.status == 415

    finished(main())


@pytest.mark.parametrize(
    "headers",
    [["Sec-WebSocket-Version: 8"], ["Sec-WebSocket-Key: short"], []],
    ids=["an old version", "no key", "nothing more"],
)
def test_a_handshake_that_cannot_be_read_is_answered_and_ends_the_connection(headers: list[str]) -> None:
    request = [f"GET {CONTEXT}/ws?user=ann&code=7 HTTP/1.1", "Host: x", "Connection: Upgrade", "Upgrade: websocket"]
    request += [*headers, "", ""]

    async def main() -> None:
        async with hall() as here:
            here.register("ann")
            reader, writer = await asyncio.open_connection("127.0.0.1", here.port)
            writer.write("\r\n".join(request).encode())
            with contextlib.suppress(ConnectionResetError):
                assert (await soon(reader.read())).startswith(b"HTTP/1.1 400 ")
            writer.close()

    finished(main())


def test_more_connections_than_can_be_held_are_closed_at_once(callers: list[PatientHttp]) -> None:
    async def main() -> None:
        async with hall(limit_concurrency=3) as here:
            held = [await asyncio.open_connection("127.0.0.1", here.port) for _ in range(3)]
            await until(lambda: len(callers) == 3)
            for reader, writer in held:
                writer.write(f"GET {CONTEXT}/ HTTP/1.1\r\nHost: x\r\n\r\n".encode())
                assert (await soon(reader.readline())).startswith(b"HTTP/1.1 ")
            reader, writer = await asyncio.open_connection("127.0.0.1", here.port)
            with pytest.raises((ConnectionResetError, asyncio.IncompleteReadError)):
                await soon(reader.readexactly(1))
            for _, other in [*held, (reader, writer)]:
                other.close()

    finished(main())


def test_who_is_refused_and_goes_on_sending_is_not_listened_to_for_long(
    callers: list[PatientHttp], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http, "LINGER_S", 3600.0)

    async def main(leap: Leap) -> None:
        async with hall() as here, caller(here.port, b"HELLO\r\n") as (reader, writer):
            assert b"400" in await reader.readline()
            with contextlib.suppress(ConnectionError):
                writer.write(bytes(2 * LINGER_BYTES))
                await writer.drain()
            await until(callers[0].transport.is_closing)

    run_leaping(main)


def test_the_pace_of_a_request_is_not_that_of_the_next(callers: list[PatientHttp]) -> None:
    async def main(leap: Leap) -> None:
        async with studio() as here, caller(here.port, post("/upload", 1) + b"x") as (reader, writer):
            here.gate.set()
            await reader.readuntil(b"bytes")
            first = callers[0].cycle
            writer.write(get("/slow"))
            await until(lambda: callers[0].cycle is not first)
            await leap(PAGE.answer_s)
            assert callers[0].transport.is_closing()

    run_leaping(main)


def test_an_answer_that_is_taken_in_drops_is_let_go(callers: list[PatientHttp]) -> None:
    async def main(leap: Leap) -> None:
        async with studio() as here, caller(here.port, get("/file"), receive_bytes=4096):
            await until(lambda: callers and callers[0].cycle and callers[0].cycle.response_complete)
            [server], enough = callers, int(STREAM.least_rate * STREAM.patience_s)
            left = server.transport.get_write_buffer_size()
            server._look_what_is_left(left + enough)
            assert not server.transport.is_closing()
            server._look_what_is_left(left + enough - 1)
            assert server.transport.is_closing()

    run_leaping(main)


def test_an_answer_that_was_taken_for_a_while_is_looked_at_again(callers: list[PatientHttp]) -> None:
    async def main(leap: Leap) -> None:
        async with studio() as here, caller(here.port, get("/file"), receive_bytes=4096):
            await until(lambda: callers and callers[0].cycle and callers[0].cycle.response_complete)
            [server] = callers
            assert server._taking is not None
            server._taking.cancel()
            server._look_what_is_left(2 * server.transport.get_write_buffer_size())  # half of it was taken
            assert not server.transport.is_closing()
            await leap(STREAM.patience_s)  # and nothing since
            assert server.transport.is_closing()

    run_leaping(main)


def test_an_answer_that_has_begun_is_broken_off_and_no_other_follows_it() -> None:
    async def main(leap: Leap) -> None:
        async with studio() as here, caller(here.port, post("/flood", 10)) as (reader, _):
            await reader.readuntil(b"\r\n\r\n")
            await leap(STREAM.patience_s)  # nothing came of the body
            assert b"HTTP/1.1" not in await rest_of(reader)

    run_leaping(main)


def test_who_sends_no_body_has_time_to_read_the_answer(callers: list[PatientHttp]) -> None:
    async def main(leap: Leap) -> None:
        async with studio() as here, caller(here.port, post("/file", 10), receive_bytes=4096) as (reader, _):
            await until(lambda: callers and callers[0].cycle and callers[0].cycle.response_complete)
            await leap(2 * LINGER_S)
            assert len(await rest_of(reader)) > FILE_BYTES

    run_leaping(main)
