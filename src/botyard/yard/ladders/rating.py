"""Ratings of a ladder made anew from what was recorded: results in the order of their numbers, and milestones between.

What the rows hold follows from these byte for byte: `yard verify` compares them, and they can be made again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa

from botyard.rank.ladder import LadderEvent, PairClosed, RatingFold, SeasonOpened, VersionActivated
from botyard.rank.ratings import Rating
from botyard.yard.data.ladder_tables import MILESTONE
from botyard.yard.data.tables import PAIR, RATING_STEP
from botyard.yard.ladders.closed_games import games_of_pair
from botyard.yard.ladders.kept_ratings import replace_kept
from botyard.yard.ladders.rows import change_entries

STEP = "ladder", "number", "entry", "season", "version", "mu", "sigma", "games", "at_ms"


def folded(connection: sa.Connection, ladder: int, fold: RatingFold) -> Iterator[dict[str, Any]]:
    """Yields all rating steps of a ladder in their order, as they follow from what was recorded."""
    chosen = sa.select(MILESTONE).where(MILESTONE.c.ladder == ladder).order_by(MILESTONE.c.after, MILESTONE.c.id)
    milestones = list(connection.execute(chosen))
    closed = sa.select(PAIR).where(PAIR.c.ladder == ladder, PAIR.c.rated == 1).order_by(PAIR.c.number)
    at = 0
    for pair in connection.execute(closed).all():
        while at < len(milestones) and milestones[at].after < pair.number:
            fold.take(event_of(milestones[at]))
            at += 1
        yield from closed_in(connection, pair, fold)
    for milestone in milestones[at:]:
        fold.take(event_of(milestone))


def event_of(milestone: sa.Row[Any]) -> LadderEvent:
    if milestone.kind == "season":
        return SeasonOpened()
    return VersionActivated(str(milestone.entry), str(milestone.version))


def closed_in(connection: sa.Connection, pair: sa.Row[Any], fold: RatingFold) -> Iterator[dict[str, Any]]:
    """Counts a pair; yields the steps of its entries."""
    games = games_of_pair(connection, pair.id)
    played = {seat.entry: seat.version for seat in games[0].seats}
    versions = {str(entry): str(version) for entry, version in played.items()}
    fold.take(PairClosed(tuple(game.by_entry for game in games), versions))
    for entry in sorted(played):
        rating, about = fold.now[str(entry)], (pair.ladder, pair.number, entry, pair.season, played[entry])
        yield dict(zip(STEP, (*about, rating.mu, rating.sigma, rating.games, pair.closed_ms), strict=True))


def kept_in(fold: RatingFold) -> dict[tuple[int, int], Rating]:
    """Returns the ratings that are kept for versions which were active before, by entry and version."""
    return {(int(entry), int(version)): rating for (entry, version), rating in fold.kept.items()}


def rebuild_ratings(connection: sa.Connection, ladder: int) -> int:
    """Makes all ratings of a ladder anew; returns how many steps there are."""
    fold = RatingFold()
    steps = list(folded(connection, ladder, fold))
    connection.execute(sa.delete(RATING_STEP).where(RATING_STEP.c.ladder == ladder))
    if steps:
        connection.execute(sa.insert(RATING_STEP), steps)
    pairs = Counter(str(step["entry"]) for step in steps)
    changes = {
        int(entry): {"mu": rating.mu, "sigma": rating.sigma, "games": rating.games, "pairs": pairs[entry]}
        for entry, rating in fold.now.items()
    }
    change_entries(connection, ladder, changes)
    replace_kept(connection, ladder, kept_in(fold))
    return len(steps)
