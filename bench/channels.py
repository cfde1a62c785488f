"""What two caged bots can still tell each other: `PYTHONPATH=src python bench/channels.py [CHANNEL ...]`

Two real cages, a C program in each (`bench/channels.c`, built here), random bits from one to the other. Every channel
is measured while both run, and where it makes sense with turns: each side is frozen while the other has its turn, as
`--freeze` does. Prints one JSON object per channel and way: bits per second, the share of wrong bits (0.5 is nothing at
all), what that leaves of a channel, and with turns the bits of one turn.

    wake     a shared futex in a system file that both map read-only, woken by a call
    exit     the same, woken by the kernel when a thread ends (set_tid_address)
    mapped   pages of a system file that one side maps; the other finds them shared (/proc/self/pagemap, smaps)
    cold     pages of a system file that one side had read from the disk; for the other they are no major faults.
             Each page serves once, until the kernel needs its memory (the bench empties them from outside)
    threads  how many threads the machine has (sysinfo)
    load     one side burns, the other counts how far it gets
"""

from __future__ import annotations

import asyncio
import json
import math
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from botyard.jail.launch import Launch
from botyard.jail.limits import Level, Limits
from botyard.jail.program import Program
from botyard.kernel.verdict import Fault

SOURCE = Path(__file__).with_suffix(".c")
PLACE = Path("/bot")
SHELVES = (Path("/usr/share"), Path("/usr/lib"))  # where a large file lies that nobody has mapped
PAGE, PAGES = 4096, 1000
TURNS = 40
LEAD_NS = 300_000_000

BITS = {"wake": 40_000, "exit": 8_000, "mapped": PAGES, "cold": PAGES, "threads": 400, "load": 200}
BITS_OF_A_TURN = {"wake": 40, "exit": 40, "mapped": PAGES, "cold": PAGES, "threads": 1}
ROUNDS = 5  # of those that send one block


class End:
    """One side of a channel, in its cage."""

    def __init__(self, program: Program) -> None:
        self._program, self._told = program, b""

    @classmethod
    async def start(cls, folder: Path, channel: str, file: Path) -> End:
        command = ("./agent", channel, str(file))
        launch = Launch(command, PLACE, Level.CAGED, Limits(), shows={PLACE: folder}, freezes=True)
        program = await Program.start(launch, piped=True)
        if isinstance(program, Fault):
            raise SystemExit(program.reason)
        end = cls(program)
        assert await end.hear() == "ready"
        return end

    def say(self, order: str, *words: object) -> None:
        self._program.send(" ".join(map(str, (order, *words))).encode() + b"\n")

    async def hear(self) -> str:
        async with asyncio.timeout(120):
            while b"\n" not in self._told:
                chunk = await self._program.inbox.receive()
                if not chunk:
                    raise SystemExit(f"an end has ended: {self._program.said()}")
                self._told += chunk
        line, _, self._told = self._told.partition(b"\n")
        return line.decode()

    async def take_turn(self, order: str, what: object) -> str:
        """One order, with the rest of the time spent frozen."""
        await self._program.freeze(False)
        self.say(order, 0, what)
        told = await self.hear()
        await self._program.freeze(True)
        return told

    async def stop(self) -> None:
        await self._program.stop()


class Sent(NamedTuple):
    bits: str
    read: str
    seconds: float


def decoded(numbers: Sequence[int], more_is_one: bool) -> str:
    """Bits of measured numbers: those above and below the middle between their two halves."""
    ordered = sorted(numbers)
    half = len(ordered) // 2
    middle = (ordered[half // 2] + ordered[half + (len(ordered) - half) // 2]) / 2
    return "".join("1" if (number > middle) == more_is_one else "0" for number in numbers)


def drawn(count: int) -> str:
    return "".join(random.choice("01") for _ in range(count))


def empty(file: Path) -> None:
    """Has the kernel forget the pages of a file; nobody in a cage could."""
    descriptor = os.open(file, os.O_RDONLY)
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(descriptor)


async def ends(folder: Path, channel: str, file: Path) -> tuple[End, End]:
    sender, receiver = await asyncio.gather(*(End.start(folder, channel, file) for _ in range(2)))
    return sender, receiver


async def while_both_run(folder: Path, channel: str, file: Path) -> Sent:
    bits = read = ""
    seconds = 0.0
    for _ in range(ROUNDS if channel in ("mapped", "cold") else 1):
        sender, receiver = await ends(folder, channel, file)
        if channel == "cold":
            empty(file)
        part = drawn(BITS[channel])
        start = time.monotonic_ns() + LEAD_NS
        receiver.say("receive", start, len(part))
        sender.say("send", start, part)
        *told, took = (await receiver.hear()).split()
        bits += part
        read += decoded([int(word) for word in told], channel == "threads") if len(told) > 1 else "".join(told)
        seconds += int(took) / 1e9
        await asyncio.gather(sender.stop(), receiver.stop())
    return Sent(bits, read, seconds)


async def in_turns(folder: Path, channel: str, file: Path) -> Sent:
    sender, receiver = await ends(folder, channel, file)
    count = BITS_OF_A_TURN[channel]
    bits, told, seconds = "", [], 0.0
    for _ in range(ROUNDS if channel == "cold" else TURNS):
        if channel == "cold":
            await asyncio.gather(sender.stop(), receiver.stop())  # what is mapped cannot be forgotten
            sender, receiver = await ends(folder, channel, file)
            empty(file)
        part = drawn(count)
        began = time.monotonic()
        await receiver.take_turn("arm", count if channel in ("wake", "exit") else 0)
        await sender.take_turn("leave", part)
        told.append(await receiver.take_turn("look", count))
        seconds += time.monotonic() - began
        bits += part
    await asyncio.gather(sender.stop(), receiver.stop())
    return Sent(bits, decoded([int(word) for word in told], True) if channel == "threads" else "".join(told), seconds)


def figures(sent: Sent) -> dict[str, float]:
    wrong = sum(one != other for one, other in zip(sent.bits, sent.read, strict=False))
    share = (wrong + abs(len(sent.bits) - len(sent.read))) / len(sent.bits)
    rate = len(sent.bits) / sent.seconds
    doubt = -sum(part * math.log2(part) for part in (share, 1 - share) if part > 0)
    return {"bits_per_s": round(rate), "wrong": round(share, 4), "worth_bits_per_s": round(rate * (1 - doubt))}


def large_file() -> Path:
    """A file of the system that is no program, so that nobody else has it mapped."""
    found = (path for shelf in SHELVES for path in shelf.rglob("*") if path.is_file() and not path.is_symlink())
    return next(path for path in found if path.stat().st_size > PAGES * PAGE and not path.stat().st_mode & 0o111)


async def measure(channels: Sequence[str]) -> None:
    file = large_file()
    with tempfile.TemporaryDirectory(dir="/var/tmp") as name:
        folder = Path(name)
        folder.chmod(0o755)
        subprocess.run(["cc", "-O2", "-pthread", "-o", folder / "agent", SOURCE], check=True)
        for channel in channels:
            sent = await while_both_run(folder, channel, file)
            print(json.dumps({"channel": channel, "freeze": False, **figures(sent)}), flush=True)
            if channel in BITS_OF_A_TURN:
                sent = await in_turns(folder, channel, file)
                turn = {"bits_of_a_turn": BITS_OF_A_TURN[channel]}
                print(json.dumps({"channel": channel, "freeze": True, **figures(sent), **turn}), flush=True)


if __name__ == "__main__":
    asyncio.run(measure(sys.argv[1:] or list(BITS)))
