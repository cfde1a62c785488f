"""What belongs to a person, as their page lists it."""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa

from botyard.yard.bots.queries import EntryLine, entries_of
from botyard.yard.data.tables import BOT, RETIRED, VERSION


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
    own = (BOT.c.owner == person) & BOT.c.deleted_ms.is_(None)
    rows = connection.execute(sa.select(BOT).where(own).order_by(BOT.c.game, BOT.c.name_key)).all()
    states = latest_states(connection, [row.id for row in rows])
    return [
        OwnBot(row.id, row.game, row.name, *states.get(row.id, (0, "")), places_of(connection, row.id)) for row in rows
    ]


def places_of(connection: sa.Connection, bot: int) -> list[EntryLine]:
    """Returns where a bot plays now."""
    return [entry for entry in entries_of(connection, bot) if entry.state != RETIRED]


def latest_states(connection: sa.Connection, bots: list[int]) -> dict[int, tuple[int, str]]:
    """Returns by bot how many versions it has, and the state of the latest."""
    ordered = sa.select(VERSION.c.bot, VERSION.c.state).where(VERSION.c.bot.in_(bots)).order_by(VERSION.c.number)
    found: dict[int, tuple[int, str]] = {}
    for row in connection.execute(ordered):
        found[row.bot] = (found.get(row.bot, (0, ""))[0] + 1, row.state)
    return found
