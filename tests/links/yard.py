"""Real programs on real sockets: tiny bots written inside the tests."""

from __future__ import annotations

import asyncio
import os
import shlex
import socket
import sys
from collections.abc import Awaitable
from itertools import count
from pathlib import Path
from textwrap import dedent
from typing import Any, TypeVar

from botyard.games import load
from botyard.jail.spawner import SOURCE
from botyard.match.clock import Clock
from botyard.match.loop import Played
from tests.links.matches import play_match
from tests.waiting import finished

T = TypeVar("T")

PATIENT_MS = 60_000  # where a time-out is not what is tested: a machine that stands still must not fail a test
BRISK_MS = 400  # for bots that are silent for ever, and are not waited for long

PREAMBLE = """
import os, socket, sys, time
link = socket.create_connection((sys.argv[1], int(sys.argv[2])))
lines = link.makefile("rb")
def say(text): link.sendall(text.encode())
say("tiny\\n")
def turns():
    for line in lines:
        if line == b"gameover\\n":
            return
        yield line
"""


def tiny_bot(folder: Path, body: str, preamble: str = PREAMBLE) -> str:
    """A bot in Python as a BOT of the command line."""
    path = folder / f"bot{abs(hash(body)) % 10**8}.py"
    path.write_text(preamble + dedent(body))
    return f"cmd:{shlex.quote(sys.executable)} {shlex.quote(str(path))}"


IDLE = "for _ in turns(): say('3,0\\n')"


def play_as_visitor(link: socket.socket, name: str = "guest") -> None:
    """A game of Hive Arena by a bot that has connected by itself."""
    with link, link.makefile("rwb") as lines:
        lines.write(f"{name}\n".encode())
        lines.flush()
        for line in lines:
            if line == b"gameover\n":
                return
            lines.write(b"3,0\n")
            lines.flush()


class LateClock:
    """For a bot that is to be late, however this machine may falter: nothing but the waiting counts as time, and what
    has missed its deadline is waited for as long as it takes. `lag_s` is how late the match notices a deadline itself.
    """

    def __init__(self, lag_s: float = 0.0) -> None:
        self._now, self._missed, self._lag_s = 0.0, False, lag_s

    def now(self) -> float:
        return self._now

    def held_up(self) -> float:
        return 0.0

    async def within(self, seconds: float | None, awaited: Awaitable[T]) -> T:
        try:
            async with asyncio.timeout(PATIENT_MS / 1000 if self._missed else seconds):
                result = await awaited
        except TimeoutError:
            self._missed = True
            self._now += (seconds or 0.0) + self._lag_s
            raise
        self._missed = False
        return result


PORTS = count(20_000 + 1000 * int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")))


def free_port() -> int:
    """A port nobody else is given before it is used: below those the kernel chooses from, apart for every worker."""
    for port in PORTS:
        try:
            with socket.create_server(("127.0.0.1", port)):
                return port
        except OSError:
            continue
    raise AssertionError("counting does not end")


def play(*bots: str, seed: int = 4, **settings: Any) -> Played:
    """A game of Hive Arena between BOTs of the command line, the first of them player 0."""
    return finished(play_here(*bots, seed=seed, **settings))


async def play_here(
    *bots: str, seed: int = 4, notice: Any = lambda text: None, clock: Clock | None = None, **settings: Any
) -> Played:
    usual = {"random_seats": False, "max_turns": 20, "reply_timeout_ms": PATIENT_MS, "name_timeout_ms": PATIENT_MS}
    chosen = load("hive").settings.read({**usual, **settings})
    return await play_match("hive", bots, chosen, seed, clock=clock, notice=notice)


def is_alive(pid: int) -> bool:
    """The dead may still be listed, until somebody up the tree has noticed."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in ("Z", "X")
    except OSError:
        return False


def children(owner: int | None = None) -> list[int]:
    """Living processes below a process, this one by default; apart from Python's own accountant of shared memory, and
    the spawners who start programs."""
    parents: dict[int, int] = {}
    words: dict[int, bytes] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
                words[int(entry.name)] = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if fields[0] not in ("Z", "X"):
                parents[int(entry.name)] = int(fields[1])
    family = {owner or os.getpid()}
    while grown := {pid for pid, parent in parents.items() if parent in family} - family:
        family |= grown

    def spawners(pid: int) -> bool:
        return str(SOURCE).encode() in words.get(pid, b"")

    ours = {pid for pid in family if spawners(pid) and not spawners(parents[pid])}  # its supervisors have its name
    ours |= {pid for pid in family if b"multiprocessing.resource_tracker" in words.get(pid, b"")}
    return sorted(family - ours - {owner or os.getpid()})
