"""How a store's file is opened: readers hinder nobody, writers queue up, and nothing in it is believed."""

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
    """Where nothing can be written there is nobody who writes either: such a store is read as it lies there. SQLite
    would otherwise want to make files beside it."""
    if path.exists() and not os.access(path.parent, os.W_OK):
        return f"sqlite:///file:{quote(str(path.absolute()))}?immutable=1&uri=true"
    return f"sqlite:///{path}"


def prepare(connection: Any, _: object) -> None:
    """Readers do not wait for the writer; what was recorded survives the death of this process."""
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
    for pragma in ("trusted_schema=OFF", "journal_mode=WAL", "synchronous=NORMAL"):
        connection.execute(f"PRAGMA {pragma}")


def begin(connection: sa.Connection) -> None:
    """Writers queue up at once rather than fail half-way; readers see one state and hinder nobody."""
    connection.exec_driver_sql("BEGIN IMMEDIATE" if connection.get_execution_options().get("writes") else "BEGIN")
