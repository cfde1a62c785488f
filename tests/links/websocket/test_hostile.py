"""What strangers do to the sockets of rooms (rows 38 and 39 of the catalogue): they only hurt themselves."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
from collections.abc import Iterator
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from botyard.links.web import frames
from botyard.links.websocket import player_socket
from botyard.links.websocket.player_socket import MOST_UNASKED, PlayerSocket
from botyard.match.room_field import Member
from tests.links.hall import (
    CONTINUED,
    PING,
    SMALL_MAP,
    TEXT,
    Hall,
    answered,
    frame,
    hall,
    make_room,
    nothing_left_open,
    raw_socket,
    say,
)
from tests.waiting import PATIENCE_S, bounded, finished, read_on, soon, until

FREE: Any = {"rounds_enabled": False}
LARGE_MAP = "\n".join([row.ljust(30, "☼") for row in SMALL_MAP.split("\n")] + ["☼" * 30] * 23)  # 2.7 KB a board


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    with nothing_left_open():
        yield


async def bob_plays_on(here: Hall, bob: Member) -> None:
    """Another player is served as if nothing had happened."""
    async with here.socket("bob") as client:
        await here.tick(client)
        await say(client, bob, "DOWN")
        await here.tick(client)


async def closing(reader: asyncio.StreamReader) -> int:
    """The code of the close frame, after whatever came before it."""
    whole = await soon(reader.read())
    return int(struct.unpack("!H", whole[whole.rindex(b"\x88") + 2 :][:2])[0])


@pytest.fixture
def protocols(monkeypatch: pytest.MonkeyPatch) -> list[frames.PatientWebSocket]:
    """The server's side of every socket that is opened."""
    made: list[frames.PatientWebSocket] = []
    plain = frames.PatientWebSocket.connection_made

    def noted(self: frames.PatientWebSocket, transport: asyncio.BaseTransport) -> None:
        made.append(self)
        plain(self, transport)

    monkeypatch.setattr(frames.PatientWebSocket, "connection_made", noted)
    return made


def waits_for_pong(protocol: frames.PatientWebSocket) -> bool:
    return protocol.pending_ping_payload is not None


def ping_without_patience(protocol: frames.PatientWebSocket) -> None:
    """What is due in twenty seconds comes at once, and is hardly waited for; to nobody but this client."""
    protocol.stop_keepalive()
    protocol.ping_interval, protocol.ping_timeout = 0.05, 0.1
    protocol.schedule_ping()


# Row 38: connects twice, or with another's code: see test_rooms


# Row 39: half-closed, no pong, reset, never reading


def test_a_client_that_never_reads_delays_nobody_and_holds_one_board() -> None:
    async def main() -> None:
        async with hall(make_room(level_map=LARGE_MAP, **FREE), send_bytes=4096) as here:
            ann, _ = here.register("ann", "bob")
            async with raw_socket(here, "ann", receive_bytes=4096) as (reader, writer), here.socket("bob") as client:
                ticks = 400  # far more bytes than the kernel takes, and the transport holds
                for _ in range(ticks):
                    await here.tick(client)
                newest = ann.board.encode()
                assert len(newest) > 2000
                got = bytearray()
                while not got.endswith(newest):  # it reads at last: what was on its way, and then the newest
                    got += await read_on(reader)
                assert got.count(b"board=") < ticks
                writer.write(frame(TEXT, b"DOWN"))
                await until(lambda: answered(ann))

    finished(main())


def test_a_client_that_does_not_answer_pings_has_gone_but_its_player_stays(
    protocols: list[frames.PatientWebSocket],
) -> None:
    async def main() -> None:
        async with hall(make_room(**FREE)) as here:
            ann, bob = here.register("ann", "bob")
            async with raw_socket(here, "ann") as (reader, _):
                ping_without_patience(protocols[0])
                assert await closing(reader) == 1011
                await until(lambda: not ann.listeners)
                assert ann.field is not None
            await bob_plays_on(here, bob)

    finished(main())


