"""This module reads ladders and their tables for people: who stands where, and why somebody has no rank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import sqlalchemy as sa

from botyard.rank.ladder.places import LadderPlace, places
from botyard.yard.data.tables import BOT, ENTRY, PERSON, RATING_STEP, RETIRED, VERSION
from botyard.yard.ladders.ladders import Ladder
from botyard.yard.ladders.rows import ENTRIES, ladder_entry

ON_LADDERS = (
    sa.select(ENTRY.c.ladder, sa.func.count().label("bots"))
    .where(ENTRY.c.state != RETIRED, ENTRY.c.bot.is_not(None))
    .group_by(ENTRY.c.ladder)
)
LINES = (
    ENTRIES.add_columns(VERSION.c.number, PERSON.c.name.label("owner_name"))
    .outerjoin(VERSION, ENTRY.c.version == VERSION.c.id)
    .outerjoin(PERSON, BOT.c.owner == PERSON.c.id)
    .where(ENTRY.c.ladder == sa.bindparam("of"), ENTRY.c.state != RETIRED)
)
TREND_PAIRS = 10  # over so many pairs of the active version the trend is told


@dataclass(frozen=True, slots=True)
class ListedEntry:
    """A line of a ladder's table."""

    id: int
    rank: int | None
    why: str  # why it has no rank
    bot: int | None  # none: a house bot
    name: str
    owner: str
    owner_id: int | None
    version: int | None  # its number among the versions of the bot
    state: str
    reason: str
    mu: float
    margin: float
    pairs: int
    games: int
    trend: float | None = None  # how far mu moved in the last pairs of this version


def bots_on_ladders(connection: sa.Connection) -> dict[int, int]:
    """Returns how many bots of players are on each ladder; ladders without any are left out."""
    return {row.ladder: row.bots for row in connection.execute(ON_LADDERS)}


def ladder_table(connection: sa.Connection, ladder: Ladder) -> list[ListedEntry]:
    """Returns the table of a ladder, best first, without trends."""
    rows = {str(row.id): row for row in connection.execute(LINES, {"of": ladder.id})}
    table = places([ladder_entry(row) for row in rows.values()], ladder.policy)
    return [line_of(rows[place.entry.bot], place) for place in table]


def line_of(row: sa.Row[Any], place: LadderPlace) -> ListedEntry:
    return ListedEntry(
        row.id, place.rank, place.why, row.bot, row.house or row.name, row.owner_name or "", row.owner, row.number,
        row.state, row.reason, row.mu, place.margin, row.pairs, row.games,
    )  # fmt: skip


BEFORE = (
    sa.select(RATING_STEP.c.mu)
    .where(RATING_STEP.c.entry == ENTRY.c.id, RATING_STEP.c.version == ENTRY.c.version)
    .order_by(RATING_STEP.c.number.desc())
    .offset(TREND_PAIRS)
    .limit(1)
    .correlate(ENTRY)
    .scalar_subquery()
)
TRENDS = sa.select(ENTRY.c.id, ENTRY.c.mu - BEFORE).where(ENTRY.c.id.in_(sa.bindparam("entries", expanding=True)))


def with_trends(connection: sa.Connection, lines: Sequence[ListedEntry]) -> list[ListedEntry]:
    """Returns lines of a table with their trends: how far mu has moved since some pairs ago, of the same version."""
    asked = connection.execute(TRENDS, {"entries": [line.id for line in lines]})
    moved = {entry: distance for entry, distance in asked.all() if distance is not None}
    return [replace(line, trend=moved[line.id]) if line.id in moved else line for line in lines]
