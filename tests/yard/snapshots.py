"""A database as it was at some moment, to which it can be brought back: for tests that change much, many times."""

from __future__ import annotations

import sqlite3
from typing import Protocol

import sqlalchemy as sa

from botyard.yard.data.database import Database
from tests.waiting import wait_until
from tests.yard.postgres import Postgres, administering


class Snapshot(Protocol):
    def restore(self) -> None: ...

    def close(self) -> None: ...


class LiteSnapshot:
    """A copy of a file of SQLite, in memory."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._memory = sqlite3.connect(":memory:", check_same_thread=False)
        self._copy(to_memory=True)

    def restore(self) -> None:
        self._copy(to_memory=False)

    def _copy(self, *, to_memory: bool) -> None:
        with self._database.engine.connect() as connection:
            lying: sqlite3.Connection = connection.connection.driver_connection  # type: ignore[assignment]
            source, target = (lying, self._memory) if to_memory else (self._memory, lying)
            source.backup(target)

    def close(self) -> None:
        self._memory.close()


class PostgresSnapshot:
    """A second database, of which the first one is made anew."""

    def __init__(self, server: Postgres, database: Database) -> None:
        self._server, self._database = server, database
        self._name = database.engine.url.database
        self._administer(f"CREATE DATABASE {self._name}_kept TEMPLATE {self._name}")

    def restore(self) -> None:
        again = f"CREATE DATABASE {self._name} TEMPLATE {self._name}_kept"
        self._administer(f"DROP DATABASE {self._name} WITH (FORCE)", again)

    def _administer(self, *commands: str) -> None:
        pool: sa.QueuePool = self._database.engine.pool  # type: ignore[assignment]
        wait_until(lambda: not pool.checkedout())  # by a thread whose request was given up
        self._database.engine.dispose()  # nobody may be connected meanwhile
        with administering(self._server.address()) as connection:
            for command in commands:
                connection.exec_driver_sql(command)

    def close(self) -> None:
        pass
