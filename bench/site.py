"""What a page and an answer of the API cost a yard, and how long they take while games are played.

    python bench/site.py [--bots N] [--matches N] [--requests N] [--seconds N]

A real `botyard serve` runs in a process of its own, on SQLite, with the history of a long season. CPU is the processor
time of that process alone, its threads included, while one client asks for the same address again and again; what the
process spends while nobody asks is taken off. It is told for the best of some batches, and for the middle one: on a
machine where others are at work, too, the same work takes more processor time. The bars are 5 ms a page and 3 ms an
answer of the API.

Latency is measured with 50 requests a second, each sent at its time whatever became of those before, while one worker
plays games of two uploaded bots. It counts from the time a request was due until its last byte is there.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import io
import itertools
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from full_yard import GAME, SLUG, Filled, fill

from botyard.games.starters import starter_for
from botyard.yard.config import YardConfig
from botyard.yard.data.database import Database
from botyard.yard.keeping.migrating import migrate
from botyard.yard.site import Yard

CONFIG = f"""
proxies = ["127.0.0.1"]  # every request may come from another address, so that no limit is met
[[ladders]]
slug = "now"
game = "{GAME}"
[[ladders]]
slug = "{SLUG}"
game = "{GAME}"
deadline = "2020-01-01T00:00+00:00"
"""
COMMAND = [sys.executable, "-c", "from botyard.cli import main; main()", "serve", "--as-root"]
PASSWORD = "a sentence of words"
BATCHES = 5
RATE = 50  # requests a second
PATIENCE_S = 180.0
IDLE = 0.03  # of a core


class Client:
    """Asks one server over one connection, as whoever it likes."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._connection = http.client.HTTPConnection("127.0.0.1", port)
        self._addresses = address_of()

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str) -> tuple[int, bytes]:
        said = {"X-Forwarded-For": next(self._addresses), "Origin": f"http://127.0.0.1:{self.port}", **headers}
        try:
            return self._told(method, path, body, said)
        except OSError:  # the server has closed the connection after a pause
            self._connection.close()
            return self._told(method, path, body, said)

    def _told(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> tuple[int, bytes]:
        self._connection.request(method, path, body, headers)
        answer = self._connection.getresponse()
        return answer.status, answer.read()

    def send(self, path: str, body: Any, **headers: str) -> Any:
        said = {"Content-Type": "application/json", **headers}
        status, told = self.ask("POST", f"/api/v1{path}", json.dumps(body).encode(), **said)
        assert status < 300, (path, status, told)
        return json.loads(told)


def address_of() -> Iterator[str]:
    """Yields addresses of a network that nobody has."""
    for number in itertools.cycle(range(1 << 16)):
        yield f"198.18.{number >> 8}.{number & 255}"


@contextmanager
def served(folder: Path) -> Iterator[tuple[int, int]]:
    """A server of a yard: its process and its port."""
    command = [*COMMAND, str(folder), "--port", "0", "--workers", "1", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        told = ""
        while not told.endswith("}\n"):
            line = process.stdout.readline()
            assert line, "the server did not start"
            told += line
        try:
            yield process.pid, int(json.loads(told)["port"])
        finally:
            process.terminate()
            process.wait(60)


def cpu_s(process: int) -> float:
    """Processor time of all threads of a process so far."""
    threads = Path(f"/proc/{process}/task").glob("*/schedstat")
    return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e9


def addresses(filled: Filled) -> list[str]:
    pages = [
        "/", "/ladders", f"/ladders/{SLUG}", f"/ladders/{SLUG}/matches", f"/ladders/{SLUG}/queue", "/matches",
        f"/matches/{filled.match}", f"/bots/{filled.bot}", "/people/Player%200", "/games", f"/games/{GAME}",
        "/languages", "/status", "/news", "/login", "/api/v1/docs",
    ]  # fmt: skip
    answers = [
        "/ladders", f"/ladders/{SLUG}", f"/ladders/{SLUG}/table", f"/ladders/{SLUG}/matches", "/matches",
        f"/matches/{filled.match}", f"/matches/{filled.match}/film", f"/bots/{filled.bot}",
        f"/bots/{filled.bot}/matches", f"/bots/{filled.bot}/rivals", "/queue", "/status", "/health", "/events",
        "/games", "/news",
    ]  # fmt: skip
    return [*pages, *(f"/api/v1{path}" for path in answers)]


def measure_cpu(client: Client, process: int, paths: list[str], requests: int) -> None:
    idle = idle_share(process)
    print(f"idle: {1000 * idle:.1f} ms of CPU a second\n")
    print("  best middle   bytes  address (ms of CPU)")
    for path in paths:
        for _ in range(10):
            status, _body = client.ask("GET", path)
            assert status == 200, (path, status)
        found = sorted(batch_ms(client, process, path, requests // BATCHES, idle) for _ in range(BATCHES))
        size = len(client.ask("GET", path)[1])
        bar = 3 if path.startswith("/api/") and not path.endswith("/docs") else 5
        best, middle = found[0], found[BATCHES // 2]
        print(f"{best:6.2f} {middle:6.2f} {size:7}  {path}{'' if best <= bar else f'  (more than {bar})'}")


def batch_ms(client: Client, process: int, path: str, requests: int, idle: float) -> float:
    """Returns what a request costs, as a mean over some of them."""
    began, spent = time.monotonic(), cpu_s(process)
    for _ in range(requests):
        client.ask("GET", path)
    return (cpu_s(process) - spent - idle * (time.monotonic() - began)) * 1000 / requests


def idle_share(process: int) -> float:
    """Seconds of CPU that a process spends a second while nobody asks, once it has settled."""
    share, until = 1.0, time.monotonic() + 90
    while share > IDLE and time.monotonic() < until:
        spent = cpu_s(process)
        time.sleep(5)
        share = (cpu_s(process) - spent) / 5
    return share


# While games are played


def enter_players(client: Client) -> None:
    """Has two people upload a bot each, and waits until they play."""
    for name in ("Ada", "Bob"):
        token = client.send("/register", {"name": name, "password": PASSWORD})["secret"]
        said = {"Authorization": f"Bearer {token}", "Content-Type": "multipart/form-data; boundary=sep"}
        status, told = client.ask("POST", "/api/v1/bots", upload(f"Bot of {name}"), **said)
        assert status == 201, told
    until = time.monotonic() + PATIENCE_S
    while games_played(client) < 4:
        assert time.monotonic() < until, client.ask("GET", "/api/v1/queue")[1]
        time.sleep(1)


def games_played(client: Client) -> int:
    entries = json.loads(client.ask("GET", "/api/v1/ladders/now/table")[1])["items"]
    return sum(entry["games"] for entry in entries if entry["bot"] is not None)


def upload(name: str) -> bytes:
    """A form with a starter of the game, packed, to be activated as soon as it is fit."""
    starter = starter_for(GAME, "python")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for path in starter.files:
            archive.write(starter.folder / path, path)
        archive.writestr("about.txt", name)
    head = "Content-Disposition: form-data; name="
    fields = {"game": GAME, "name": name, "activate": "yes"}
    lines = [f'--sep\r\n{head}"{key}"\r\n\r\n{value}\r\n' for key, value in fields.items()]
    file = f'--sep\r\n{head}"files"; filename="bot.zip"\r\n\r\n'
    return "".join(lines).encode() + file.encode() + packed.getvalue() + b"\r\n--sep--\r\n"


async def measure_latency(port: int, paths: list[str], seconds: int) -> list[float]:
    """Sends requests at a steady rate; returns how long each took, in ms."""
    idle: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []
    from_whom, took = address_of(), list[float]()
    draw, begin = random.Random(1), asyncio.get_running_loop().time() + 0.1

    async def ask(due: float, path: str) -> None:
        await asyncio.sleep(due - asyncio.get_running_loop().time())
        while idle and idle[-1][0].at_eof():  # the server closes what was idle for some seconds
            idle.pop()[1].close()
        reader, writer = idle.pop() if idle else await asyncio.open_connection("127.0.0.1", port)
        lines = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", f"X-Forwarded-For: {next(from_whom)}", "", ""]
        writer.write("\r\n".join(lines).encode())
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        assert head.startswith("http/1.1 200"), (path, head)
        await reader.readexactly(int(head.split("content-length:")[1].split("\r\n")[0]))
        took.append((asyncio.get_running_loop().time() - due) * 1000)
        idle.append((reader, writer))

    asked = [ask(begin + number / RATE, draw.choice(paths)) for number in range(seconds * RATE)]
    await asyncio.gather(*asked)
    for _, writer in idle:
        writer.close()
    return sorted(took)


def show_latency(title: str, took: list[float]) -> None:
    p99 = took[int(len(took) * 0.99)]
    print(f"{title}: median {statistics.median(took):.1f} ms, p99 {p99:.1f} ms, worst {took[-1]:.1f} ms")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--bots", type=int, default=50)
    parser.add_argument("--matches", type=int, default=20_000)
    parser.add_argument("--requests", type=int, default=300)
    parser.add_argument("--seconds", type=int, default=20)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-site-") as place:
        folder = Path(place) / "yard"
        folder.mkdir()
        config = YardConfig(folder)
        migrate(config.database_address)
        yard = Yard(config, Database.at(config.database_address))
        filled = fill(yard, options.bots, options.matches)
        yard.close()
        (folder / "yard.toml").write_text(CONFIG)
        print(f"a yard with {options.bots} bots and {options.matches} matches\n")
        with served(folder) as (process, port):
            client, paths = Client(port), addresses(filled)
            measure_cpu(client, process, paths, options.requests)
            print(f"\n{RATE} requests a second, all addresses above in turns, for {options.seconds} s")
            show_latency("nobody plays", asyncio.run(measure_latency(port, paths, options.seconds)))
            enter_players(client)
            before, spent = games_played(client), cpu_s(process)
            show_latency("one worker plays", asyncio.run(measure_latency(port, paths, options.seconds)))
            print(f"{games_played(client) - before} rated games were recorded meanwhile")
            print(f"the server used {(cpu_s(process) - spent) / options.seconds:.2f} cores meanwhile")


if __name__ == "__main__":
    main()
