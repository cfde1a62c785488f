"""This module opens the yard's database, SQLite or PostgreSQL, and begins its transactions.

All code is synchronous and runs in threads; a transaction is a `with` block. Writers queue up: on SQLite there is one
at a time, on PostgreSQL those that change the same rows wait for each other.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from botyard.kernel.errors import YardError
from botyard.yard.data.all_tables import ALL_TABLES
from botyard.yard.data.statements import insert_into, rows_by
from botyard.yard.data.tables import COUNTER

BUSY_S = 30.0
SYNCS = "syncs"  # whether a connection to SQLite waits for the disk when it commits
NOTHING_CHANGED = "nothing was changed; try again"
POOL = 12  # connections that are kept; as many threads ask at a time


class DatabaseAway(YardError):
    """The database cannot be reached, or has no room left. What was asked did not happen."""


class Database:
    """The tables of one yard."""

    def __init__(self, engine: sa.Engine) -> None:
        self.engine = engine
        self._writer = Lock()

    @classmethod
    def at(cls, address: str) -> Database:
        """Opens the database at an address such as `sqlite:///yard/yard.db` or `postgresql+psycopg://…`."""
        try:
            url = sa.make_url(address)
        except sa.exc.ArgumentError:
            raise YardError("the address of the database cannot be read", hint="write postgresql+psycopg://…") from None
        if url.get_backend_name() == "sqlite":
            return cls(sqlite_engine(url))
        if url.drivername != "postgresql+psycopg":
            raise YardError(
                f"the database {url.drivername!r} is not supported", hint="use sqlite:/// or postgresql+psycopg://"
            )
        return cls(postgres_engine(url))

    @classmethod
    def in_file(cls, path: Path) -> Database:
        return cls.at(f"sqlite:///{path}")

    @property
    def on_sqlite(self) -> bool:
        return self.engine.dialect.name == "sqlite"

    @contextlib.contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """A transaction that sees one state of the tables throughout, and changes nothing."""
        with told_plainly(), self.engine.connect() as connection:
            if not self.on_sqlite:
                connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
            connection.begin()
            yield connection  # who closes it ends the transaction, too; doing both would end it twice

    @contextlib.contextmanager
    def writing(self, *, lasting: bool = True) -> Iterator[sa.Connection]:
        """A transaction that happens whole or not at all.

        One that need not last is not synced by itself: a power cut may undo it, with all that came after it, but no
        end of a process does. The next lasting transaction syncs it, too.
        """
        with (
            told_plainly(),
            self._alone(),
            self.engine.connect().execution_options(writes=True) as connection,
        ):
            if self.on_sqlite:
                set_syncing(connection, lasting)
            with connection.begin():
                if not lasting and not self.on_sqlite:
                    connection.exec_driver_sql("SET LOCAL synchronous_commit TO off")
                yield connection

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Has writers of this process wait for each other. SQLite lets one in, too, but has the others ask again after
        a pause that grows; a lock wakes them at once. On PostgreSQL there may be many."""
        if not self.on_sqlite:
            yield
            return
        if not self._writer.acquire(timeout=BUSY_S):
            raise DatabaseAway("the database does not answer (another change takes long)", hint=NOTHING_CHANGED)
        try:
            yield
        finally:
            self._writer.release()

    def create(self) -> None:
        """Makes all tables in an empty database."""
        with self.writing() as connection:
            ALL_TABLES.create_all(connection)

    def close(self) -> None:
        self.engine.dispose()


@contextlib.contextmanager
def told_plainly() -> Iterator[None]:
    """Turns a database that is away, full or locked into an error that says so."""
    try:
        yield
    except sa.exc.OperationalError as error:
        reason = str(error.orig).strip().splitlines()[0]
        raise DatabaseAway(f"the database does not answer ({reason})", hint=NOTHING_CHANGED) from error


def sqlite_engine(url: sa.URL) -> sa.Engine:
    options = {"timeout": BUSY_S, "isolation_level": None, "check_same_thread": False}
    engine = sa.create_engine(url, connect_args=options, pool_size=POOL, max_overflow=POOL)
    sa.event.listen(engine, "connect", prepare_sqlite)
    sa.event.listen(engine, "begin", begin_sqlite)
    return engine


