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


@dataclass(frozen=True, slots=True)
class RivalRecord:
    """Games against one rival."""

    name: str
    bot: int | None  # none: a house bot, a person, or a bot that was deleted
    won: int
    drawn: int
    lost: int
    last: int  # the newest match

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
        .where(VERSION.c.bot == bot, MATCH.c.state == DONE, PAIR.c.state.in_(RELEASED), PAIR.c.held == 0)
    )


def record_by_rival(connection: sa.Connection, bot: int) -> list[RivalRecord]:
    """Returns the games of a bot by rival, whom it met most often first. Bots stand there with the name they have now,
    and those that were deleted with the one they had."""
    own, rival = own_games(bot).subquery(), SEAT.alias("rival")

    def counted(how: sa.ColumnElement[bool]) -> sa.ColumnElement[int]:
        return sa.func.sum(sa.case((how, 1), else_=0))

    games = sa.func.count().label("games")
    chosen = (
        sa.select(
            sa.func.coalesce(sa.func.max(BOT.c.name), sa.func.max(rival.c.name)).label("name"),
            sa.func.max(BOT.c.id).label("there"),
            counted(own.c.rank < rival.c.rank).label("won"),
            counted(own.c.rank == rival.c.rank).label("drawn"),
            counted(own.c.rank > rival.c.rank).label("lost"),
            sa.func.max(own.c.match).label("last"),
            games,
        )
        .select_from(own)
        .join(rival, (rival.c.match == own.c.match) & (rival.c.place != own.c.place))
        .outerjoin(VERSION, VERSION.c.id == rival.c.version)
        .outerjoin(BOT, (BOT.c.id == VERSION.c.bot) & BOT.c.deleted_ms.is_(None))
        .group_by(VERSION.c.bot, rival.c.house, rival.c.person)
        .order_by(games.desc(), sa.literal_column("name"))
        .limit(RIVALS)
    )
    return [
        RivalRecord(row.name, row.there, row.won, row.drawn, row.lost, row.last) for row in connection.execute(chosen)
    ]


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
