"""Blobs: what people and workers hand in, kept by its hash and never changed.

Small blobs lie in their row. Larger ones lie in files, written and synced before the transaction that names them; what
no row names any more is swept after a day.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

import sqlalchemy as sa

from botyard.kernel.errors import BadRecord, OurFault
from botyard.yard.data.database import insert_new
from botyard.yard.data.tables import BLOB

IN_ROW = 32 * 1024  # bytes; a replay of most games is smaller, and then a game costs no file


class Blobs:
    """The blobs of a yard, below one folder and in one table."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keep(self, connection: sa.Connection, content: bytes, at_ms: int) -> str:
        """Keeps content in this transaction, or finds that it is kept already; returns its digest."""
        digest = hashlib.sha256(content).hexdigest()
        in_row = len(content) <= IN_ROW
        if not in_row:
            self._write(digest, content)
        row = {"digest": digest, "size": len(content), "content": content if in_row else None, "made_ms": at_ms}
        if not insert_new(connection, BLOB, row):
            again = sa.update(BLOB).where(BLOB.c.digest == digest, BLOB.c.pruned_ms.is_not(None))
            connection.execute(again.values(content=row["content"], pruned_ms=None))
        return digest

    def lay_down(self, content: bytes) -> None:
        """Writes and syncs the file of what a transaction is going to keep, so that nobody waits for the disk in it."""
        if len(content) > IN_ROW:
            self._write(hashlib.sha256(content).hexdigest(), content)

    def read(self, connection: sa.Connection, digest: str) -> bytes:
        """Returns the content of a blob; one that is missing or altered is an error of ours."""
        row = connection.execute(sa.select(BLOB).where(BLOB.c.digest == digest)).one_or_none()
        if row is None:
            raise OurFault(f"the blob {digest} is not in the table")
        if row.pruned_ms is not None:
            raise BadRecord("this was pruned", hint="only its hash and size are kept")
        content = row.content if row.content is not None else self._file(digest)
        if hashlib.sha256(content).hexdigest() != digest:
            raise OurFault(f"the blob {digest} was altered")
        return bytes(content)

    def path(self, digest: str) -> Path:
        return self._folder / digest[:2] / digest

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


def sync_folder(folder: Path) -> None:
    """Has the system write the names in a folder to the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
