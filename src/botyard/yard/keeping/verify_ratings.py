"""Verifies ratings: all steps of a ladder are taken again from the beginning, and give the same numbers bit for bit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import sqlalchemy as sa

from botyard.rank.ladder import activated, doubted, rated_pair
from botyard.rank.ratings import Rating
from botyard.yard.data.ladder_tables import MILESTONE
from botyard.yard.data.tables import ENTRY, LADDER, PAIR, RATING_STEP
from botyard.yard.keeping.backup import Counting
from botyard.yard.keeping.findings import Findings
from botyard.yard.ladders.closing import games_of_pair

Row = sa.Row[Any]


class RatedAgain:
    """The ratings of a ladder as they follow from its pairs, versions and seasons, one after another."""

    def __init__(self) -> None:
        self.now: dict[int, Rating] = {}
        self.active: dict[int, int | None] = {}
        self.kept: dict[tuple[int, int | None], Rating] = {}  # with which earlier versions were left
        self.pairs: Counter[int] = Counter()
        self.version_pairs: Counter[tuple[int, int | None]] = Counter()

    def pass_milestone(self, row: Row) -> None:
        if row.kind == "season":
            self.now = {entry: doubted(rating) for entry, rating in self.now.items()}
            self.kept = {version: doubted(rating) for version, rating in self.kept.items()}
        elif row.entry not in self.now:
            self.now[row.entry], self.active[row.entry] = Rating(), row.version
        elif row.version != self.active[row.entry]:
            self.kept[row.entry, self.active[row.entry]] = self.now[row.entry]
            self.now[row.entry] = activated(self.now[row.entry], self.kept.get((row.entry, row.version)))
            self.active[row.entry] = row.version

    def close_pair(self, connection: sa.Connection, pair: int) -> dict[int, tuple[int | None, Rating]]:
        """Counts a pair; returns the version and the new rating of everybody who played."""
        games = games_of_pair(connection, pair)
        played = {seat.entry: seat.version for seat in games[0].seats}
        after = rated_pair({str(entry): self.now[entry] for entry in played}, [game.by_entry for game in games])
        for entry, version in played.items():
            self.now[entry] = after[str(entry)]
            self.pairs[entry] += 1
            self.version_pairs[entry, version] += 1
        return {entry: (version, self.now[entry]) for entry, version in played.items()}


def verify_ratings(connection: sa.Connection, found: Findings, counting: Counting) -> None:
    """Every step of a rating, and every entry at the end, has the numbers that follow from the results."""
    ladders = connection.execute(sa.select(LADDER.c.id, LADDER.c.slug, LADDER.c.recorded)).all()
    with counting("ratings", sum(ladder.recorded for ladder in ladders)) as advance:
        for ladder in ladders:
            again = RatedAgain()
            milestones = sa.select(MILESTONE).where(MILESTONE.c.ladder == ladder.id)
            passed = list(connection.execute(milestones.order_by(MILESTONE.c.after, MILESTONE.c.id)))
            closed = sa.select(PAIR.c.id, PAIR.c.number).where(PAIR.c.ladder == ladder.id, PAIR.c.number.is_not(None))
            steps = steps_of(connection, ladder.id)
            for pair in connection.execute(closed.order_by(PAIR.c.number)).all():
                while passed and passed[0].after < pair.number:
                    again.pass_milestone(passed.pop(0))
                due = again.close_pair(connection, pair.id)
                compare_steps(due, steps.pop(pair.number, {}), f"{ladder.slug}, pair {pair.number}", found)
                advance()
            for milestone in passed:
                again.pass_milestone(milestone)
            for number in steps:
                found.note("ratings", f"{ladder.slug}, pair {number}", "there are steps of a pair that was not closed")
            compare_entries(again, connection.execute(sa.select(ENTRY).where(ENTRY.c.ladder == ladder.id)), found)


def steps_of(connection: sa.Connection, ladder: int) -> dict[int, dict[int, Row]]:
    found: dict[int, dict[int, Row]] = {}
    for row in connection.execute(sa.select(RATING_STEP).where(RATING_STEP.c.ladder == ladder)):
        found.setdefault(row.number, {})[row.entry] = row
    return found


def compare_steps(
    due: dict[int, tuple[int | None, Rating]], steps: dict[int, Row], where: str, found: Findings
) -> None:
    found.count("steps of ratings", len(due))
    kept = {entry: (row.version, Rating(row.mu, row.sigma, row.games)) for entry, row in steps.items()}
    for entry in sorted(due.keys() | kept.keys()):
        if due.get(entry) != kept.get(entry):
            found.note("ratings", where, f"entry {entry} has {kept.get(entry)}, its games give {due.get(entry)}")


def compare_entries(again: RatedAgain, entries: Iterable[Row], found: Findings) -> None:
    for row in entries:
        rating = again.now.get(row.id)
        if rating is None or (row.mu, row.sigma, row.games) != (rating.mu, rating.sigma, rating.games):
            told = f"it has {row.mu!r} ± {row.sigma!r} after {row.games} games, its games give {rating}"
            found.note("ratings", f"entry/{row.id}", told)
        pairs = (again.pairs[row.id], again.version_pairs[row.id, row.version])
        if (row.pairs, row.version_pairs) != pairs:
            told = (
                f"it has {row.pairs} pairs, {row.version_pairs} of its version; {pairs[0]} and {pairs[1]} were closed"
            )
            found.note("tallies", f"entry/{row.id}", told)
