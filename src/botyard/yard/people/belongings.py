"""What belongs to a person, as their page lists it."""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa

from botyard.yard.data.tables import BOT, ENTRY, LADDER, RETIRED, VERSION


@dataclass(frozen=True, slots=True)
class Place:
    """Where a bot plays."""

    slug: str
    title: str
    state: str
    reason: str
    mu: float
    sigma: float


@dataclass(frozen=True, slots=True)
class OwnBot:
    """A bot of somebody, and where it plays."""

    id: int
    game: str
    name: str
    uploads: int
    latest: str  # the state of its latest version; empty: there is none
    places: list[Place]


def bots_of(connection: sa.Connection, person: int) -> list[OwnBot]:
    """Returns the bots of a person that were not deleted, by game and name."""
    own = (BOT.c.owner == person) & BOT.c.deleted_ms.is_(None)
    rows = connection.execute(sa.select(BOT).where(own).order_by(BOT.c.game, BOT.c.name_key)).all()
    places: dict[int, list[Place]] = {row.id: [] for row in rows}
    joined = sa.join(ENTRY, LADDER, ENTRY.c.ladder == LADDER.c.id)
    wanted = ENTRY.c.bot, ENTRY.c.state, ENTRY.c.reason, ENTRY.c.mu, ENTRY.c.sigma, LADDER.c.slug, LADDER.c.title
    played = sa.select(*wanted).select_from(joined).where(ENTRY.c.bot.in_(list(places)), ENTRY.c.state != RETIRED)
    for row in connection.execute(played.order_by(LADDER.c.slug)):
        places[row.bot].append(Place(row.slug, row.title, row.state, row.reason, row.mu, row.sigma))
    states = latest_states(connection, list(places))
    return [OwnBot(row.id, row.game, row.name, *states.get(row.id, (0, "")), places[row.id]) for row in rows]


def latest_states(connection: sa.Connection, bots: list[int]) -> dict[int, tuple[int, str]]:
    """Returns by bot how many versions it has, and the state of the latest."""
    ordered = sa.select(VERSION.c.bot, VERSION.c.state).where(VERSION.c.bot.in_(bots)).order_by(VERSION.c.number)
    found: dict[int, tuple[int, str]] = {}
    for row in connection.execute(ordered):
        found[row.bot] = (found.get(row.bot, (0, ""))[0] + 1, row.state)
    return found