def test_a_client_that_plays_is_not_pinged(protocols: list[frames.PatientWebSocket]) -> None:
    async def main() -> None:
        async with hall(make_room(**FREE)) as here:
            [ann] = here.register("ann")
            async with here.socket("ann") as client:
                await here.tick(client)
                await say(client, ann, "UP")
                [protocol] = protocols
                protocol.send_keepalive_ping()  # is due, but it has just been heard
                assert not waits_for_pong(protocol)
                protocol.send_keepalive_ping()  # not a word since
                assert waits_for_pong(protocol)
                await until(lambda: not waits_for_pong(protocol))  # it answers

    finished(main())


async def fill(here: Hall, protocol: frames.PatientWebSocket) -> None:
    """Ticks until no more can be sent to a client that does not read."""
    async with bounded(PATIENCE_S, "everything can be sent"):
        while protocol.writable.is_set():
            here.room.tick()
            await asyncio.sleep(0)


def test_nothing_is_read_from_a_client_that_does_not_read(protocols: list[frames.PatientWebSocket]) -> None:
    """Else replies to its pings would pile up."""

    async def main() -> None:
        async with hall(make_room(level_map=LARGE_MAP, **FREE)) as here:
            here.register("ann")
            async with raw_socket(here, "ann", receive_bytes=4096) as (reader, _):
                [protocol] = protocols
                await fill(here, protocol)
                assert not protocol.transport.is_reading()
                while not protocol.writable.is_set():
                    await read_on(reader)
                assert protocol.transport.is_reading()

    finished(main())


def test_a_client_that_neither_reads_nor_answers_pings_is_let_go_of(protocols: list[frames.PatientWebSocket]) -> None:
    async def main() -> None:
        async with hall(make_room(level_map=LARGE_MAP, **FREE)) as here:
            ann, bob = here.register("ann", "bob")
            async with raw_socket(here, "ann", receive_bytes=4096):
                await fill(here, protocols[0])
                ping_without_patience(protocols[0])
                await until(lambda: not ann.listeners)
            await bob_plays_on(here, bob)

    finished(main())


def test_a_half_closed_socket_is_a_closed_one() -> None:
    async def main() -> None:
        async with hall(make_room(**FREE)) as here:
            ann, bob = here.register("ann", "bob")
            async with raw_socket(here, "ann") as (_, writer):
                writer.write_eof()
                await until(lambda: not ann.listeners)
            await bob_plays_on(here, bob)

    finished(main())


def test_a_reset_in_the_middle_of_a_frame_leaves_the_player_on_the_field() -> None:
    async def main() -> None:
        async with hall(make_room(**FREE)) as here:
            ann, bob = here.register("ann", "bob")
            async with raw_socket(here, "ann") as (_, writer):
                writer.write(frame(TEXT, b"DOWN")[:4])
                plain = writer.get_extra_info("socket")
                plain.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                writer.transport.abort()
                await until(lambda: not ann.listeners)
            here.room.tick()
            assert ann.field is not None
            await bob_plays_on(here, bob)

    finished(main())


def test_the_server_may_end_while_a_client_is_leaving(protocols: list[frames.PatientWebSocket]) -> None:
    async def main() -> None:
        async with contextlib.AsyncExitStack() as clients, hall(make_room(**FREE)) as here:
            here.register("ann")
            await clients.enter_async_context(raw_socket(here, "ann"))
            protocols[0].conn.send_close(1000)

    finished(main())


