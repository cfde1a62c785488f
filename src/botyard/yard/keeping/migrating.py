"""Brings the tables of a yard to the form that this Botyard knows, by the revisions in `migrations/`.

On SQLite a copy is migrated, checked and put in the place of the original by renaming, so that a crash leaves the old
database or the new one; the old one stays beside it. On PostgreSQL all of it is one transaction. Whoever calls this
holds the yard alone (`locks.py`).
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError

from botyard.kernel.errors import OurFault, YardError
from botyard.yard.data.blobs import sync_folder
from botyard.yard.data.database import BUSY_S, Database

MIGRATIONS = Path(__file__).parent / "migrations"
NEW_SUFFIX = ".new"


@dataclass(frozen=True, slots=True)
class Migrated:
    """What a migration did: from which revision to which, and where the database of before lies."""

    before: str  # empty: there were no tables
    after: str
    kept: Path | None = None

    @property
    def changed(self) -> bool:
        return self.before != self.after


class Revisions:
    """The revisions that this Botyard knows, in order."""

    def __init__(self, *added: Path) -> None:
        """`added` are folders with revisions beyond those of Botyard itself, for tests."""
        self._config = Config(attributes={})
        self._config.set_main_option("script_location", str(MIGRATIONS))
        self._config.set_main_option("path_separator", "newline")
        places = [MIGRATIONS / "versions", *added]
        self._config.set_main_option("version_locations", "\n".join(map(str, places)))
        self._scripts = ScriptDirectory.from_config(self._config)

    @property
    def newest(self) -> str:
        return self._scripts.get_current_head() or ""

    def knows(self, revision: str) -> bool:
        try:
            return self._scripts.get_revision(revision) is not None
        except CommandError:
            return False

    def carry_out(self, connection: sa.Connection, until: str) -> None:
        self._config.attributes["connection"] = connection
        command.upgrade(self._config, until)


def revision_of(connection: sa.Connection) -> str:
    """Returns the revision of the tables; empty if there are none. Tables without a revision are not ours."""
    found = MigrationContext.configure(connection).get_current_revision()
    if found is None and sa.inspect(connection).get_table_names():
        raise YardError("the database holds tables that are not a yard's", hint="name an empty one")
    return found or ""


def needs_migration(database: Database, revisions: Revisions | None = None) -> bool:
    """Whether the tables are older than this Botyard. A yard of a later Botyard is refused."""
    revisions = revisions or Revisions()
    with database.reading() as connection:
        found = revision_of(connection)
    if found and not revisions.knows(found):
        raise YardError(
            f"the yard was written by a later Botyard (its tables have revision {found}, ours {revisions.newest})",
            hint="install that Botyard again, or restore a backup from before it",
        )
    return found != revisions.newest


def migrate(address: str, revisions: Revisions | None = None, until: str = "") -> Migrated:
    """Brings the tables at an address to the newest revision, or to another one that is not older than theirs."""
    revisions = revisions or Revisions()
    url = sa.make_url(address)
    until = until or revisions.newest
    if url.get_backend_name() == "sqlite":
        return migrate_file(Path(url.database or ""), revisions, until)
    with contextlib.closing(Database.at(address)) as database:
        needs_migration(database, revisions)
        with database.writing() as connection:
            before = revision_of(connection)
            revisions.carry_out(connection, until)
    return Migrated(before, until)


def migrate_file(path: Path, revisions: Revisions, until: str) -> Migrated:
    """Migrates a copy of an SQLite database and puts it in the place of the original."""
    copy = path.with_name(path.name + NEW_SUFFIX)
    remove_database(copy)
    before = ""
    if path.exists():
        with contextlib.closing(Database.in_file(path)) as database:
            if not needs_migration(database, revisions):
                return Migrated(until, until)
            with database.reading() as connection:
                before = revision_of(connection)
        copy_database(path, copy)
    try:
        with without_foreign_keys(copy) as connection:
            revisions.carry_out(connection, until)
            check_references(connection)
    except BaseException:
        remove_database(copy)
        raise
    kept = keep_old(path, before) if before else None
    copy.replace(path)
    sync_folder(path.parent)
    return Migrated(before, until, kept)


def copy_database(path: Path, copy: Path) -> None:
    """Copies a database page by page, with all that its log still holds."""
    with (
        contextlib.closing(sqlite3.connect(path, timeout=BUSY_S)) as source,
        contextlib.closing(sqlite3.connect(copy)) as target,
    ):
        source.backup(target)


@contextlib.contextmanager
def without_foreign_keys(path: Path) -> Iterator[sa.Connection]:
    """One transaction on a database whose references may dangle meanwhile: SQLite changes a table by making it anew.

    Afterwards all of it is in the one file, and synced.
    """
    database = Database.in_file(path)
    sa.event.listen(database.engine, "connect", let_dangle)
    try:
        with database.writing() as connection:
            yield connection
    finally:
        database.close()
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def let_dangle(connection: sqlite3.Connection, _: object) -> None:
    connection.execute("PRAGMA foreign_keys=OFF")


def check_references(connection: sa.Connection) -> None:
    dangling = dangling_references(connection)
    if dangling:
        told = ", ".join(sorted({f"{table} → {referred}" for table, referred in dangling}))
        raise OurFault(f"the migration left rows that refer to nothing ({told}); the database stays as it was")


def dangling_references(connection: sa.Connection) -> list[tuple[str, str]]:
    """Returns table and referred table of every reference that leads nowhere, on SQLite, where that can be."""
    rows: Any = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
    return [(row[0], row[2]) for row in rows]


def keep_old(path: Path, revision: str) -> Path:
    """Gives the old database a second name, which it keeps when the new one takes its place."""
    kept = path.with_name(f"{path.name}.before-{revision}")
    kept.unlink(missing_ok=True)
    kept.hardlink_to(path)
    return kept


def remove_database(path: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
