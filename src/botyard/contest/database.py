"""This module opens the file of a store: readers block nobody, writers queue up, and its content is not trusted."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Any
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy.pool import NullPool

BUSY_S = 30.0
LONGEST = 64 * 1024 * 1024  # bytes of one value: the largest replay that is read, and more


def open_database(path: Path) -> sa.Engine:
    options = {"timeout": BUSY_S, "isolation_level": None}
    engine = sa.create_engine(address_of(path), poolclass=NullPool, connect_args=options)
    sa.event.listen(engine, "connect", prepare)
    sa.event.listen(engine, "begin", begin)
    return engine


def address_of(path: Path) -> str:
    """Returns the database address of a file. In a folder where we cannot write, the file is opened as immutable,
    because SQLite would otherwise have to create files beside it; nobody else is assumed to write there either."""
    if path.exists() and not os.access(path.parent, os.W_OK):
        return f"sqlite:///file:{quote(str(path.absolute()))}?immutable=1&uri=true"
    return f"sqlite:///{path}"


def prepare(connection: Any, _: object) -> None:
    """Sets up a connection: readers do not wait for the writer, and what was recorded survives a crash of ours."""
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
    for pragma in ("trusted_schema=OFF", "journal_mode=WAL", "synchronous=NORMAL"):
        connection.execute(f"PRAGMA {pragma}")


def begin(connection: sa.Connection) -> None:
    """Begins a transaction. A writer waits for its turn now, so as not to fail half-way; readers block nobody."""
    connection.exec_driver_sql("BEGIN IMMEDIATE" if connection.get_execution_options().get("writes") else "BEGIN")
