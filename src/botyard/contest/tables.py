"""The tables of a store, and how their rows are written and read."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import sqlalchemy as sa

from botyard.contest.brief import Report
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

ASKED, LEASED, DONE, VOID = "asked", "leased", "done", "void"


@dataclass(frozen=True, slots=True)
class Row:
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


def entry(number: int, pairing: Pairing, seed: int) -> dict[str, Any]:
    return {
        "number": number,
        "bots": json.dumps(pairing.bots),
        "match": pairing.match,
        "game": pairing.game,
        "chance": pairing.chance,
        "seed": str(seed),
        "state": ASKED,
    }


def recorded(report: Report) -> dict[str, Any]:
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


@lru_cache(maxsize=4096)
def seated(text: str) -> tuple[str, ...]:
    """The bots of a game; a contest has few tables and many games."""
    return tuple(json.loads(text))


def pairing_of(row: Any) -> Pairing:
    return Pairing(seated(row.bots), row.match, row.game, row.chance)


def read_row(row: Any) -> Row:
    return Row(
        row.number,
        pairing_of(row),
        int(row.seed),
        row.state,
        row.faults,
        parse(row.result) if row.result else None,
        row.ticks,
        None if row.verdicts is None else json.loads(row.verdicts),
        None if row.timing is None else json.loads(row.timing),
        None if row.note is None else json.loads(row.note),
    )
