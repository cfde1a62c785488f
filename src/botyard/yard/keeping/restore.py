"""Restores a yard from a backup, to an empty database of either kind.

Nothing is seen of it before all is there: a database in a file is made beside its place and renamed, and on PostgreSQL
all rows come in one transaction. The tables are made as they were when the backup was taken, and migrated afterwards.
"""

from __future__ import annotations

import contextlib
import gzip
import tarfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import IO

import sqlalchemy as sa

from botyard.kernel.bounded import toml_of
from botyard.kernel.errors import BadRecord, YardError
from botyard.match.storage import write_atomically
from botyard.yard.config import CONFIG_FILE, YardConfig
from botyard.yard.data.all_tables import ALL_TABLES
from botyard.yard.data.blobs import Blobs, sync_folder
from botyard.yard.data.database import Database
from botyard.yard.data.tables import BLOB
from botyard.yard.keeping.archive import (
    BLOB_NAME,
    CONFIG_NAME,
    DAMAGED,
    HEAD_MAX,
    HEAD_NAME,
    LINE_MAX,
    ROWS_NAME,
    BackupHead,
    row_of,
    tables_there,
)
from botyard.yard.keeping.backup import CHUNK, Counting, unseen
from botyard.yard.keeping.migrating import (
    NEW_SUFFIX,
    Revisions,
    check_references,
    remove_database,
    revision_of,
    without_foreign_keys,
)

FROM_BACKUP = ".from-backup"


@dataclass(slots=True)
class Restored:
    """What came back."""

    head: BackupHead
    rows: int = 0
    blobs: int = 0
    config: Path | None = None  # where the file of the yard lies now
    missing: list[str] = field(default_factory=list)  # digests that the backup should have and has not


def restore(config: YardConfig, source: Path, counting: Counting = unseen) -> Restored:
    """Restores a backup to the folder and the database of a configuration, which must be empty."""
    try:
        with tarfile.open(source, "r:") as archive:
            return restore_from(archive, config, counting)
    except (tarfile.TarError, EOFError, zlib.error, gzip.BadGzipFile):
        raise BadRecord(f"{source} cannot be read as a backup", hint=DAMAGED) from None
    except OSError as error:
        raise YardError(f"cannot restore {source}", hint=error.strerror or str(error)) from None


def restore_from(archive: tarfile.TarFile, config: YardConfig, counting: Counting) -> Restored:
    first = archive.next()
    if first is None or first.name != HEAD_NAME or first.size > HEAD_MAX:
        raise BadRecord("this is no backup of a yard", hint="name a file that `botyard yard backup` wrote")
    head = BackupHead.read(content_of(archive, first))
    revisions = Revisions()
    if not revisions.knows(head.revision):
        raise YardError(
            f"the backup has tables of revision {head.revision!r}, this Botyard knows {revisions.newest} and before",
            hint=f"use Botyard {head.botyard}, which wrote it, or a later one",
        )
    restored = Restored(head)
    blobs = Blobs(config.blobs)
    with empty_database(config) as connection:
        revisions.carry_out(connection, head.revision)
        tables = {table.name: table for table in tables_there(connection)}
        with counting("restoring", sum(head.tables.values())) as advance:
            for member in archive:
                if found := ROWS_NAME.fullmatch(member.name):
                    table = tables.get(found[1])
                    if table is None:
                        raise BadRecord(f"the backup has rows of an unknown table {found[1]!r}", hint=DAMAGED)
                    restored.rows += add_all(connection, table, opened(archive, member), head, advance)
                elif found := BLOB_NAME.fullmatch(member.name):
                    restored.blobs += blobs.restore(found[1], content_of(archive, member))
                elif member.name == CONFIG_NAME:
                    restored.config = restore_config(config, content_of(archive, member))
        if restored.rows != sum(head.tables.values()):
            raise BadRecord(f"the backup has {restored.rows} rows of {sum(head.tables.values())}", hint=DAMAGED)
        revisions.carry_out(connection, revisions.newest)
        raise_counters(connection)
        restored.missing = missing_blobs(connection, blobs)
    return restored


