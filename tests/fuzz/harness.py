"""Feeds a reader with files that strangers might send: every kept failure, then samples that were cut, crossed, bent.

A reader may answer or refuse; it refuses with one of its own errors and in bounded time. Anything else is a failure,
which is written to `kept/READER/` so that it is tried first ever after. `make test` tries a thousand inputs of each
reader; with BOTYARD_FUZZ_S each is tried for so many seconds of processor time (`make soak`).
"""

from __future__ import annotations

import contextlib
import copy
import hashlib
import os
import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from botyard.kernel.errors import YardError

KEPT = Path(__file__).parent / "kept"
INPUTS = 1000
LONGEST_S = 5.0  # for one input, on a machine that does much else
LARGEST = 1 << 20

ODD_BYTES = (b"\0", b"\xff", b"\x80", b"\r\n", b"\n", b"\x1b[2J", b"\xe2\x80\xae", b"\xed\xa0\x80", b"\xf0\x9f\x90\x9d")
ODD_WORDS = (
    b"-1", b"1e999", b"NaN", b"null", b"true", b'""', b"[]", b"{}", b"[" * 5000, b"{" * 5000, b'{"a":' * 2000,
    b"9" * 5000, b"0x7fffffffffffffff", b"18446744073709551616", b"../../../etc/passwd", b"a." * 5000, b"%s%n",
    b"<script>", b"=1+1", b"'", b'"""',
)  # fmt: skip

ODD_VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2**31, -(2**31), 2**63, 2**64, 10**30, 0.5, -0.0, 1e308, "", "a", "\0", "\x1b[2J",
    "\ud800", "\udcff", "-1", "9" * 30, "../..", "x" * 300, [], [[]], [0], [None], [-1, 99], {}, {"": 0},
    {"forfeit": 9},
)  # fmt: skip

Reader = Callable[[bytes], object]
Bender = Callable[[random.Random, Sequence[bytes]], bytes]


def fuzz(
    name: str,
    samples: Sequence[bytes],
    read: Reader,
    refusals: tuple[type[Exception], ...] = (YardError,),
    bend: Bender | None = None,
) -> int:
    """Tries a reader; raises on the first input it cannot stand. Returns how many were tried.

    `bend` makes an input of the samples where more is needed than bent bytes: a checksum that is right, for example.
    """
    for sample in samples:  # untimed: whatever is compiled is compiled now
        with contextlib.suppress(*refusals):
            read(sample)
    for path in sorted((KEPT / name).glob("*")):
        attempt(name, path.read_bytes(), read, refusals)
    seconds = float(os.environ.get("BOTYARD_FUZZ_S", "0"))
    chance = random.Random(f"{name} {time.time_ns() if seconds else ''}")
    began, tried = time.process_time(), 0
    while tried < INPUTS or time.process_time() - began < seconds:
        attempt(name, (bend or bent)(chance, samples), read, refusals)
        tried += 1
    print(f"{name}: {tried} inputs, {time.process_time() - began:.1f} s")  # noqa: T201
    return tried


def attempt(name: str, raw: bytes, read: Reader, refusals: tuple[type[Exception], ...]) -> None:
    began = time.process_time()
    try:
        read(raw)
    except refusals:
        pass
    except BaseException:
        keep(name, raw)
        raise
    if time.process_time() - began > LONGEST_S:
        keep(name, raw)
        raise AssertionError(f"{name} took {time.process_time() - began:.1f} s for {len(raw)} bytes")


def keep(name: str, raw: bytes) -> None:
    path = KEPT / name / hashlib.sha256(raw).hexdigest()[:16]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(raw)


def bent(chance: random.Random, samples: Sequence[bytes]) -> bytes:
    """One of the samples after a few accidents."""
    raw = bytearray(chance.choice(samples))
    for _ in range(chance.choice((1, 1, 2, 4, 16))):
        chance.choice(ACCIDENTS)(chance, raw, samples)
        del raw[LARGEST:]  # doubled a few times it would fill our own memory
    return bytes(raw)


def crooked(chance: random.Random, value: Any) -> Any:
    """A JSON value with a few parts exchanged, doubled, moved or taken out: it parses. The value itself is changed."""
    whole = value
    for _ in range(chance.choice((1, 1, 2, 4))):
        holder, key = part_of(chance, whole)
        if holder is None:
            return chance.choice(ODD_VALUES)
        what = chance.randrange(8)
        if what < 4:
            holder[key] = copy.deepcopy(chance.choice(ODD_VALUES))
        elif what == 4:
            del holder[key]
        elif what == 5 and isinstance(holder, list):
            holder[key:key] = copy.deepcopy(holder[key : key + 1]) * chance.choice((1, 2, 50))
        elif type(holder[key]) is int:
            holder[key] += chance.choice((-1, 1, 7, 100, 1 << 15, -(1 << 20)))
        else:
            other, at = part_of(chance, whole)
            holder[key] = copy.deepcopy(other[at]) if other is not None else 0
    return whole


def part_of(chance: random.Random, whole: Any) -> tuple[Any, Any]:
    """Some part of a value, as what holds it and where; any depth is as likely as any other."""
    holder, key, value = None, None, whole
    while isinstance(value, list | dict) and value and (holder is None or chance.random() < 0.8):
        holder = value
        key = chance.randrange(len(value)) if isinstance(value, list) else chance.choice(sorted(value))
        value = holder[key]
    return holder, key


def spot(chance: random.Random, raw: bytearray) -> int:
    return chance.randrange(len(raw) + 1)


def flip(chance: random.Random, raw: bytearray, samples: Sequence[bytes]) -> None:
    if raw:
        raw[chance.randrange(len(raw))] ^= 1 << chance.randrange(8)


def cut(chance: random.Random, raw: bytearray, samples: Sequence[bytes]) -> None:
    first, last = sorted((spot(chance, raw), spot(chance, raw)))
    del raw[first:last]


def end(chance: random.Random, raw: bytearray, samples: Sequence[bytes]) -> None:
    del raw[spot(chance, raw) :]


def double(chance: random.Random, raw: bytearray, samples: Sequence[bytes]) -> None:
    first, last = sorted((spot(chance, raw), spot(chance, raw)))
    raw[last:last] = raw[first:last] * chance.choice((1, 2, 50))


def cross(chance: random.Random, raw: bytearray, samples: Sequence[bytes]) -> None:
    other = chance.choice(samples)
    raw[spot(chance, raw) :] = other[chance.randrange(len(other) + 1) :]


def insert(chance: random.Random, raw: bytearray, samples: Sequence[bytes]) -> None:
    at = spot(chance, raw)
    raw[at:at] = chance.choice(ODD_BYTES + ODD_WORDS)


def replace(chance: random.Random, raw: bytearray, samples: Sequence[bytes]) -> None:
    """A word or a number, which most readers are most trusting about."""
    at = spot(chance, raw)
    last = at
    while last < len(raw) and chr(raw[last]).isalnum():
        last += 1
    raw[at:last] = chance.choice(ODD_WORDS)


ACCIDENTS = (flip, flip, cut, end, double, cross, insert, replace, replace)
