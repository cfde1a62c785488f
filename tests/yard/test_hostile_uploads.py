"""Hostile uploads to a real server, over its port: each gets a sentence, and neither memory nor places run out."""

from __future__ import annotations

import json
import re
import socket
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest

from tests.waiting import PATIENCE_S, in_time
from tests.yard.handing_in import GAME
from tests.yard.hostile_archives import HOSTILE, MAIN, two_in_one
from tests.yard.residents import PASSWORD
from tests.yard.test_serve import serving
from tests.yard.test_upload_pages import BOUNDARY, FORM, form

pytestmark = pytest.mark.long

MEMORY = 128 << 20  # that all of it together may cost the server; an upload has 8 MiB at most


@dataclass
class Server:
    """A server, and somebody who uploads."""

    address: str
    pid: int
    token: str = ""

    def send(self, path: str, body: bytes, headers: dict[str, str]) -> tuple[int, Any]:
        asked = Request(f"{self.address}/api/v1{path}", body, headers, method="POST")
        try:
            with urlopen(asked, timeout=PATIENCE_S) as answer:
                return answer.status, json.loads(answer.read())
        except HTTPError as refused:
            with refused:
                return refused.code, json.loads(refused.read())

    def upload(self, name: str, content: bytes) -> tuple[int, Any]:
        body = form({"game": GAME, "name": "Ant"}, {name: content})
        return self.send("/bots", body, {**FORM, "Authorization": f"Bearer {self.token}"})

    def raw(self, body: bytes, length: int) -> tuple[int, bytes]:
        """Says how long an upload is, sends something else and no more; returns the status, 0 if there is none."""
        place = urlsplit(self.address)
        head = (
            f"POST /api/v1/bots HTTP/1.1\r\nHost: {place.netloc}\r\nAuthorization: Bearer {self.token}\r\n"
            f"Content-Type: {FORM['Content-Type']}\r\nContent-Length: {length}\r\n\r\n"
        )
        assert place.port is not None
        with closing(socket.create_connection(("127.0.0.1", place.port), timeout=PATIENCE_S)) as line:
            line.sendall(head.encode() + body)
            answer = b""
            while chunk := line.recv(1 << 16):
                answer += chunk
        found = re.match(rb"HTTP/1.1 (\d+)", answer)
        return int(found[1]) if found else 0, answer

    @property
    def most_memory(self) -> int:
        lines = Path(f"/proc/{self.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) << 10 for line in lines if line.startswith("VmHWM:"))


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with tempfile.TemporaryDirectory() as above:
        folder = Path(above) / "yard"
        folder.mkdir()
        with serving(folder) as (running, told):
            server = Server(told["address"].rstrip("/"), running.pid)
            kind = {"Content-Type": "application/json", "Origin": server.address}
            _, made = server.send("/register", json.dumps({"name": "Ada", "password": PASSWORD}).encode(), kind)
            server.token = made["secret"]
            yield server
            running.terminate()


def test_every_hostile_archive_gets_a_sentence_and_the_server_takes_no_memory_for_it(server: Server) -> None:
    Path(f"/proc/{server.pid}/clear_refs").write_text("5")
    before = server.most_memory
    for what, (name, made, words) in HOSTILE.items():
        status, told = server.upload(name, made())
        assert 400 <= status < 500, (what, status, told)
        assert re.search(words, f"{told['title']}: {told['detail']}"), (what, told)
        assert told["detail"], f"{what}: it says what to do"
    for name in ("\0.zip", "../../main.py\0", f"{'a' * 4000}.zip", "\u202epiz.exe", "a" * 9000):
        status, told = server.upload(name, MAIN)
        assert 400 <= status < 500, (name, status, told)
    assert server.upload("a.zip", bytes(9 << 20))[0] == 413
    assert server.most_memory - before < MEMORY


def test_a_body_that_is_not_as_long_as_it_says_is_no_upload(server: Server) -> None:
    body = form({"game": GAME, "name": "Ant"}, {"main.py": MAIN})
    status, _ = server.raw(body[:-40], len(body) - 40)
    assert status == 400, "it ended in the middle"
    status, answer = server.raw(body + b"GARBAGE / \r\n\r\n" * 3, 10)
    assert status == 400, answer
    assert server.raw(b"", 10**30)[0] in (0, 400, 413)
    assert server.raw(b"--" + BOUNDARY.encode(), 1 << 40)[0] in (0, 413)


def test_a_body_that_comes_a_byte_a_minute_is_cut_off(server: Server) -> None:
    body = form({"game": GAME, "name": "Ant"}, {"main.py": MAIN})
    status, _ = in_time(lambda: server.raw(body[:1], len(body)))
    assert status in (0, 400, 408), "nobody holds a place for nothing"


def test_after_all_of_it_a_bot_is_taken_in(server: Server) -> None:
    status, told = server.upload("two.tar", two_in_one())
    assert status == 201, told
