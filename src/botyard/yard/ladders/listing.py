"""This module reads ladders and their tables for people: who stands where, and why somebody has no rank."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import sqlalchemy as sa

from botyard.rank.ladder.places import places
from botyard.rank.ladder.policy import LadderPolicy
from botyard.rank.ladder.records import EntryState, LadderEntry
from botyard.yard.data.tables import BOT, ENTRY, LADDER, PERSON, RATING_STEP, RETIRED, VERSION
from botyard.yard.refusals import NotThere

TREND_PAIRS = 10  # over so many pairs of the active version the trend is told


@dataclass(frozen=True, slots=True)
class ListedLadder:
    """A ladder as lists name it. Its root is in nobody's hands."""

    id: int
    slug: str
    title: str
    game: str
    state: str
    season: int
    recorded: int  # pairs that were closed
    deadline_ms: int | None
    made_ms: int
    root_hash: str
    settings: dict[str, Any]
    policy: LadderPolicy
    bots: int = 0  # of players, that are not retired
    house: int = 0


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


def all_ladders(connection: sa.Connection) -> list[ListedLadder]:
    """Returns every ladder with the number of its bots."""
    counted = (
        sa.select(ENTRY.c.ladder, sa.func.count(ENTRY.c.bot).label("bots"), sa.func.count(ENTRY.c.house).label("house"))
        .where(ENTRY.c.state != RETIRED)
        .group_by(ENTRY.c.ladder)
    )
    numbers = {row.ladder: row for row in connection.execute(counted)}
    found = map(ladder_of, connection.execute(sa.select(LADDER).order_by(LADDER.c.id)))
    return [
        replace(ladder, bots=numbers[ladder.id].bots, house=numbers[ladder.id].house)
        if ladder.id in numbers
        else ladder
        for ladder in found
    ]


def ladder_at(connection: sa.Connection, slug: str) -> ListedLadder:
    row = connection.execute(sa.select(LADDER).where(LADDER.c.slug == slug)).one_or_none()
    if row is None:
        raise NotThere("there is no such ladder", hint="all of them are listed under Ladders")
    return ladder_of(row)


def ladder_of(row: sa.Row[Any]) -> ListedLadder:
    return ListedLadder(
        row.id, row.slug, row.title, row.game, row.state, row.season, row.recorded, row.deadline_ms, row.made_ms,
        row.root_hash, json.loads(row.settings), LadderPolicy.read(json.loads(row.policy)),
    )  # fmt: skip


def ladder_table(connection: sa.Connection, ladder: ListedLadder) -> list[ListedEntry]:
    """Returns the table of a ladder, best first, without trends."""
    owner = PERSON.alias("owner")
    chosen = (
        sa.select(
            ENTRY, BOT.c.name.label("bot_name"), VERSION.c.number.label("version_number"),
            owner.c.id.label("owner_id"), owner.c.name.label("owner_name"),
        )
        .outerjoin(BOT, ENTRY.c.bot == BOT.c.id)
        .outerjoin(VERSION, ENTRY.c.version == VERSION.c.id)
        .outerjoin(owner, BOT.c.owner == owner.c.id)
        .where(ENTRY.c.ladder == ladder.id, ENTRY.c.state != RETIRED)
    )  # fmt: skip
    rows = {str(row.id): row for row in connection.execute(chosen)}
    table = places([record_of(row) for row in rows.values()], ladder.policy)
    return [line_of(rows[place.entry.bot], place.rank, place.why, place.margin, place.entry.house) for place in table]


def record_of(row: sa.Row[Any]) -> LadderEntry:
    """Returns what the policy needs of an entry to place it."""
    return LadderEntry(
        bot=str(row.id),
        owner=str(row.owner_id),
        version=str(row.version),
        state=EntryState(row.state),
        house=row.house is not None,
        mu=row.mu,
        sigma=row.sigma,
        pairs=row.pairs,
        games=row.games,
    )


def line_of(row: sa.Row[Any], rank: int | None, why: str, margin: float, house: bool) -> ListedEntry:
    return ListedEntry(
        row.id, rank, why, row.bot, row.house if house else row.bot_name, row.owner_name or "", row.owner_id,
        row.version_number, row.state, row.reason, row.mu, margin, row.pairs, row.games,
    )  # fmt: skip


def with_trends(connection: sa.Connection, lines: Sequence[ListedEntry]) -> list[ListedEntry]:
    """Returns lines of a table with their trends: how far mu has moved since some pairs ago, of the same version."""
    before = (
        sa.select(RATING_STEP.c.mu)
        .where(RATING_STEP.c.entry == ENTRY.c.id, RATING_STEP.c.version == ENTRY.c.version)
        .order_by(RATING_STEP.c.number.desc())
        .offset(TREND_PAIRS)
        .limit(1)
        .correlate(ENTRY)
        .scalar_subquery()
    )
    numbers = [line.id for line in lines]
    asked = sa.select(ENTRY.c.id, (ENTRY.c.mu - before).label("moved")).where(ENTRY.c.id.in_(numbers))
    moved = {row.id: row.moved for row in connection.execute(asked)}
    return [replace(line, trend=moved.get(line.id)) for line in lines]
