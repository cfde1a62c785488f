"""The tables of a store, and how their rows are written and read."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import CreateIndex, CreateTable

from botyard.contest.messages import GameReport
from botyard.kernel.bounded import DIGITS_MAX, json_of
from botyard.kernel.errors import BadRecord, quoted
from botyard.kernel.settings import checked_seed
from botyard.rank.formats import Pairing
from botyard.rank.results import Result, parse

TABLES = sa.MetaData()
ABOUT = sa.Table("about", TABLES, sa.Column("key", sa.Text, primary_key=True), sa.Column("value", sa.Text))
GAMES = sa.Table(
    "games",
    TABLES,
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("bots", sa.Text, nullable=False),  # JSON, in the order they come
    sa.Column("match", sa.Text, nullable=False),
    sa.Column("game", sa.Integer, nullable=False),
    sa.Column("chance", sa.Text, nullable=False),
    sa.Column("seed", sa.Text, nullable=False),  # 64 bits without a sign do not fit SQLite's integers
    sa.Column("state", sa.Text, nullable=False, index=True),
    sa.Column("owner", sa.Text, nullable=False, default=""),
    sa.Column("progress", sa.Integer, nullable=False, default=0),  # ticks the lease holder has told of
    sa.Column("faults", sa.Integer, nullable=False, default=0),  # of ours, so far
    sa.Column("result", sa.Text, nullable=False, default=""),
    sa.Column("ticks", sa.Integer, nullable=False, default=0),
    sa.Column("verdicts", sa.Text),
    sa.Column("timing", sa.Text),
    sa.Column("note", sa.Text),
)
REPLAYS = sa.Table(
    "replays", TABLES, sa.Column("number", sa.Integer, primary_key=True), sa.Column("replay", sa.LargeBinary)
)
FAULTS = sa.Table(
    "faults",
    TABLES,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("number", sa.Integer, nullable=False, index=True),
    sa.Column("owner", sa.Text, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
)

ASKED, LEASED, DONE, VOID = STATES = "asked", "leased", "done", "void"

DAMAGED = "the store is damaged: restore a copy, or run --anew"
RESULT_MAX = 100_000  # characters


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game as the store has it."""

    number: int
    pairing: Pairing
    seed: int
    state: str
    faults: int
    result: Result | None
    ticks: int
    verdicts: dict[str, dict[str, int]] | None
    timing: dict[str, list[float]] | None
    note: dict[str, Any] | None


def asked_row(number: int, pairing: Pairing, seed: int) -> dict[str, Any]:
    return {
        "number": number,
        "bots": json.dumps(pairing.bots),
        "match": pairing.match,
        "game": pairing.game,
        "chance": pairing.chance,
        "seed": str(seed),
        "state": ASKED,
    }


def recorded_row(report: GameReport) -> dict[str, Any]:
    return {
        "at": report.number,
        "state": DONE,
        "owner": "",
        "result": report.result,
        "ticks": report.ticks,
        "verdicts": None if report.verdicts is None else json.dumps(report.verdicts),
        "timing": None if report.timing is None else json.dumps(report.timing),
        "note": None if report.note is None else json.dumps(report.note),
    }


# Reading. A store may be damaged, or come from a stranger: SQLite keeps any value in any column.


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


@lru_cache(maxsize=4096)
def seated(text: Any) -> tuple[str, ...]:
    """The bots of a game; a contest has few tables and many games."""
    names = json_of(text, "the list of bots") if isinstance(text, str) else None
    if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
        raise BadRecord(f"the bots {quoted(text)} of a game", hint=DAMAGED)
    return tuple(names)


def pairing_of(row: Any) -> Pairing:
    match, game, chance = checked(row, match=str, game=int, chance=str)
    return Pairing(seated(row.bots), match, game, chance)


def read_seed(text: Any) -> int:
    if not isinstance(text, str) or not text.isascii() or not text.isdigit() or len(text) > DIGITS_MAX:
        raise BadRecord(f"the seed {quoted(text)} of a game", hint=DAMAGED)
    return checked_seed(int(text))


def read_row(row: Any) -> GameRow:
    number, state, faults, ticks = checked(row, number=int, state=str, faults=int, ticks=int)
    if state not in STATES:
        raise BadRecord(f"game {number} is {quoted(state)}", hint=DAMAGED)
    pairing = pairing_of(row)
    return GameRow(
        number,
        pairing,
        read_seed(row.seed),
        state,
        faults,
        read_result(row.result, pairing.bots),
        ticks,
        read_table(row.verdicts, "verdicts", is_counts),
        read_table(row.timing, "timing", is_timing),
        read_table(row.note, "note", is_plain),
    )


def checked(row: Any, **kinds: type) -> list[Any]:
    """Columns of a row, each of its type."""
    for name, kind in kinds.items():
        if type(getattr(row, name)) is not kind:
            raise BadRecord(f"{name} = {quoted(getattr(row, name))} of a game", hint=DAMAGED)
    return [getattr(row, name) for name in kinds]


def read_result(text: Any, bots: tuple[str, ...]) -> Result | None:
    """A result among the bots that were seated; nothing of a game that has none yet."""
    if text == "":
        return None
    result = parse(text) if isinstance(text, str) and len(text) <= RESULT_MAX else None
    if result is None or sorted(result.bots) != sorted(bots):
        raise BadRecord(f"the result {quoted(text)} of a game between {', '.join(bots)}", hint=DAMAGED)
    return result


def read_table(text: Any, name: str, fits: Callable[[Any], bool]) -> dict[str, Any] | None:
    """A column of JSON; each of its values must fit."""
    if text is None:
        return None
    table = json_of(text, name) if isinstance(text, str) else None
    if not isinstance(table, dict) or not all(map(fits, table.values())):
        raise BadRecord(f"{name} = {quoted(text)} of a game", hint=DAMAGED)
    return table


def is_counts(value: Any) -> bool:
    """How often each verdict was given."""
    return isinstance(value, dict) and all(type(count) is int for count in value.values())


def is_timing(value: Any) -> bool:
    """Questions, milliseconds in all, and the longest."""
    return isinstance(value, list) and len(value) == 3 and all(type(number) in (int, float) for number in value)


def is_plain(value: Any) -> bool:
    return all(isinstance(one, int | float | str | None) for one in (value if isinstance(value, list) else [value]))
