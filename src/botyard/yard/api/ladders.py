"""Ladders: their tables, matches, queues and seasons."""

from __future__ import annotations

from typing import Annotated, Any

import sqlalchemy as sa
from fastapi import Query

from botyard.yard.api.fields import Cursor, Limit, ListPart, Told, Word, number_in, part_of
from botyard.yard.api.matches import MatchAnswer, tell_match
from botyard.yard.api.routing import Call, Section, get
from botyard.yard.api.work import QueueAnswer, tell_queue
from botyard.yard.ladders.ladders import all_ladders, ladder_named
from botyard.yard.ladders.listing import bots_on_ladders, with_trends
from botyard.yard.ladders.match_lists import listed_matches
from botyard.yard.ladders.seasons import seasons_of


class LadderAnswer(Told):
    """A ladder: a game with settings on which bots play each other by themselves."""

    slug: str
    game: str
    title: str
    state: str
    """`open`; `frozen` after its deadline; `final` when its last contest is over; `closed`."""
    season: int
    rules: int
    recorded: int
    """Pairs that were closed."""
    root_hash: str
    """The hash of the secret that all seeds of the season follow from."""
    predictable: bool
    """Whether its seeds have fewer than 64 bits."""
    deadline_ms: int | None
    settings: dict[str, Any]


class LadderLineAnswer(LadderAnswer):
    """A ladder, and how many bots of players are on it."""

    bots: int


class EntryAnswer(Told):
    """A line of a ladder's table."""

    rank: int | None
    why: str
    """Why it has no rank."""
    name: str
    owner: str
    mu: float
    margin: float
    """How far the true strength may lie from mu: in 19 of 20 cases."""
    games: int
    pairs: int
    state: str
    reason: str
    """Why it is in this state."""
    id: int
    """The number of its entry."""
    bot: int | None
    """Null: a house bot."""
    version: int | None
    """Its number among the versions of the bot."""
    trend: float | None
    """How far mu has moved in the last pairs of this version."""


class SeasonAnswer(Told):
    """A season of a ladder."""

    number: int
    rules: int
    root_hash: str
    root: str
    """The secret that all its seeds follow from; empty until its last pair is closed."""
    opened_ms: int
    ended_ms: int | None


async def list_ladders(call: Call) -> ListPart[LadderLineAnswer]:
    """Lists the ladders, those that are closed at the end."""

    def read(connection: sa.Connection) -> list[LadderLineAnswer]:
        bots = bots_on_ladders(connection)
        found = [(LadderAnswer.model_validate(one), bots.get(one.id, 0)) for one in all_ladders(connection)]
        return [LadderLineAnswer(**dict(ladder), bots=count) for ladder, count in found]

    return ListPart(items=await call.ask(read))


async def one_ladder(call: Call, slug: Word) -> LadderAnswer:
    """Tells about a ladder."""
    return LadderAnswer.model_validate(await call.ask(ladder_named, slug))


async def table(call: Call, slug: Word, cursor: Cursor = "", limit: Limit = 50) -> ListPart[EntryAnswer]:
    """Returns the table of a ladder, best first."""
    begin = number_in(cursor) or 0

    def read(connection: sa.Connection) -> ListPart[EntryAnswer]:
        lines = call.showroom.tables.read(connection, ladder_named(connection, slug), call.yard.clock())
        shown = with_trends(connection, lines[begin : begin + limit])
        following = str(begin + limit) if begin + limit < len(lines) else None
        return ListPart(items=[EntryAnswer.model_validate(line) for line in shown], next=following)

    return await call.ask(read)


async def ladder_matches(call: Call, slug: Word, cursor: Cursor = "", limit: Limit = 30) -> ListPart[MatchAnswer]:
    """Lists the matches of a ladder, the last asked first."""
    before = number_in(cursor)

    def read(connection: sa.Connection) -> ListPart[MatchAnswer]:
        ladder = ladder_named(connection, slug)
        found = listed_matches(connection, ladder=ladder.id, before=before, limit=limit + 1)
        return part_of(found, limit, tell_match, lambda match: match.id)

    return await call.ask(read)


async def ladder_queue(call: Call, slug: Word, limit: Annotated[int, Query(ge=1, le=100)] = 60) -> QueueAnswer:
    """Tells what a ladder waits for, in its order, and why."""

    def read(connection: sa.Connection) -> QueueAnswer:
        return tell_queue(connection, call.caller.person, ladder_named(connection, slug).id, limit)

    return await call.ask(read)


async def ladder_seasons(call: Call, slug: Word) -> ListPart[SeasonAnswer]:
    """Lists the seasons of a ladder."""

    def read(connection: sa.Connection) -> list[SeasonAnswer]:
        found = seasons_of(connection, ladder_named(connection, slug).id)
        return [SeasonAnswer.model_validate(season) for season in found]

    return ListPart(items=await call.ask(read))


SECTION = Section.of(
    "Ladders",
    "Bots of a game play each other by themselves, and are rated.",
    get("/ladders", list_ladders),
    get("/ladders/{slug}", one_ladder),
    get("/ladders/{slug}/table", table),
    get("/ladders/{slug}/matches", ladder_matches),
    get("/ladders/{slug}/queue", ladder_queue),
    get("/ladders/{slug}/seasons", ladder_seasons),
)
