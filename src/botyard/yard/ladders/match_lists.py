"""This module reads matches for people: lists of them, and all that may be known of one.

What belongs to a pair is known when the pair is closed, and not before: from the first half alone an owner could learn
the seed of the second. Until then boards may be seen, which hold no seed and no orders; result, replay and turns wait.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import sqlalchemy as sa

from botyard.yard.caller import Caller
from botyard.yard.data.contest_tables import CONTEST, OVER
from botyard.yard.data.statements import among
from botyard.yard.data.tables import (
    BOT,
    CANCELLED,
    CLOSED,
    DONE,
    LADDER,
    LEASED,
    MATCH,
    MATCH_TASK,
    PAIR,
    PERSON,
    SEAT,
    TASK,
    VERSION,
    VOID,
    WAITING,
)  # fmt: skip
from botyard.yard.refusals import NotAllowed, NotThere

RELEASED = (CLOSED, VOID, CANCELLED)
"""States of a pair in which nothing of it is held back any more."""
SHOWN = (LEASED, DONE, VOID)
"""States of matches that lists show."""
BEYOND = 1 << 62  # a pair that there will never be
PUBLIC = ("ladder", "final", "challenge", "contest")
"""Kinds of pairs that everybody may see; test games and games by hand are for those who have to do with them."""


@dataclass(frozen=True, slots=True)
class ListedSeat:
    """Who played in a match; `rank`, `score` and the numbers of turns are known once it is released."""

    place: int
    name: str
    bot: int | None
    version: int | None  # its number
    owner: int | None
    owner_name: str
    house: str
    person: int | None
    logs_public: bool
    rank: int | None = None
    score: int | None = None
    forfeited: int = 0  # 1: it did
    lost_turns: int = 0
    turns: int = 0

    def open_to(self, caller: Caller) -> bool:
        """Whether a caller may see what was sent to this seat, and what it printed."""
        return self.logs_public or caller.owns(self.person if self.person is not None else self.owner)


@dataclass(frozen=True, slots=True)
class ListedMatch:
    """A match as lists name it."""

    id: int
    game: str
    state: str
    kind: str  # of its pair: ladder, challenge, test or hand
    half: int
    ladder: str  # its slug; empty: of no ladder
    ladder_title: str
    contest: str  # its slug; empty: of no contest
    contest_title: str
    released: bool
    result: str  # empty until it is released
    ticks: int
    begun_ms: int | None
    done_ms: int | None
    asked_ms: int
    why: str  # why these bots were asked
    seats: tuple[ListedSeat, ...] = ()

    @property
    def winners(self) -> tuple[str, ...]:
        """Returns who was best; several: a draw among them."""
        return tuple(seat.name for seat in self.seats if seat.rank == 1)

    @property
    def players(self) -> tuple[tuple[str, int | None, bool], ...]:
        """Returns who played: their name, their score, and whether they alone were best."""
        alone = len(self.winners) == 1
        return tuple((seat.name, seat.score, alone and seat.rank == 1) for seat in self.seats)


@dataclass(frozen=True, slots=True)
class ShownMatch:
    """All that may be known of a match by everybody, and where its records lie."""

    listed: ListedMatch
    pair: int
    person: int | None  # who asked for it
    other: int | None  # the other half
    seed: str  # empty until it is released
    settings: dict[str, Any]
    rules: int
    botyard: str
    worker: str
    replay: str | None
    turns: str | None
    film: str | None
    figures: dict[str, Any]  # verdicts, times …; empty until it is released
    waits: str  # why it waits, if it does
    reason: str  # why it is void
    held: int = 0  # by its contest: 1 its organiser alone may see it, 2 also the owners of its bots
    organiser: int | None = None  # of its contest
    sealed: bool = False  # its seed is used again, so neither the seed nor the replay may be had

    def open_to(self, caller: Caller) -> bool:
        """Whether a caller may see it at all."""
        if self.listed.kind in PUBLIC and not self.held:
            return True
        concerned = [self.organiser, self.person, *(seat.owner for seat in self.listed.seats if self.held != 1)]
        return any(caller.owns(one) for one in concerned)

    def need_replay(self) -> None:
        """Refuses to show the replay before its seed may be known."""
        if not self.listed.released:
            hint = "it holds the seed, which the pair's other game shares"
            raise NotAllowed("the replay of this match is not shown yet", hint=hint)
        if self.sealed:
            hint = "it holds the seed, on which changed bots play again until the contest is over"
            raise NotAllowed("the replay of this match is not shown yet", hint=hint)


def listed_matches(
    connection: sa.Connection,
    *,
    ladder: int | None = None,
    game: str = "",
    before: int | None = None,
    states: Iterable[str] = SHOWN,
    limit: int = 30,
) -> list[ListedMatch]:
    """Returns the newest matches that everybody may see, the last asked first; `before` goes on with a list."""
    told: dict[str, Any] = {"states": list(states), "limit": limit, "ladder": ladder, "game": game}
    if before is not None:
        place = connection.execute(sa.select(MATCH.c.pair, MATCH.c.half).where(MATCH.c.id == before)).one_or_none()
        told |= {"pair": place.pair, "half": place.half} if place else {"pair": BEYOND, "half": 0}
    return seated(
        connection, connection.execute(listing(ladder is not None, bool(game), before is not None), told).all()
    )


@cache
def listing(of_ladder: bool, of_game: bool, going_on: bool) -> sa.Select[Any]:
    """Returns the query for a list. It is written once: building it takes longer than asking it.

    Lists are ordered by pairs, which an index of their ladder gives at once, however many there are.
    """
    pair = PAIR.c.id if of_ladder else MATCH.c.pair
    chosen = LISTED.where(MATCH.c.state.in_(sa.bindparam("states", expanding=True)), IS_PUBLIC)
    if of_ladder:
        chosen = chosen.where(PAIR.c.ladder == sa.bindparam("ladder"))
    if of_game:
        chosen = chosen.where(MATCH.c.game == sa.bindparam("game"))
    if going_on:
        there = sa.bindparam("pair", type_=sa.BigInteger)
        chosen = chosen.where(pair <= there, sa.or_(pair < there, MATCH.c.half < sa.bindparam("half")))
    return chosen.order_by(pair.desc(), MATCH.c.half.desc()).limit(sa.bindparam("limit", type_=sa.Integer))


def matches_of_bot(
    connection: sa.Connection, bot: int, *, before: int | None = None, limit: int = 30
) -> list[ListedMatch]:
    """Returns the newest matches of a bot that everybody may see, the last asked first.

    A bot may have played ten thousand games, so they are looked at a few at a time.
    """
    found: list[sa.Row[Any]] = []
    last = BEYOND if before is None else before
    while len(found) < limit:
        numbers = connection.scalars(PLAYED, {"bot": bot, "before": last, "limit": limit + 1}).all()
        if not numbers:
            break
        found += connection.execute(NUMBERED, {"numbers": numbers}).all()
        last = numbers[-1]
    return seated(connection, found[:limit])


def matches_of_pair(connection: sa.Connection, pair: int) -> list[ListedMatch]:
    """Returns the games of a pair, whatever became of them."""
    chosen = LISTED.where(MATCH.c.pair == pair).order_by(MATCH.c.id)
    return seated(connection, connection.execute(chosen))


def running_matches(connection: sa.Connection, limit: int = 12) -> list[ListedMatch]:
    """Returns the matches that are being played now, the last asked first."""
    return seated(connection, connection.execute(RUNNING, {"limit": limit}))


def matches_with(*more: sa.ColumnElement[Any]) -> sa.Select[Any]:
    """Returns the query for matches as lists have them, with more columns; those of lists hold nothing that is large or
    private."""
    return (
        sa.select(*OF_LISTS, *more)
        .join_from(MATCH, PAIR, MATCH.c.pair == PAIR.c.id)
        .outerjoin(LADDER, PAIR.c.ladder == LADDER.c.id)
        .outerjoin(CONTEST, PAIR.c.contest == CONTEST.c.id)
    )


OF_LISTS = (  # in the order of a `ListedMatch`
    MATCH.c.id, MATCH.c.game, MATCH.c.state, PAIR.c.kind, MATCH.c.half, LADDER.c.slug, LADDER.c.title,
    CONTEST.c.slug.label("contest_slug"), CONTEST.c.title.label("contest_title"), PAIR.c.state.label("pair_state"),
    MATCH.c.result, MATCH.c.ticks, MATCH.c.begun_ms, MATCH.c.done_ms, PAIR.c.asked_ms, PAIR.c.why,
)  # fmt: skip
PAIR_STATE = 9  # its place among them
IS_PUBLIC = among(PAIR.c.kind, *PUBLIC) & (PAIR.c.held == 0)
SEALED = sa.case((CONTEST.c.watched == 0, 0), (CONTEST.c.state == OVER, 0), else_=1).label("sealed")
"""Whether the seed of a game is used again: a contest that follows changed bots has them play on the same seeds."""
LISTED = matches_with()
NUMBERED = LISTED.where(
    MATCH.c.id.in_(sa.bindparam("numbers", expanding=True)), among(MATCH.c.state, *SHOWN), IS_PUBLIC
).order_by(MATCH.c.id.desc())
RUNNING = (
    LISTED.where(
        MATCH.c.id.in_(sa.select(TASK.c.match).where(TASK.c.state == LEASED, TASK.c.kind == MATCH_TASK)),
        MATCH.c.state == LEASED,
        IS_PUBLIC,
    )
    .order_by(MATCH.c.id.desc())
    .limit(sa.bindparam("limit", type_=sa.Integer))
)
PLAYED = (
    sa.select(SEAT.c.match)
    .join(VERSION, SEAT.c.version == VERSION.c.id)
    .where(VERSION.c.bot == sa.bindparam("bot"), SEAT.c.match < sa.bindparam("before", type_=sa.BigInteger))
    .order_by(SEAT.c.match.desc())
    .limit(sa.bindparam("limit", type_=sa.Integer))
)
SEATS = (  # in the order of a `ListedSeat`
    sa.select(
        SEAT.c.match, SEAT.c.place, SEAT.c.name, VERSION.c.bot, VERSION.c.number, BOT.c.owner,
        PERSON.c.name.label("owner_name"), SEAT.c.house, SEAT.c.person, BOT.c.logs_public, SEAT.c.rank, SEAT.c.score,
        SEAT.c.forfeited, SEAT.c.lost_turns, SEAT.c.turns,
    )
    .outerjoin(VERSION, SEAT.c.version == VERSION.c.id)
    .outerjoin(BOT, VERSION.c.bot == BOT.c.id)
    .outerjoin(PERSON, BOT.c.owner == PERSON.c.id)
    .where(SEAT.c.match.in_(sa.bindparam("matches", expanding=True)))
    .order_by(SEAT.c.match, SEAT.c.place)
)  # fmt: skip
SHOWN_WHOLE = matches_with(
    *(column for column in MATCH.c if column not in set(OF_LISTS)), PAIR.c.seed, PAIR.c.person.label("asked_by"),
    PAIR.c.held, CONTEST.c.organiser, SEALED,
).where(MATCH.c.id == sa.bindparam("number"))  # fmt: skip
OTHER_HALF = sa.select(MATCH.c.id).where(MATCH.c.pair == sa.bindparam("of"), MATCH.c.id != sa.bindparam("number"))
WAITS = sa.select(TASK.c.why).where(TASK.c.match == sa.bindparam("number"), among(TASK.c.state, WAITING, LEASED))


def match_of(row: Sequence[Any], seats: Iterable[ListedSeat]) -> ListedMatch:
    """Returns a match by its columns. They are taken by their places, which costs a third of asking for their names."""
    (
        number, game, state, kind, half, ladder, ladder_title, contest, contest_title, pair_state, result, ticks,
        begun_ms, done_ms, asked_ms, why,
    ) = row  # fmt: skip
    released = pair_state in RELEASED
    return ListedMatch(
        number, game, state, kind, half, ladder or "", ladder_title or "", contest or "", contest_title or "", released,
        result if released else "", ticks, begun_ms, done_ms, asked_ms, why, tuple(seats),
    )  # fmt: skip


def seated(connection: sa.Connection, found: Iterable[sa.Row[Any]]) -> list[ListedMatch]:
    """Returns matches with their seats."""
    rows = {row[0]: row[: len(OF_LISTS)] for row in found}
    seats: dict[int, list[ListedSeat]] = {number: [] for number in rows}
    for match, *seat in connection.execute(SEATS, {"matches": list(rows)}).all() if rows else ():
        seats[match].append(seat_of(seat, rows[match][PAIR_STATE] in RELEASED))
    return [match_of(row, seats[number]) for number, row in rows.items()]


def seat_of(row: Sequence[Any], released: bool) -> ListedSeat:
    place, name, bot, version, owner, owner_name, house, person, public, *known = row
    known = known if released else []
    return ListedSeat(place, name, bot, version, owner, owner_name or "", house or "", person, bool(public), *known)


def match_for(connection: sa.Connection, number: int, caller: Caller) -> ShownMatch:
    """Returns a match by its number, if the caller may see it."""
    found = match_at(connection, number)
    if found is None or not found.open_to(caller):
        raise NotThere("there is no such match", hint="all that everybody may see are listed under Matches")
    return found


def match_at(connection: sa.Connection, number: int) -> ShownMatch | None:
    row = connection.execute(SHOWN_WHOLE, {"number": number}).one_or_none()
    if row is None:
        return None
    listed, sealed = seated(connection, [row])[0], row.organiser is not None and bool(row.sealed)
    return ShownMatch(
        listed=listed,
        pair=row.pair,
        person=row.asked_by,
        other=connection.scalars(OTHER_HALF, {"of": row.pair, "number": number}).first(),
        seed=row.seed if listed.released and not sealed else "",
        settings=json.loads(row.settings),
        rules=row.rules,
        botyard=row.botyard,
        worker=row.worker,
        replay=row.replay,
        turns=row.turns,
        film=row.film,
        figures=json.loads(row.figures) if row.figures and listed.released else {},
        waits=connection.scalars(WAITS, {"number": number}).first() or "",
        reason=row.reason,
        held=row.held,
        organiser=row.organiser,
        sealed=sealed,
    )


def match_seed(connection: sa.Connection, number: int) -> tuple[int, str]:
    """Returns the seed and the result of a match, which are for nobody's eyes before its pair is closed."""
    chosen = (
        sa.select(PAIR.c.seed, PAIR.c.person.label("asked_by"), MATCH.c.result)
        .join(PAIR, MATCH.c.pair == PAIR.c.id)
        .where(MATCH.c.id == number)
    )
    row = connection.execute(chosen).one()
    return int(row.seed), row.result
