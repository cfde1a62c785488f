"""The tables of a store. Every row names its contest, so that one database can hold many."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import CreateIndex, CreateTable

from botyard.kernel.errors import BadRecord, quoted

VERSION = 2  # of the tables below
TABLES = sa.MetaData()


def contest_key() -> sa.Column[int]:
    """Returns the column with the number of a row's contest; it is part of every table and every index."""
    return sa.Column("contest", sa.Integer, primary_key=True, autoincrement=False)


def contents(name: str) -> sa.Table:
    """Returns a table for large content that is kept of some games, such as replays."""
    number = sa.Column("number", sa.Integer, primary_key=True)
    return sa.Table(name, TABLES, contest_key(), number, sa.Column("content", sa.LargeBinary, nullable=False))


CONTESTS = sa.Table(
    "contests",
    TABLES,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("name", sa.Text, nullable=False, unique=True),
)
ABOUT = sa.Table(
    "about", TABLES, contest_key(), sa.Column("key", sa.Text, primary_key=True), sa.Column("value", sa.Text)
)
GAMES = sa.Table(
    "games",
    TABLES,
    contest_key(),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("bots", sa.Text, nullable=False),  # JSON, in the order in which they are handed to the game
    sa.Column("match", sa.Text, nullable=False),
    sa.Column("game", sa.Integer, nullable=False),
    sa.Column("chance", sa.Text, nullable=False),
    sa.Column("seed", sa.Text, nullable=False),  # as text: 64 unsigned bits do not fit SQL's integers
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("owner", sa.Text, nullable=False, default=""),
    sa.Column("progress", sa.Integer, nullable=False, default=0),  # ticks of the worker's last sign
    sa.Column("orders", sa.Text),  # JSON: the orders of that sign, by bot
    sa.Column("faults", sa.Integer, nullable=False, default=0),  # how many faults of ours so far
    sa.Column("result", sa.Text, nullable=False, default=""),
    sa.Column("ticks", sa.Integer, nullable=False, default=0),
    sa.Column("verdicts", sa.Text),  # JSON by bot, like the columns that follow
    sa.Column("lost", sa.Text),
    sa.Column("timing", sa.Text),
    sa.Column("cages", sa.Text),
    sa.Column("jitter", sa.Text),
    sa.Column("note", sa.Text),
    sa.Index("games_by_state", "contest", "state"),
    sqlite_with_rowid=False,
)
REPLAYS, TURN_LOGS = contents("replays"), contents("turn_logs")
FAULTS = sa.Table(
    "faults",
    TABLES,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("contest", sa.Integer, nullable=False, index=True),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("owner", sa.Text, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
)

ASKED, LEASED, DONE, VOID = STATES = "asked", "leased", "done", "void"
NO_LEASE = {"owner": "", "progress": 0, "orders": None}  # what a game has that nobody plays

DAMAGED = "the store is damaged: restore a copy of it, or begin again with --anew"


def check_schema(connection: sa.Connection, path: Path) -> None:
    """Refuses a database whose schema is not word for word ours: in a stranger's file a view, a computed column or a
    condition might take for ever to read."""
    rows = connection.exec_driver_sql("SELECT type, name, sql FROM sqlite_master").all()
    if not any(name == "about" for _, name, _ in rows):
        raise BadRecord(
            f"{path} is not the store of a contest",
            hint="another program made this database; move it away or rename the contest file",
        )
    if any(words_of(str(sql)) == words_of(statement(ABOUT)) for _, _, sql in rows):  # it is the same in all versions
        found = connection.execute(sa.select(ABOUT.c.value).where(ABOUT.c.key == "version").limit(1)).scalar()
        check_version(found, str(path))
    for kind, name, sql in rows:
        automatic = kind == "index" and sql is None
        if not automatic and words_of(str(sql)) not in our_schema():
            raise BadRecord(
                f"{path} is not the store of a contest",
                hint=f"it holds a {kind} {quoted(name)} that Botyard does not make",
            )


def check_version(found: Any, place: str) -> None:
    if found != str(VERSION):
        raise BadRecord(
            f"{place} is a store of version {str(found)[:20]}",
            hint=f"this Botyard reads version {VERSION}; finish with the one that began it, or use --anew",
        )


@cache
def our_schema() -> frozenset[str]:
    """Returns the SQL statements that make a store of ours."""
    tables = TABLES.tables.values()
    made: list[sa.Table | sa.Index] = [*tables, *(index for table in tables for index in table.indexes)]
    return frozenset(words_of(statement(each)) for each in made)


def statement(made: sa.Table | sa.Index) -> str:
    create = CreateTable(made) if isinstance(made, sa.Table) else CreateIndex(made)
    return str(create.compile(dialect=sqlite.dialect()))


def words_of(sql: str) -> str:
    return " ".join(sql.split())
