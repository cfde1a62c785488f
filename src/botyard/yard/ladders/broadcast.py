"""What a projector shows: the matches that are being played, those of the highest rated bots first."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from botyard.yard.data.tables import DONE, ENTRY, SEAT
from botyard.yard.ladders.match_lists import ListedMatch, listed_matches, running_matches

MOST_LOOKED_AT = 200  # matches that are played at a time
NEWEST = 12


@dataclass(frozen=True, slots=True)
class Broadcast:
    """A match that can be shown, and how strong its bots are on average."""

    match: ListedMatch
    rating: float


def on_air(connection: sa.Connection, live: Collection[int]) -> list[Broadcast]:
    """Returns the matches that are being played and can be watched, the highest rated first."""
    running = [match for match in running_matches(connection, MOST_LOOKED_AT) if match.id in live]
    return rated(connection, running)


def lately(connection: sa.Connection) -> list[Broadcast]:
    """Returns some matches that were over last, the highest rated first."""
    return rated(connection, listed_matches(connection, states=(DONE,), limit=NEWEST))


def rated(connection: sa.Connection, matches: Sequence[ListedMatch]) -> list[Broadcast]:
    seats = sa.select(SEAT.c.match, sa.func.avg(ENTRY.c.mu).label("mu")).join(ENTRY, SEAT.c.entry == ENTRY.c.id)
    seats = seats.where(SEAT.c.match.in_([match.id for match in matches])).group_by(SEAT.c.match)
    ratings = {row.match: float(row.mu) for row in connection.execute(seats)}
    found = [Broadcast(match, ratings.get(match.id, 0.0)) for match in matches]
    return sorted(found, key=lambda one: (-one.rating, one.match.id))


def next_of(found: Sequence[Broadcast], seen: Collection[int]) -> Broadcast | None:
    """Returns the best match that was not seen lately."""
    return next((one for one in found if one.match.id not in seen), None)
