"""What belongs to a person, as their page lists it."""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa

from botyard.yard.bots.queries import EntryLine, entries_of
from botyard.yard.data.tables import BOT, RETIRED, VERSION

OWN_BOTS = (
    sa.select(BOT.c.id, BOT.c.game, BOT.c.name)
    .where(BOT.c.owner == sa.bindparam("of"), BOT.c.deleted_ms.is_(None))
    .order_by(BOT.c.game, BOT.c.name_key)
)
THEIR_VERSIONS = (
    sa.select(VERSION.c.bot, VERSION.c.state)
    .where(VERSION.c.bot.in_(sa.bindparam("bots", expanding=True)))
    .order_by(VERSION.c.number)
)


@dataclass(frozen=True, slots=True)
class OwnBot:
    """A bot of somebody, and where it plays."""

    id: int
    game: str
    name: str
    uploads: int
    latest: str  # the state of its latest version; empty: there is none
    places: list[EntryLine]


def bots_of(connection: sa.Connection, person: int) -> list[OwnBot]:
    """Returns the bots of a person that were not deleted, by game and name."""
    rows = connection.execute(OWN_BOTS, {"of": person}).all()
    states = latest_states(connection, [row.id for row in rows])
    return [
        OwnBot(row.id, row.game, row.name, *states.get(row.id, (0, "")), places_of(connection, row.id)) for row in rows
    ]


def places_of(connection: sa.Connection, bot: int) -> list[EntryLine]:
    """Returns where a bot plays now."""
    return [entry for entry in entries_of(connection, bot) if entry.state != RETIRED]


def latest_states(connection: sa.Connection, bots: list[int]) -> dict[int, tuple[int, str]]:
    """Returns by bot how many versions it has, and the state of the latest."""
    found: dict[int, tuple[int, str]] = {}
    for row in connection.execute(THEIR_VERSIONS, {"bots": bots}):
        found[row.bot] = (found.get(row.bot, (0, ""))[0] + 1, row.state)
    return found
