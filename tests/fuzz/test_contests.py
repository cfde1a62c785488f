"""Contest files and stores, bent in every way: read or refused, and never anything else."""

from __future__ import annotations

import contextlib
import json
import random
import sqlite3
import tomllib
from collections.abc import Sequence
from pathlib import Path

from botyard.contest.new_file import new_contest, usual_format
from botyard.contest.reading import BadPlan, ContestReader, read_plan
from botyard.contest.runner import replay_course
from botyard.contest.store_file import StoreFile
from botyard.contest.summary import summarize
from botyard.games import GAMES, load
from botyard.kernel.bounded import json_of
from tests.contest.yard import QUICK, plan_of, run_contest
from tests.fuzz.harness import ODD_VALUES, bent, crooked, fuzz

CAGED = QUICK.replace(
    "[run]", '[cage]\nlevel = "open"\nmemory_mb = 64\n[time]\nreply_timeout_ms = 9\n[run]\nworkers = 2'
)


def bend_contest(chance: random.Random, samples: Sequence[bytes]) -> bytes:
    """The text, or as JSON what it says."""
    if chance.randrange(2):
        return bent(chance, samples)
    return json.dumps(crooked(chance, tomllib.loads(chance.choice(samples).decode()))).encode()


def test_no_contest_file_is_too_odd_to_be_refused(in_memory: Path) -> None:
    books = map(load, GAMES)
    samples = [QUICK.encode(), CAGED.encode(), *(new_contest(book, usual_format(book)).encode() for book in books)]
    path = in_memory / "league.toml"

    def read(raw: bytes) -> None:
        if raw.startswith(b"{"):
            reader = ContestReader(path)
            if reader.read(json_of(raw, "the content")) is None:
                raise BadPlan(path, reader.mistakes)
        else:
            path.write_bytes(raw)
            read_plan(path)

    assert fuzz("contest", samples, read, bend=bend_contest) >= 1000


# Stores


def test_no_store_is_too_odd_to_be_refused(in_memory: Path) -> None:
    plan = plan_of(in_memory)
    run_contest(plan)
    whole = plan.store_path.read_bytes()
    path = in_memory / "other.store"

    def bend_store(chance: random.Random, samples: Sequence[bytes]) -> bytes:
        """Bytes of the file, or values of its tables."""
        if chance.randrange(3) == 0:
            return bent(chance, samples)
        plain = sqlite3.connect(":memory:")
        plain.deserialize(chance.choice(samples).replace(WAL, ROLLBACK, 1))
        for _ in range(chance.choice((1, 1, 3))):
            table, column = chance.choice(COLUMNS)
            value = chance.choice(
                [*(one for one in ODD_VALUES if is_plain(one)), b"\xff", "{}", "[]", '{"a": 1}', "A>B"]
            )
            with contextlib.suppress(sqlite3.IntegrityError):  # one that even a stranger could not write
                row = "number" if table == "games" else "rowid"
                plain.execute(f"update {table} set {column} = ? where {row} = ?", (value, chance.randrange(1, 5)))
        plain.commit()
        return plain.serialize()

    def read(raw: bytes) -> None:
        StoreFile.remove(path)
        path.write_bytes(raw)
        with StoreFile.open(path) as store:
            assert store.identity is not None
            replay_course(plan, store)
            if sum(raw[:9999]) % 10 == 0:  # a look at everything takes three times as long
                list(store.lines())
                store.waiting(1, 9)
                summarize(plan, store)
                store.replay(1)

    assert fuzz("store", [whole], read, bend=bend_store) >= 1000


WAL, ROLLBACK = b"\x02\x02", b"\x01\x01"
COLUMNS = [
    *(("about", name) for name in ("key", "value")),
    *(("games", name) for name in ("bots", "match", "game", "chance", "seed", "state", "faults", "result", "ticks")),
    *(("games", name) for name in ("verdicts", "timing", "note")),
]


def is_plain(value: object) -> bool:
    """Whether SQLite can keep a value."""
    if isinstance(value, str):
        return value.isascii()
    return value is None or isinstance(value, float) or (isinstance(value, int) and abs(value) < 1 << 63)
