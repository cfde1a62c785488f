"""Ratings that are kept for versions which were active before: whoever goes back to one gets its rating again.

A pair that was asked with such a version counts there, too, when it is closed. Otherwise a loss could be escaped by a
new version and back.
"""

from __future__ import annotations

from collections.abc import Mapping

import sqlalchemy as sa

from botyard.rank.ladder import doubted
from botyard.rank.ratings import Rating
from botyard.yard.data.database import insert_new
from botyard.yard.data.ladder_tables import KEPT_RATING
from botyard.yard.data.statements import change_rows, rows_by
from botyard.yard.data.tables import ENTRY


def keep_rating(connection: sa.Connection, entry: int, version: int, rating: Rating) -> None:
    """Keeps the rating of a version of an entry, instead of the one that was kept before."""
    found_by, values = {"entry": entry, "version": version}, {"mu": rating.mu, "sigma": rating.sigma}
    if not insert_new(connection, KEPT_RATING, {**found_by, **values}):
        change_rows(connection, KEPT_RATING, found_by, values)


def kept_rating(connection: sa.Connection, entry: int, version: int) -> Rating | None:
    """Returns the rating that is kept for a version of an entry; None if it never was the active one."""
    for row in rows_by(connection, KEPT_RATING, {"entry": entry, "version": version}):
        return Rating(row.mu, row.sigma)
    return None


def kept_ratings(connection: sa.Connection, ladder: int) -> dict[tuple[int, int], Rating]:
    """Returns all ratings that are kept on a ladder, by entry and version."""
    chosen = sa.select(KEPT_RATING).join(ENTRY, KEPT_RATING.c.entry == ENTRY.c.id).where(ENTRY.c.ladder == ladder)
    return {(row.entry, row.version): Rating(row.mu, row.sigma) for row in connection.execute(chosen)}


def replace_kept(connection: sa.Connection, ladder: int, ratings: Mapping[tuple[int, int], Rating]) -> None:
    """Keeps these ratings on a ladder and no others."""
    entries = sa.select(ENTRY.c.id).where(ENTRY.c.ladder == ladder)
    connection.execute(sa.delete(KEPT_RATING).where(KEPT_RATING.c.entry.in_(entries)))
    for (entry, version), rating in ratings.items():
        keep_rating(connection, entry, version, rating)


def doubt_kept(connection: sa.Connection, ladder: int) -> None:
    """Doubts all ratings that are kept on a ladder, because a season was opened."""
    for (entry, version), rating in kept_ratings(connection, ladder).items():
        keep_rating(connection, entry, version, doubted(rating))