def opened(archive: tarfile.TarFile, member: tarfile.TarInfo) -> IO[bytes]:
    file = archive.extractfile(member) if member.isreg() else None
    if file is None:
        raise BadRecord(f"{member.name} in the backup is no file", hint=DAMAGED)
    return file


def content_of(archive: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    return opened(archive, member).read()


@contextlib.contextmanager
def empty_database(config: YardConfig) -> Iterator[sa.Connection]:
    """A transaction on a database without tables; at its end the yard has what was added to it."""
    url = sa.make_url(config.database_address)
    database = Database.at(config.database_address)
    with contextlib.closing(database):
        if not database.on_sqlite:
            with database.writing() as connection:
                refuse_rows(config, connection)
                yield connection
            return
        path = Path(url.database or "")
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            with database.reading() as connection:
                refuse_rows(config, connection)
            database.close()
            remove_database(path)
    beside = path.with_name(path.name + NEW_SUFFIX)
    remove_database(beside)
    try:
        with without_foreign_keys(beside) as connection:
            yield connection
            check_references(connection)
        beside.replace(path)
        sync_folder(path.parent)
    finally:
        remove_database(beside)


def refuse_rows(config: YardConfig, connection: sa.Connection) -> None:
    if revision_of(connection):
        raise YardError(
            f"the yard {config.folder} is there already", hint="restore to another folder, or name an empty database"
        )


def add_all(
    connection: sa.Connection, table: sa.Table, packed: IO[bytes], head: BackupHead, advance: Callable[[], None]
) -> int:
    """Adds the rows of one table; returns how many."""
    count = 0
    with gzip.GzipFile(fileobj=packed) as file:
        columns = row_of(file.readline(LINE_MAX), table.name)
        if not all(isinstance(name, str) and name in table.c for name in columns):
            raise BadRecord(f"the backup has other columns of {table.name}", hint=DAMAGED)
        while lines := list(islice(iter(lambda: file.readline(LINE_MAX), b""), CHUNK)):
            try:
                rows = [dict(zip(columns, row_of(line, table.name), strict=True)) for line in lines]
                connection.execute(sa.insert(table), rows)
            except (sa.exc.IntegrityError, sa.exc.DataError, sa.exc.StatementError, ValueError) as error:
                if isinstance(error, sa.exc.OperationalError | YardError):
                    raise
                raise BadRecord(f"a row of {table.name} does not fit", hint=DAMAGED) from None
            count += len(rows)
            for _ in rows:
                advance()
    if count != head.tables.get(table.name):
        raise BadRecord(f"the backup has {count} rows of {table.name}, and not as many as it says", hint=DAMAGED)
    return count


def raise_counters(connection: sa.Connection) -> None:
    """Has PostgreSQL give numbers from now on that no row has. SQLite looks at the rows themselves."""
    if connection.dialect.name != "postgresql":
        return
    for table in ALL_TABLES.sorted_tables:
        if "id" in table.c:
            sequence = sa.func.pg_get_serial_sequence(table.name, "id")
            highest = sa.select(sa.func.max(table.c.id)).scalar_subquery()
            connection.execute(sa.select(sa.func.setval(sequence, highest)))


def missing_blobs(connection: sa.Connection, blobs: Blobs) -> list[str]:
    in_files = sa.select(BLOB.c.digest).where(BLOB.c.content.is_(None), BLOB.c.pruned_ms.is_(None))
    return [digest for digest in connection.scalars(in_files) if not blobs.path(digest).exists()]


def restore_config(config: YardConfig, raw: bytes) -> Path:
    """Writes the file of the yard, under another name if one is there or if it names another database."""
    try:
        named = toml_of(raw, CONFIG_NAME).get("database", "")
    except YardError:
        named = None
    path = config.folder / CONFIG_FILE
    if path.exists() or named != config.database:
        path = path.with_name(path.name + FROM_BACKUP)
    write_atomically(path, raw)
    path.chmod(0o600)
    return path
