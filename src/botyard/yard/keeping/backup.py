"""Writes a backup of a yard into one file, while it is served or not.

All rows are those of one moment: both databases show a reading transaction one state, and hold up no writer for it.
Blobs never change, and nothing is removed while a backup is written (`locks.keeping`).
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import io
import os
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import sqlalchemy as sa

from botyard import __version__
from botyard.kernel.errors import YardError
from botyard.yard.config import CONFIG_FILE, YardConfig
from botyard.yard.data.blobs import Blobs, sync_folder
from botyard.yard.data.database import Database
from botyard.yard.data.tables import BLOB
from botyard.yard.keeping.archive import CONFIG_NAME, HEAD_NAME, BackupHead, row_line, tables_there
from botyard.yard.keeping.migrating import revision_of

CHUNK = 1000  # rows that are fetched at a time

Counting = Callable[[str, int], AbstractContextManager[Callable[[], None]]]
"""Begins to show how many of a number of things are done; what it yields is called for each."""


@contextlib.contextmanager
def unseen(_title: str, _total: int) -> Iterator[Callable[[], None]]:
    """Shows nothing of how far something is."""
    yield lambda: None


@dataclass(slots=True)
class BackupReport:
    """What a backup holds."""

    rows: int = 0
    blobs: int = 0
    bytes: int = 0
    damaged: list[str] = field(default_factory=list)  # digests of blobs that are missing or altered


def write_backup(
    config: YardConfig, database: Database, target: Path, now_ms: int, counting: Counting = unseen
) -> BackupReport:
    """Writes a backup beside the target, then renames it. Only its owner may read it: it holds everybody's sources."""
    report = BackupReport()
    try:
        with tempfile.NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}.", delete=False) as file:
            written = Path(file.name)
            try:
                with tarfile.open(fileobj=file, mode="w", format=tarfile.PAX_FORMAT) as archive:
                    fill(archive, config, database, now_ms, report, counting)
                file.flush()
                os.fsync(file.fileno())
                written.replace(target)
            finally:
                written.unlink(missing_ok=True)
        sync_folder(target.parent)
    except OSError as error:
        raise YardError(f"cannot write {target}", hint=error.strerror or str(error)) from None
    report.bytes = target.stat().st_size
    return report


def fill(
    archive: tarfile.TarFile,
    config: YardConfig,
    database: Database,
    now_ms: int,
    report: BackupReport,
    counting: Counting,
) -> None:
    with database.reading() as connection:
        tables = tables_there(connection)
        counts = {table.name: rows_in(connection, table) for table in tables}
        head = BackupHead(__version__, revision_of(connection), now_ms, counts)
        add_member(archive, HEAD_NAME, head.as_bytes())
        with contextlib.suppress(FileNotFoundError):
            add_member(archive, CONFIG_NAME, (config.folder / CONFIG_FILE).read_bytes())
        with counting("rows", sum(counts.values())) as advance:
            for table in tables:
                add_rows(archive, connection, table, advance)
        report.rows = sum(counts.values())
        in_files = sa.select(BLOB.c.digest).where(BLOB.c.content.is_(None), BLOB.c.pruned_ms.is_(None))
        digests = connection.scalars(in_files.order_by(BLOB.c.digest)).all()
    blobs = Blobs(config.blobs)
    with counting("blobs", len(digests)) as advance:
        for digest in digests:
            add_blob(archive, blobs, digest, report)
            advance()


def rows_in(connection: sa.Connection, table: sa.Table) -> int:
    return int(connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one())


def add_rows(archive: tarfile.TarFile, connection: sa.Connection, table: sa.Table, advance: Callable[[], None]) -> None:
    ordered = sa.select(table).order_by(*table.primary_key.columns)
    with tempfile.TemporaryFile() as file:
        with gzip.GzipFile(fileobj=file, mode="wb", compresslevel=6, mtime=0) as packed:
            packed.write(row_line(tuple(table.c.keys())))
            for row in connection.execute(ordered, execution_options={"yield_per": CHUNK}):
                packed.write(row_line(tuple(row)))
                advance()
        add_member(archive, f"rows/{table.name}.jsonl.gz", file)


def add_blob(archive: tarfile.TarFile, blobs: Blobs, digest: str, report: BackupReport) -> None:
    """Adds the file of a blob. One that is damaged is left out and told of: it must not cost all others."""
    try:
        content = blobs.path(digest).read_bytes()
    except OSError:
        report.damaged.append(digest)
        return
    if hashlib.sha256(content).hexdigest() != digest:
        report.damaged.append(digest)
        return
    add_member(archive, f"blobs/{digest}", content)
    report.blobs += 1


def add_member(archive: tarfile.TarFile, name: str, content: bytes | IO[bytes]) -> None:
    file = io.BytesIO(content) if isinstance(content, bytes) else content
    about = tarfile.TarInfo(name)
    about.size, about.mode = file.seek(0, os.SEEK_END), 0o600
    file.seek(0)
    archive.addfile(about, file)