# Too much of everything


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (frame(TEXT, b"\xff\xfe"), 1007),
        (frame(PING, b"x" * 40) * (frames.MOST_PINGS + 1), 1008),  # in one read
        (frame(TEXT, b"U", last=False) + frame(CONTINUED, last=False) * frames.MOST_FRAGMENTS, 1009),
        (bytes([0x81, 0xFF]) + struct.pack("!Q", 1 << 40) + bytes(4), 1009),
        (frame(3), 1002),
        (b"\x81\x02UP", 1002),  # not masked
    ],
    ids=["not UTF-8", "pings", "fragments", "a terabyte", "no such frame", "not masked"],
)
def test_a_socket_that_breaks_the_protocol_is_closed_with_the_reason(sent: bytes, code: int) -> None:
    async def main() -> None:
        async with hall(make_room(**FREE)) as here:
            ann, bob = here.register("ann", "bob")
            async with raw_socket(here, "ann") as (reader, writer):
                writer.write(sent)
                assert await closing(reader) == code
                await until(lambda: not ann.listeners)
            await bob_plays_on(here, bob)

    finished(main())


def test_as_many_pings_as_may_come_in_a_second_are_answered() -> None:
    async def main() -> None:
        async with hall(make_room(**FREE)) as here:
            here.register("ann")
            async with raw_socket(here, "ann") as (reader, writer):
                writer.write(frame(PING, b"x") * frames.MOST_PINGS)
                await soon(reader.readuntil(b"\x8a\x01x" * frames.MOST_PINGS))

    finished(main())


def test_a_huge_frame_closes_the_socket() -> None:
    async def main() -> None:
        async with hall(make_room(**FREE)) as here:
            ann, bob = here.register("ann", "bob")
            async with here.socket("ann") as client:
                await here.tick(client)
                with contextlib.suppress(ConnectionClosed):
                    await client.send("UP" * 1_000_000)
                await client.wait_closed()
                assert client.close_code in (1006, 1009)  # the reason, if it arrived before the reset
                await until(lambda: not ann.listeners)
            await bob_plays_on(here, bob)

    finished(main())


def test_an_answer_over_the_limit_is_dropped_and_the_socket_stays() -> None:
    async def main() -> None:
        async with hall(make_room(**FREE)) as here:
            [ann] = here.register("ann")
            async with here.socket("ann") as client:
                await here.tick(client)
                await client.send("UP" + " " * 999)
                await until(lambda: answered(ann))
                [after] = await here.tick(client)
                assert "►" in after

    finished(main())


class Mute:
    """A partner that only counts."""

    waits = notes_unasked = False

    def __init__(self) -> None:
        self.heard = 0

    def attach(self, socket: PlayerSocket) -> None: ...
    def detach(self, socket: PlayerSocket) -> None: ...

    def take(self, text: str) -> None:
        self.heard += 1


def test_a_client_that_talks_without_end_is_not_listened_to_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = 0

    async def receive() -> dict[str, Any]:
        nonlocal taken
        taken += 1
        return {"type": "websocket.receive", "text": "UP"}

    async def send(message: Any) -> None: ...

    async def main() -> None:
        monkeypatch.setattr(player_socket, "DEAF_S", 3600.0)
        listening = asyncio.create_task(PlayerSocket(Mute(), receive, send).listen())
        for _ in range(10):
            await asyncio.sleep(0)
        listening.cancel()

    finished(main())
    assert taken == MOST_UNASKED + 1


def test_a_flood_is_read_in_small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    plain = frames.PatientWebSocket.buffer_updated

    def noted(self: frames.PatientWebSocket, nbytes: int) -> None:
        sizes.append(nbytes)
        plain(self, nbytes)

    monkeypatch.setattr(frames.PatientWebSocket, "buffer_updated", noted)

    async def main() -> None:
        async with hall(make_room(**FREE)) as here:
            _, bob = here.register("ann", "bob")
            async with raw_socket(here, "ann") as (_, writer):
                writer.write(frame(TEXT, b"UP") * 100_000)
                await bob_plays_on(here, bob)

    finished(main())
    assert max(sizes) <= frames.READ_BYTES
    assert sum(sizes) < 100_000  # the rest waits on the other side
