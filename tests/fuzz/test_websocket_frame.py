"""Whatever comes over an open socket, the server answers in frames or closes it, logs nothing, and the room goes on."""

from __future__ import annotations

import random
import struct

import pytest
from websockets.frames import Opcode

from botyard.links.web.frames import MOST_FRAGMENTS, MOST_PINGS
from botyard.links.websocket import player_socket
from tests.fuzz.harness import fuzz
from tests.fuzz.server import Line, Server
from tests.fuzz.test_http_head import SAMPLES as HEADS
from tests.fuzz.test_http_head import pieces

HANDSHAKE = next(head for head in HEADS if b"Upgrade: websocket" in head)
KNOWN = frozenset(Opcode)


def framed(kind: int, payload: bytes = b"", last: bool = True, mask: bytes = b"\0\0\0\0") -> bytes:
    size, flag = len(payload), 0x80 if mask else 0
    length = bytes([flag | size]) if size < 126 else bytes([flag | 126]) + struct.pack("!H", size)
    if size > 0xFFFF:
        length = bytes([flag | 127]) + struct.pack("!Q", size)
    hidden = bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload)) if mask else payload
    return bytes([kind | (0x80 if last else 0)]) + length + mask + hidden


TEXT, BINARY, CLOSE, PING, PONG, MORE = Opcode.TEXT, Opcode.BINARY, Opcode.CLOSE, Opcode.PING, Opcode.PONG, Opcode.CONT

SAMPLES = [
    framed(TEXT, b"LEFT,ACT", mask=b"abcd"),
    framed(TEXT, b"RIGHT") + framed(TEXT) + framed(TEXT, "\u263c\u202e\u0000".encode()),
    framed(TEXT, b"UP" + b" " * 998) + framed(TEXT, b"x" * 20_000),
    framed(BINARY, bytes(range(256))),
    framed(TEXT, b"LE", last=False) + framed(PING, b"now") + framed(MORE, b"FT"),
    framed(TEXT, b"\xe2", last=False) + framed(MORE, b"\x98", last=False) + framed(MORE, b"\xbc"),
    framed(TEXT, b"\xff\xfe"),
    framed(MORE, b"alone"),
    framed(TEXT, b"a", last=False) + framed(TEXT, b"b"),
    framed(TEXT, b"a", last=False) + framed(MORE, b"", last=False) * MOST_FRAGMENTS,
    framed(PING, b"x" * 125) * (MOST_PINGS + 1),
    framed(PING, b"x" * 126),
    framed(PONG) * 50,
    framed(CLOSE, struct.pack("!H", 1000) + b"bye") + framed(TEXT, b"UP"),
    framed(CLOSE) + framed(CLOSE),
    framed(CLOSE, b"\x03"),
    framed(CLOSE, struct.pack("!H", 1005) + b"\xff"),
    framed(TEXT | 0x40, b"UP"),
    framed(3, b"UP") + framed(0xF),
    framed(TEXT, b"UP", mask=b""),
    bytes([0x81, 0xFF]) + struct.pack("!Q", 1 << 63) + bytes(4),
    bytes([0x81, 0xFE]) + struct.pack("!H", 5) + bytes(4) + b"short",
]


def check_frames(given: bytes) -> None:
    """What came back after the handshake are whole frames of a server: known kinds, not masked."""
    at = 0
    while at + 2 <= len(given):
        kind, size = given[at] & 0x7F, given[at + 1]
        assert kind in KNOWN, given[at : at + 40]
        assert size < 0x80, "a server masks nothing"
        at += 2
        if size >= 126:
            wide = 2 if size == 126 else 8
            size, at = int.from_bytes(given[at : at + wide], "big"), at + wide
        at += size
    assert at == len(given)


def test_no_frame_gets_the_better_of_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        player_socket, "DEAF_S", 0.0
    )  # who talks too much is not heard for a moment: here, for a turn of the loop
    chance = random.Random(9)
    with Server() as server:

        def read(raw: bytes) -> None:
            with Line(server) as line:
                line.say(HANDSHAKE)
                assert line.heard().startswith(b"HTTP/1.1 101 ")
                for piece in pieces(chance, raw):
                    server.room.tick()  # a board is on its way while it talks
                    line.say(piece)
                check_frames(line.heard().partition(b"\r\n\r\n")[2])
            server.check_calm()

        fuzz("websocket_frame", SAMPLES, read)
        server.check_alive()
