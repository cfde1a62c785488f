"""Pairs: games that are asked together and count together, from the question to their end.

A pair has begun when its first game is leased. From then on all its games are played and count for the versions they
were asked with; only pairs that have not begun are cancelled. Whoever locks rows locks the ladder first, then the pair,
then its tasks. Who records a game locks its pair, which has begun, before the ladder; pairs that have not are others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from botyard import __version__
from botyard.yard.data.database import inserted_ids
from botyard.yard.data.statements import change_each, change_rows, insert_rows
from botyard.yard.data.tables import (
    ASKED,
    BEGUN,
    CANCELLED,
    ENTRY,
    LEASED,
    MATCH,
    MATCH_TASK,
    PAIR,
    SEAT,
    TASK,
    VERSION,
    WAITING,
)
from botyard.yard.ladders.rows import change_entries
from botyard.yard.work.tasks import WAITS

LADDER_PAIR, CHALLENGE, TEST, HAND, CONTEST_PAIR = "ladder", "challenge", "test", "hand", "contest"


@dataclass(frozen=True, slots=True)
class Seated:
    """Who sits in a seat: a version of a bot, a house bot, or a person."""

    name: str  # as it is shown
    entry: int | None = None
    version: int | None = None
    house: str | None = None
    person: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PairAsked:
    """What is asked for: games that share a seed."""

    kind: str
    game: str
    settings: str  # JSON: all settings of the game
    rules: int
    chance: str  # the words that the seed is derived from
    seed: int
    halves: tuple[tuple[Seated, ...], ...]  # who sits where in each of its games
    urgency: int
    why: str
    ladder: int | None = None
    season: int = 0
    person: int | None = None
    contest: int | None = None
    held: int = 0  # of a contest: who may see it


def ask_pair(connection: sa.Connection, pair: PairAsked, now_ms: int) -> int:
    """Adds a pair with all its games, each of which waits for a worker; returns its number."""
    [number] = ask_pairs(connection, [pair], now_ms)
    return number


def ask_pairs(connection: sa.Connection, pairs: Sequence[PairAsked], now_ms: int) -> list[int]:
    """Adds pairs in this order; returns their numbers."""
    numbers = inserted_ids(connection, PAIR, [pair_row(pair, now_ms) for pair in pairs])
    numbered = list(zip(numbers, pairs, strict=True))
    games = [(pair, seats) for pair in pairs for seats in pair.halves]
    halves = [(number, half, pair) for number, pair in numbered for half in range(1, len(pair.halves) + 1)]
    matches = inserted_ids(connection, MATCH, [match_row(*half) for half in halves])
    seated = zip(matches, games, strict=True)
    rows = [seat_row(match, at, seat) for match, (_, seats) in seated for at, seat in enumerate(seats, 1)]
    insert_rows(connection, SEAT, rows)
    task = {"kind": MATCH_TASK, "state": WAITING, "why": WAITS, "asked_ms": now_ms}
    about = [(match, pair) for match, (pair, _) in zip(matches, games, strict=True)]
    tasks = [{**task, "urgency": pair.urgency, "person": pair.person, "match": match} for match, pair in about]
    insert_rows(connection, TASK, tasks)
    return numbers


def pair_row(pair: PairAsked, now_ms: int) -> dict[str, Any]:
    about = {"ladder": pair.ladder, "kind": pair.kind, "season": pair.season, "person": pair.person, "why": pair.why}
    about |= {"contest": pair.contest, "held": pair.held, "state": ASKED, "asked_ms": now_ms}
    return {**about, "chance": pair.chance, "seed": str(pair.seed)}


def match_row(number: int, half: int, pair: PairAsked) -> dict[str, Any]:
    rules = {"game": pair.game, "settings": pair.settings, "rules": pair.rules, "botyard": __version__}
    return {"pair": number, "half": half, "state": ASKED, **rules}


def seat_row(match: int, place: int, seat: Seated) -> dict[str, Any]:
    player = {"entry": seat.entry, "version": seat.version, "house": seat.house, "person": seat.person}
    return {"match": match, "place": place, "name": seat.name, **player}


BEGIN_PAIR = (
    sa.update(PAIR)
    .where(PAIR.c.id == sa.select(MATCH.c.pair).where(MATCH.c.id == sa.bindparam("of_match")).scalar_subquery())
    .where(PAIR.c.state.in_((ASKED, BEGUN)))
    .values(state=BEGUN)
)


def begin_match(connection: sa.Connection, match: int, worker: str, now_ms: int) -> bool:
    """Marks a game as leased and its pair as begun; returns whether it may be played."""
    if connection.execute(BEGIN_PAIR, {"of_match": match}).rowcount != 1:
        return False
    leased = {"state": LEASED, "worker": worker, "begun_ms": now_ms}
    return change_rows(connection, MATCH, {"id": match, "state": ASKED}, leased) == 1


BEGIN_PAIRS = (
    sa.update(PAIR)
    .where(PAIR.c.id.in_(sa.bindparam("pairs", expanding=True)), PAIR.c.state.in_((ASKED, BEGUN)))
    .values(state=BEGUN)
)


def begin_matches(connection: sa.Connection, tasks: Sequence[Any], workers: Sequence[str], now_ms: int) -> bool:
    """Does the same for the games of several tasks, each with its worker; returns whether all of them may be played."""
    pairs = sorted({task.pair for task in tasks})
    if connection.execute(BEGIN_PAIRS, {"pairs": pairs}).rowcount != len(pairs):
        return False
    leased = [
        ({"id": task.match, "state": ASKED}, {"state": LEASED, "worker": worker, "begun_ms": now_ms})
        for task, worker in zip(tasks, workers, strict=True)
    ]
    return change_each(connection, MATCH, leased) == len(leased)


def ask_match_again(connection: sa.Connection, match: int) -> None:
    """Has a game wait again whose worker failed."""
    again = sa.update(MATCH).where(MATCH.c.id == match, MATCH.c.state == LEASED)
    connection.execute(again.values(state=ASKED, worker="", begun_ms=None))


def cancel_pair(connection: sa.Connection, pair: int, reason: str, now_ms: int) -> bool:
    """Cancels a pair that has not begun; returns whether it did."""
    cancelled = sa.update(PAIR).where(PAIR.c.id == pair, PAIR.c.state == ASKED)
    if connection.execute(cancelled.values(state=CANCELLED, closed_ms=now_ms)).rowcount != 1:
        return False
    games = sa.select(MATCH.c.id).where(MATCH.c.pair == pair)
    unplayed = sa.update(MATCH).where(MATCH.c.pair == pair, MATCH.c.state == ASKED)
    connection.execute(unplayed.values(state=CANCELLED, reason=reason))
    tasks = sa.update(TASK).where(TASK.c.match.in_(games), TASK.c.state == WAITING)
    connection.execute(tasks.values(state=CANCELLED, why=reason, ended_ms=now_ms))
    count_flight(connection, pair, -1)
    return True


def count_flight(connection: sa.Connection, pair: int, by: int) -> None:
    """Counts a pair that is over without a rating as one less in flight, for all its entries, or one that is asked
    again as one more; a final's never were."""
    seats = sa.select(SEAT.c.entry).join(MATCH, SEAT.c.match == MATCH.c.id).join(PAIR, MATCH.c.pair == PAIR.c.id)
    seats = seats.where(PAIR.c.id == pair, PAIR.c.kind == LADDER_PAIR)
    rows = connection.execute(sa.select(ENTRY.c.id, ENTRY.c.ladder, ENTRY.c.in_flight).where(ENTRY.c.id.in_(seats)))
    by_ladder: dict[int, dict[int, dict[str, int]]] = {}
    for row in rows:
        by_ladder.setdefault(row.ladder, {})[row.id] = {"in_flight": max(0, row.in_flight + by)}
    for ladder, changes in by_ladder.items():
        change_entries(connection, ladder, changes)


def cancel_pairs(connection: sa.Connection, pairs: Sequence[int], reason: str, now_ms: int) -> int:
    """Cancels those of the pairs that have not begun; returns how many."""
    return sum(cancel_pair(connection, pair, reason, now_ms) for pair in sorted(pairs))


def pairs_asked(connection: sa.Connection, *, entry: int | None = None, bot: int | None = None) -> list[int]:
    """Returns the pairs that have not begun, of an entry, or of any version of a bot. Those of contests are not among
    them: a contest is played with what was entered, whatever its owner does elsewhere."""
    chosen = sa.select(PAIR.c.id).distinct().join(MATCH, MATCH.c.pair == PAIR.c.id)
    chosen = chosen.join(SEAT, SEAT.c.match == MATCH.c.id).where(PAIR.c.state == ASKED, PAIR.c.contest.is_(None))
    if entry is not None:
        chosen = chosen.where(SEAT.c.entry == entry)
    if bot is not None:
        chosen = chosen.where(SEAT.c.version.in_(sa.select(VERSION.c.id).where(VERSION.c.bot == bot)))
    return list(connection.execute(chosen.order_by(PAIR.c.id)).scalars())
