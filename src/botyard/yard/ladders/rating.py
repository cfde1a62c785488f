"""Ratings of a ladder made anew from what was recorded: results in the order of their numbers, and milestones between.

What the rows hold follows from these byte for byte: `yard verify` compares them, and they can be made again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa

from botyard.rank.ladder import activated, doubted, rated_pair
from botyard.rank.ratings import Rating
from botyard.yard.data.ladder_tables import MILESTONE
from botyard.yard.data.tables import PAIR, RATING_STEP
from botyard.yard.ladders.closing import games_of_pair
from botyard.yard.ladders.rows import change_entries

STEP = "ladder", "number", "entry", "season", "version", "mu", "sigma", "games", "at_ms"


@dataclass(slots=True)
class RatingFold:
    """The ratings of a ladder on the way from the first pair to the last."""

    now: dict[int, Rating] = field(default_factory=dict)  # by entry
    active: dict[int, int | None] = field(default_factory=dict)  # the version of each entry
    kept: dict[tuple[int, int | None], Rating] = field(default_factory=dict)  # of versions that were active before
    pairs: dict[int, int] = field(default_factory=dict)

    def reach(self, milestone: sa.Row[Any]) -> None:
        if milestone.kind == "season":
            self.now = {entry: doubted(rating) for entry, rating in self.now.items()}
            self.kept = {version: doubted(rating) for version, rating in self.kept.items()}
            return
        entry, version = milestone.entry, milestone.version
        if entry not in self.now:
            self.now[entry] = Rating()
        else:
            self.kept[entry, self.active[entry]] = self.now[entry]
            self.now[entry] = activated(self.now[entry], self.kept.get((entry, version)))
        self.active[entry] = version

    def close(self, connection: sa.Connection, pair: sa.Row[Any]) -> Iterator[dict[str, Any]]:
        """Counts a pair; yields the steps of its entries."""
        games = games_of_pair(connection, pair.id)
        played = {seat.entry: seat.version for seat in games[0].seats}
        before = {str(entry): self.now[entry] for entry in played}
        after = rated_pair(before, [game.by_entry for game in games])
        for entry in sorted(played):
            rating = self.now[entry] = after[str(entry)]
            self.pairs[entry] = self.pairs.get(entry, 0) + 1
            about = (pair.ladder, pair.number, entry, pair.season, played[entry])
            yield dict(zip(STEP, (*about, rating.mu, rating.sigma, rating.games, pair.closed_ms), strict=True))


def folded(connection: sa.Connection, ladder: int, fold: RatingFold) -> Iterator[dict[str, Any]]:
    """Yields all rating steps of a ladder in their order, as they follow from what was recorded."""
    chosen = sa.select(MILESTONE).where(MILESTONE.c.ladder == ladder).order_by(MILESTONE.c.after, MILESTONE.c.id)
    milestones = list(connection.execute(chosen))
    closed = sa.select(PAIR).where(PAIR.c.ladder == ladder, PAIR.c.rated == 1).order_by(PAIR.c.number)
    at = 0
    for pair in connection.execute(closed).all():
        while at < len(milestones) and milestones[at].after < pair.number:
            fold.reach(milestones[at])
            at += 1
        yield from fold.close(connection, pair)
    for milestone in milestones[at:]:
        fold.reach(milestone)


def rebuild_ratings(connection: sa.Connection, ladder: int) -> int:
    """Makes all ratings of a ladder anew; returns how many steps there are."""
    fold = RatingFold()
    steps = list(folded(connection, ladder, fold))
    connection.execute(sa.delete(RATING_STEP).where(RATING_STEP.c.ladder == ladder))
    if steps:
        connection.execute(sa.insert(RATING_STEP), steps)
    changes = {
        entry: {"mu": rating.mu, "sigma": rating.sigma, "games": rating.games, "pairs": fold.pairs.get(entry, 0)}
        for entry, rating in fold.now.items()
    }
    change_entries(connection, ladder, changes)
    return len(steps)
