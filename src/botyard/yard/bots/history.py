"""This module reads how a bot has fared: its rating over time, its record by rival, and the turns that it lost.

Only games whose pairs are closed count here: before, nobody may know how they ended.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa

from botyard.yard.data.tables import BOT, DONE, MATCH, PAIR, RATING_STEP, SEAT, VERSION
from botyard.yard.ladders.match_lists import RELEASED

STEPS = 2000  # of a rating, the newest
RIVALS = 50  # met most often
GAMES = 400  # the newest, in which lost turns are looked for


@dataclass(frozen=True, slots=True)
class RatingPoint:
    """A rating after one pair."""

    number: int  # of the pair on its ladder
    at_ms: int
    mu: float
    sigma: float
    games: int
    version: int | None  # its number


@dataclass(frozen=True, slots=True)
class VersionRecord:
    """How the rating went while one version played."""

    version: int | None
    pairs: int
    first: RatingPoint
    last: RatingPoint


@dataclass(slots=True)
class RivalRecord:
    """Games against one rival."""

    name: str
    bot: int | None  # none: a house bot, or a person
    won: int = 0
    drawn: int = 0
    lost: int = 0
    last: int = 0  # the newest match

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost


@dataclass(slots=True)
class LostVerdict:
    """Turns that were lost in one way: how many, and the first of them in the newest game."""

    verdict: str
    turns: int = 0
    games: int = 0
    match: int = 0
    tick: int = 0
    reason: str = ""
    remedy: str = ""

    @property
    def address(self) -> str:
        return f"/matches/{self.match}#t={max(self.tick, 0)}"


@dataclass(frozen=True, slots=True)
class LostTurnsSince:
    """What became of the turns of a bot since some time."""

    games: int
    turns: int
    verdicts: list[LostVerdict] = field(default_factory=list)


def rating_points(connection: sa.Connection, entry: int) -> list[RatingPoint]:
    """Returns the rating of an entry after each of its pairs, the oldest first."""
    chosen = (
        sa.select(RATING_STEP, VERSION.c.number.label("version_number"))
        .outerjoin(VERSION, VERSION.c.id == RATING_STEP.c.version)
        .where(RATING_STEP.c.entry == entry)
        .order_by(RATING_STEP.c.number.desc())
        .limit(STEPS)
    )
    points = [
        RatingPoint(row.number, row.at_ms, row.mu, row.sigma, row.games, row.version_number)
        for row in connection.execute(chosen)
    ]
    return points[::-1]


def version_records(points: list[RatingPoint]) -> list[VersionRecord]:
    """Returns how each version did, in the order in which they played; one that came back stands there twice."""
    records: list[VersionRecord] = []
    for point in points:
        if records and records[-1].version == point.version:
            before = records.pop()
            records.append(VersionRecord(point.version, before.pairs + 1, before.first, point))
        else:
            records.append(VersionRecord(point.version, 1, point, point))
    return records


def own_games(bot: int) -> sa.Select[Any]:
    """Returns the query for the seats of a bot in games whose result is known."""
    return (
        sa.select(SEAT.c.match, SEAT.c.place, SEAT.c.rank, SEAT.c.turns, SEAT.c.lost_turns)
        .join(VERSION, VERSION.c.id == SEAT.c.version)
        .join(MATCH, MATCH.c.id == SEAT.c.match)
        .join(PAIR, PAIR.c.id == MATCH.c.pair)
        .where(VERSION.c.bot == bot, MATCH.c.state == DONE, PAIR.c.state.in_(RELEASED))
    )


def record_by_rival(connection: sa.Connection, bot: int) -> list[RivalRecord]:
    """Returns the games of a bot by rival, whom it met most often first."""
    own, rival = own_games(bot).subquery(), SEAT.alias("rival")
    whom = VERSION.c.bot, rival.c.house, rival.c.person
    ways = {"won": own.c.rank < rival.c.rank, "drawn": own.c.rank == rival.c.rank, "lost": own.c.rank > rival.c.rank}
    counts = [sa.func.sum(sa.case((how, 1), else_=0)).label(way) for way, how in ways.items()]
    met = (
        sa.select(*whom, *counts, sa.func.max(own.c.match).label("last"))
        .join_from(own, rival, (rival.c.match == own.c.match) & (rival.c.place != own.c.place))
        .outerjoin(VERSION, VERSION.c.id == rival.c.version)
        .group_by(*whom)
        .order_by(sa.func.count().desc(), sa.func.max(own.c.match).desc())
        .limit(RIVALS)
    )
    rows = connection.execute(met).all()
    last = sa.select(SEAT.c.match, VERSION.c.bot, SEAT.c.house, SEAT.c.person, SEAT.c.name)
    last = last.outerjoin(VERSION, VERSION.c.id == SEAT.c.version).where(SEAT.c.match.in_([row.last for row in rows]))
    names = {(row.match, row.bot, row.house, row.person): row.name for row in connection.execute(last)}
    records = [
        RivalRecord(names[row.last, row.bot, row.house, row.person], row.bot, row.won, row.drawn, row.lost, row.last)
        for row in rows
    ]
    return without_deleted(connection, sorted(records, key=lambda record: (-record.games, record.name)))


def without_deleted(connection: sa.Connection, records: list[RivalRecord]) -> list[RivalRecord]:
    """Takes off the links to bots that are not there any more."""
    named = [record.bot for record in records if record.bot is not None]
    there = set(connection.scalars(sa.select(BOT.c.id).where(BOT.c.id.in_(named), BOT.c.deleted_ms.is_(None))))
    for record in records:
        record.bot = record.bot if record.bot in there else None
    return records


def lost_since(connection: sa.Connection, bot: int, since_ms: int) -> LostTurnsSince:
    """Returns what became of the turns of a bot in its newest games since some time."""
    figures = sa.case((SEAT.c.lost_turns > 0, MATCH.c.figures)).label("figures")  # most games have nothing to tell
    chosen = own_games(bot).add_columns(figures).where(MATCH.c.begun_ms >= since_ms)
    rows = connection.execute(chosen.order_by(MATCH.c.id.desc()).limit(GAMES)).all()
    verdicts: dict[str, LostVerdict] = {}
    for row in rows:
        told = json.loads(row.figures or "{}").get(str(row.place), {})
        counts = Counter(told.get("verdicts", {}))
        for verdict, about in told.get("lost", {}).items():
            lost = verdicts.setdefault(verdict, LostVerdict(verdict))
            lost.turns += counts.get(verdict, about["count"])
            lost.games += 1
            if row.match > lost.match:
                lost.match, lost.tick = row.match, about["tick"]
                lost.reason, lost.remedy = about["reason"], about["remedy"]
    ordered = sorted(verdicts.values(), key=lambda lost: -lost.turns)
    return LostTurnsSince(len(rows), sum(row.turns for row in rows), ordered)
