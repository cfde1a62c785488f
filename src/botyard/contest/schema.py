"""The tables of a store. Every row says of which contest it is, so that a database can hold many."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import CreateIndex, CreateTable

from botyard.kernel.errors import BadRecord, quoted

TABLES = sa.MetaData()


def contest_key() -> sa.Column[int]:
    """Which contest a row is of, by its number: it stands in every row, and in every index."""
    return sa.Column("contest", sa.Integer, primary_key=True, autoincrement=False)


def contents(name: str) -> sa.Table:
    """A table with something large that is kept of some games."""
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
    sa.Column("bots", sa.Text, nullable=False),  # JSON, in the order they come
    sa.Column("match", sa.Text, nullable=False),
    sa.Column("game", sa.Integer, nullable=False),
    sa.Column("chance", sa.Text, nullable=False),
    sa.Column("seed", sa.Text, nullable=False),  # 64 bits without a sign do not fit SQL's integers
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("owner", sa.Text, nullable=False, default=""),
    sa.Column("progress", sa.Integer, nullable=False, default=0),  # ticks the lease holder has told of
    sa.Column("orders", sa.Text),  # JSON: what it told of the last of them, by bot
    sa.Column("faults", sa.Integer, nullable=False, default=0),  # of ours, so far
    sa.Column("result", sa.Text, nullable=False, default=""),
    sa.Column("ticks", sa.Integer, nullable=False, default=0),
    sa.Column("verdicts", sa.Text),  # JSON, by bot; as are those that follow
    sa.Column("timing", sa.Text),
    sa.Column("housing", sa.Text),
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
NO_LEASE = {"owner": "", "progress": 0, "orders": None}  # of a game that nobody plays

DAMAGED = "the store is damaged: restore a copy, or run --anew"


def check_schema(connection: sa.Connection, path: Path) -> None:
    """Whether there are just our tables, word for word. A view, a computed column or a condition of a stranger's may
    take for ever to be read."""
    rows = connection.exec_driver_sql("SELECT type, name, sql FROM sqlite_master").all()
    if not any(name == "about" for _, name, _ in rows):
        raise BadRecord(f"{path} is no store of a contest", hint="it belongs to something else")
    for kind, name, sql in rows:
        automatic = kind == "index" and sql is None
        if not automatic and words_of(str(sql)) not in our_schema():
            raise BadRecord(f"{path} is no store of a contest", hint=f"it holds a {kind} {quoted(name)} of its own")


@cache
def our_schema() -> frozenset[str]:
    """What a store of ours is made with."""
    tables = TABLES.tables.values()
    made: list[CreateTable | CreateIndex] = [CreateTable(table) for table in tables]
    made += [CreateIndex(index) for table in tables for index in table.indexes]
    return frozenset(words_of(str(each.compile(dialect=sqlite.dialect()))) for each in made)


def words_of(sql: str) -> str:
    return " ".join(sql.split())
