"""Whatever bytes open a connection, the server of rooms answers properly or closes, logs nothing, and goes on."""

from __future__ import annotations

import random
import re

from tests.fuzz.harness import fuzz
from tests.fuzz.server import Line, Server

CONTEXT = b"/codenjoy-contest"
HOST = b"Host: 127.0.0.1:8080\r\n"
FORM = b"name=anna&room=snakebattle"

SAMPLES = [
    b"GET / HTTP/1.1\r\n" + HOST + b"\r\n",
    b"GET %s/ HTTP/1.1\r\n%sCookie: a=b\r\nConnection: keep-alive\r\n\r\n" % (CONTEXT, HOST),
    b"GET %s/board/player/ann?code=7&only=true HTTP/1.1\r\n%s\r\n" % (CONTEXT, HOST),
    b"GET %s/board/room/snakebattle HTTP/1.0\r\n\r\n" % CONTEXT,
    b"GET %s/rest/settings/player HTTP/1.1\r\n%sAuthorization: Basic YW5uOjc=\r\n\r\n" % (CONTEXT, HOST),
    b"GET %s/rest/settings/snakebattle/snakebattle/_settings_ HTTP/1.1\r\n%s\r\n" % (CONTEXT, HOST),
    b"GET %s/rest/joystick/player/ann/code/7/do/LEFT,ACT HTTP/1.1\r\n%sX-Forwarded-For: ::1, a\r\n\r\n"
    % (CONTEXT, HOST),
    b"HEAD %s/rest/game/ws/url HTTP/1.1\r\n%sX-Forwarded-Proto: https\r\n\r\n" % (CONTEXT, HOST),
    b"GET %s/rest/room/snakebattle/scores HTTP/1.1\r\n%sConnection: close\r\n\r\n" % (CONTEXT, HOST),
    b"POST %s/register HTTP/1.1\r\n%sContent-Length: %d\r\n\r\n%s" % (CONTEXT, HOST, len(FORM), FORM),
    b"POST %s/register HTTP/1.1\r\n%sExpect: 100-continue\r\nContent-Length: 4\r\n\r\nname" % (CONTEXT, HOST),
    b"POST %s/register HTTP/1.1\r\n%sTransfer-Encoding: chunked\r\n\r\n5;a=b\r\nname=\r\n3\r\nbob\r\n0\r\nT: x\r\n\r\n"
    % (CONTEXT, HOST),
    b"GET %s/ws?user=ann&code=7 HTTP/1.1\r\n%sUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: UZwtPwuKTbaW/EM9hewx0g==\r\nSec-WebSocket-Version: 13\r\n\r\n" % (CONTEXT, HOST),
    b"GET %s/rest/health HTTP/1.1\r\n%s\r\n" % (CONTEXT, HOST) * 3,
]


ANSWER = re.compile(rb"HTTP/1\.1 ([0-9]{3}) [^\r\n]*\r\n")


def check_answers(given: bytes) -> None:
    """What came back begins as an answer of HTTP, and no answer in it is a failure of ours."""
    assert not given or ANSWER.match(given), given[:200]
    for status in ANSWER.findall(given):
        assert int(status) < 500, given[:2000]


def test_no_request_gets_the_better_of_the_server() -> None:
    chance = random.Random(9)
    with Server() as server:

        def read(raw: bytes) -> None:
            with Line(server) as line:
                for piece in pieces(chance, raw):
                    line.say(piece)
                check_answers(line.heard())
            server.check_calm()

        fuzz("http_head", SAMPLES, read)
        server.check_alive()


def pieces(chance: random.Random, raw: bytes) -> list[bytes]:
    """Whole, halved, or byte by byte at the beginning, as networks deliver."""
    cut = chance.randrange(len(raw) + 1)
    return chance.choice([[raw], [raw], [raw[:cut], raw[cut:]], [*(raw[at : at + 1] for at in range(20)), raw[20:]]])
