"""Blobs: what people and workers hand in, kept by its hash and never changed.

Small blobs lie in their row. Larger ones lie in files, written and synced before the transaction that names them; what
no row names any more is swept after a day.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

import sqlalchemy as sa

from botyard.kernel.errors import BadRecord, OurFault
from botyard.yard.data.database import Database, DatabaseAway, insert_all_new
from botyard.yard.data.statements import rows_by
from botyard.yard.data.tables import BLOB
from botyard.yard.data.times import HOUR

IN_ROW = 32 * 1024  # bytes; a replay of most games is smaller, and then a game costs no file
NAMING = 0x626C6F62  # the advisory lock of PostgreSQL that is shared by whoever names blobs
SWEEP_S, SWEEP_PAUSE_S = 60.0, 0.05  # how long, and how often, a sweep tries to be alone
FRESH = 12 * HOUR  # a blob that is kept again after so long begins a new life


SHARE_NAMING = sa.select(sa.func.pg_advisory_xact_lock_shared(NAMING))
KEPT_AGAIN = (
    sa.update(BLOB)
    .where(BLOB.c.digest == sa.bindparam("of"))
    .where(BLOB.c.pruned_ms.is_not(None) | (BLOB.c.made_ms < sa.bindparam("old")))
    .values(content=sa.bindparam("to"), pruned_ms=None, made_ms=sa.bindparam("now"))
)


class BlobReader(Protocol):
    """Whoever gives the content of blobs."""

    def read(self, connection: sa.Connection, digest: str) -> bytes: ...


class Blobs:
    """The blobs of a yard, below one folder and in one table."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keep(self, connection: sa.Connection, content: bytes, at_ms: int) -> str:
        """Keeps content in this transaction, or finds that it is kept already; returns its digest."""
        [digest] = self.keep_all(connection, [content], at_ms)
        return digest

    def keep_all(self, connection: sa.Connection, contents: Sequence[bytes], at_ms: int) -> list[str]:
        """Keeps all of these; returns their digests."""
        share_naming(connection)
        digests = [hashlib.sha256(content).hexdigest() for content in contents]
        rows: dict[str, dict[str, Any]] = {}
        for digest, content in sorted(zip(digests, contents, strict=True)):
            in_row = len(content) <= IN_ROW
            if not in_row:
                self._write(digest, content)
            kept = content if in_row else None
            rows[digest] = {"digest": digest, "size": len(content), "content": kept, "made_ms": at_ms}
        if insert_all_new(connection, BLOB, list(rows.values())) < len(rows):
            again = [{"of": row["digest"], "to": row["content"], "now": at_ms} for row in rows.values()]
            connection.execute(KEPT_AGAIN, [{**row, "old": at_ms - FRESH} for row in again])
        return digests

    def lay_down(self, content: bytes) -> None:
        """Writes and syncs the file of what a transaction is going to keep, so that nobody waits for the disk in it."""
        if len(content) > IN_ROW:
            self._write(hashlib.sha256(content).hexdigest(), content)

    def read(self, connection: sa.Connection, digest: str) -> bytes:
        """Returns the content of a blob; one that is missing or altered is an error of ours."""
        found = rows_by(connection, BLOB, {"digest": digest})
        if not found:
            raise OurFault(f"the blob {digest} is not in the table")
        [row] = found
        if row.pruned_ms is not None:
            raise BadRecord("this was pruned", hint="only its hash and size are kept")
        content = row.content if row.content is not None else self._file(digest)
        if hashlib.sha256(content).hexdigest() != digest:
            raise OurFault(f"the blob {digest} was altered")
        return bytes(content)

    def path(self, digest: str) -> Path:
        return self._folder / digest[:2] / digest

    def files(self) -> Iterator[Path]:
        """Yields every file below the folder, those that were not finished among them."""
        with contextlib.suppress(FileNotFoundError):
            for folder in sorted(self._folder.iterdir()):
                yield from sorted(folder.iterdir())

    def restore(self, digest: str, content: bytes) -> bool:
        """Writes the file of a blob that a backup brings; returns whether the content is what the digest says."""
        if hashlib.sha256(content).hexdigest() != digest:
            return False
        self._write(digest, content)
        return True

    def _file(self, digest: str) -> bytes:
        try:
            return self.path(digest).read_bytes()
        except FileNotFoundError:
            raise OurFault(f"the blob {digest} has no file") from None

    def _write(self, digest: str, content: bytes) -> None:
        path = self.path(digest)
        if path.exists():
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".new-", delete=False) as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(file.name).replace(path)
        sync_folder(path.parent)


def share_naming(connection: sa.Connection) -> None:
    """Keeps sweeps away until this transaction ends: what it names must not go. SQLite has one writer anyway."""
    if connection.dialect.name == "postgresql":
        connection.execute(SHARE_NAMING)


@contextlib.contextmanager
def naming_stopped(database: Database) -> Iterator[sa.Connection]:
    """A transaction in which nobody else names a blob.

    It does not queue up for that, because whoever names blobs would then wait behind it, maybe with locks of its own.
    """
    until = time.monotonic() + SWEEP_S
    while True:
        with database.writing() as connection:
            alone = sa.select(sa.func.pg_try_advisory_xact_lock(NAMING))
            if database.on_sqlite or connection.execute(alone).scalar():
                yield connection
                return
        if time.monotonic() > until:
            raise DatabaseAway("blobs are being named all the time", hint="try again when less is going on")
        time.sleep(SWEEP_PAUSE_S)


def naming_columns() -> list[sa.Column[str]]:
    """Returns the columns of all tables that name blobs."""
    return [
        column
        for table in BLOB.metadata.sorted_tables
        for column in table.c
        if any(key.column is BLOB.c.digest for key in column.foreign_keys)
    ]


def named_digests() -> sa.CompoundSelect[Any]:
    """Returns the query for every digest that some row names."""
    return sa.union_all(*(sa.select(column).where(column.is_not(None)) for column in naming_columns()))


def remove_files(blobs: Blobs, digests: Iterable[str]) -> None:
    for digest in digests:
        blobs.path(digest).unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Has the system write the names in a folder to the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
