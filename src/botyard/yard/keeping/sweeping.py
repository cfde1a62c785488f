"""Sweeps away blobs that no row names, and files that no blob has, once they are older than a day.

Whoever keeps a blob names it in the same transaction, or within a day; nobody names blobs while one batch is swept.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa

from botyard.yard.data.blobs import Blobs, named_digests, naming_stopped, remove_files
from botyard.yard.data.database import Database
from botyard.yard.data.tables import BLOB
from botyard.yard.data.times import DAY, SECOND

BATCH = 200

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Swept:
    """How much was swept away."""

    blobs: int
    files: int  # that belonged to no blob


def sweep(database: Database, blobs: Blobs, now_ms: int) -> Swept:
    """Removes what nobody has named for a day. It may run beside a server, and be repeated."""
    return Swept(sweep_rows(database, blobs, now_ms - DAY), sweep_files(database, blobs, now_ms - DAY))


def unnamed(before_ms: int) -> sa.CompoundSelect[Any]:
    old = sa.select(BLOB.c.digest).where(BLOB.c.made_ms < before_ms)
    return sa.except_(old, sa.select(named_digests().subquery()))


def sweep_rows(database: Database, blobs: Blobs, before_ms: int) -> int:
    swept = 0
    while True:
        with naming_stopped(database) as connection:
            digests = list[str](connection.scalars(unnamed(before_ms).limit(BATCH)))
            # Files go first: if we are killed in between, a row is left that nobody names, and the next sweep finds it.
            remove_files(blobs, digests)
            connection.execute(sa.delete(BLOB).where(BLOB.c.digest.in_(digests)))
        swept += len(digests)
        if len(digests) < BATCH:
            return swept


def sweep_files(database: Database, blobs: Blobs, before_ms: int) -> int:
    """Removes files whose transaction never came to an end, and those of blobs that were pruned."""
    swept = 0
    old = [path for path in blobs.files() if is_older(path, before_ms)]
    for batch in batches(old):
        with naming_stopped(database) as connection:
            kept = sa.select(BLOB.c.digest).where(BLOB.c.pruned_ms.is_(None), BLOB.c.content.is_(None))
            there = set(connection.scalars(kept.where(BLOB.c.digest.in_([path.name for path in batch]))))
            for path in batch:
                # Looked at again: it may have been written anew since.
                if path.name not in there and is_older(path, before_ms):
                    path.unlink(missing_ok=True)
                    swept += 1
    return swept


def is_older(path: Path, than_ms: int) -> bool:
    with contextlib.suppress(FileNotFoundError):
        return path.stat().st_mtime * SECOND < than_ms
    return False


def batches(all_of_them: Sequence[T], size: int = BATCH) -> Iterator[Sequence[T]]:
    for start in range(0, len(all_of_them), size):
        yield all_of_them[start : start + size]