def prepare_sqlite(connection: sqlite3.Connection, _: object) -> None:
    """What a person was told was accepted must survive a power cut, so commits are synced (`writing`)."""
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "trusted_schema=OFF"):
        connection.execute(f"PRAGMA {pragma}")


def set_syncing(connection: sa.Connection, lasting: bool) -> None:
    """Has the next commit of a connection to SQLite wait for the disk, or not. It is in no transaction yet."""
    pooled = connection.connection
    own: Any = pooled.dbapi_connection
    if pooled.info.get(SYNCS, True) != lasting:
        own.execute("PRAGMA synchronous=FULL" if lasting else "PRAGMA synchronous=NORMAL")
        pooled.info[SYNCS] = lasting


def begin_sqlite(connection: sa.Connection) -> None:
    if connection.get_execution_options().get("writes"):
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    else:  # nothing is opened or locked before the first question, so there is no error to be told plainly
        own: Any = connection.connection.dbapi_connection
        own.execute("BEGIN")


def postgres_engine(url: sa.URL) -> sa.Engine:
    try:
        return sa.create_engine(url, pool_size=POOL, max_overflow=POOL, pool_pre_ping=True)
    except ModuleNotFoundError:
        raise YardError("PostgreSQL needs the package psycopg", hint="pip install 'botyard[postgres]'") from None


def insert_new(connection: sa.Connection, table: sa.Table, row: dict[str, Any]) -> bool:
    """Adds a row unless one with its key is there; returns whether it was added."""
    return connection.execute(insert_if_new(connection.dialect.name, table), row).first() is not None


def insert_all_new(connection: sa.Connection, table: sa.Table, rows: list[dict[str, Any]]) -> int:
    """Adds those of the rows whose keys are not there, which no database numbers; returns how many they were."""
    return connection.execute(insert_each_new(connection.dialect.name, table), rows).rowcount if rows else 0


@cache
def insert_if_new(database: str, table: sa.Table) -> Any:
    # Rows are not counted where the database gives them their numbers, so it is asked for what it added.
    return dialect_insert(database, table).on_conflict_do_nothing().returning(*table.primary_key)


@cache
def insert_each_new(database: str, table: sa.Table) -> Any:
    return dialect_insert(database, table).on_conflict_do_nothing().execution_options(preserve_rowcount=True)


def dialect_insert(database: str, table: sa.Table) -> Any:
    """Returns an insert that can say what becomes of a row whose key is there, which each database calls its own."""
    return (sqlite if database == "sqlite" else postgresql).insert(table)


def inserted_id(connection: sa.Connection, table: sa.Table, **row: Any) -> int:
    """Adds a row and returns its number."""
    found = connection.execute(insert_into(table), row).inserted_primary_key
    assert found is not None, "these tables number their rows"
    return int(found[0])


def inserted_ids(connection: sa.Connection, table: sa.Table, rows: Sequence[dict[str, Any]]) -> list[int]:
    """Adds rows with the same columns; returns their numbers, in this order."""
    found = connection.execute(numbered_insert(table), rows)
    return [int(row[0]) for row in found]


@cache
def numbered_insert(table: sa.Table) -> Any:
    return sa.insert(table).returning(table.c.id, sort_by_parameter_order=True)


def locked(connection: sa.Connection, table: sa.Table, row: int) -> sa.Row[Any] | None:
    """Returns a row that nobody else changes until this transaction ends; SQLite has one writer anyway.

    Others may still add rows that refer to it. Were they to wait, whoever holds the counter of events and tells a
    person something would wait for whoever holds that person's row and wants to note an event: a deadlock.
    """
    found = rows_by(connection, table, {"id": row}, lock=True)
    return found[0] if found else None


RAISED = (
    sa.update(COUNTER)
    .where(COUNTER.c.name == sa.bindparam("counter"))
    .values(value=COUNTER.c.value + sa.bindparam("by"))
    .returning(COUNTER.c.value)
)


def next_number(connection: sa.Connection, counter: str, by: int = 1) -> int:
    """Returns the next number of a counter, or the first of so many. Numbers become visible in their order, because the
    row stays locked until the transaction ends."""
    raised = connection.execute(RAISED, {"counter": counter, "by": by}).scalar_one_or_none()
    if raised is None:
        insert_new(connection, COUNTER, {"name": counter, "value": 0})
        raised = connection.execute(RAISED, {"counter": counter, "by": by}).scalar_one()
    return int(raised) - by + 1
