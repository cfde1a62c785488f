"""Verifies ratings: all steps of a ladder are taken again from the beginning, and give the same numbers bit for bit."""

from __future__ import annotations

from collections import Counter
from typing import Any

import sqlalchemy as sa

from botyard.rank.ladder import RatingFold
from botyard.yard.data.tables import ENTRY, LADDER, RATING_STEP
from botyard.yard.keeping.backup import Counting
from botyard.yard.keeping.findings import Findings
from botyard.yard.ladders.kept_ratings import kept_ratings
from botyard.yard.ladders.rating import folded, kept_in

Step = dict[str, Any]


def verify_ratings(connection: sa.Connection, found: Findings, counting: Counting) -> None:
    """Every step of a rating, every entry at the end, and what is kept for earlier versions follow from the results."""
    total = connection.execute(sa.select(sa.func.count()).select_from(RATING_STEP)).scalar_one()
    with counting("ratings", total) as advance:
        for ladder in connection.execute(sa.select(LADDER.c.id, LADDER.c.slug)).all():
            fold, of_version = RatingFold(), Counter[tuple[int, int | None]]()
            kept = steps_of(connection, ladder.id)
            for step in folded(connection, ladder.id, fold):
                compare(kept.pop((step["number"], step["entry"]), None), step, ladder.slug, found)
                of_version[step["entry"], step["version"]] += 1
                advance()
            for number, entry in kept:
                told = f"entry {entry} has a step of pair {number}, which it did not play"
                found.note("ratings", f"ladder/{ladder.slug}", told)
            verify_entries(connection, ladder.id, fold, of_version, found)
            verify_kept(connection, ladder.id, fold, found)


def steps_of(connection: sa.Connection, ladder: int) -> dict[tuple[int, int], Step]:
    rows = connection.execute(sa.select(RATING_STEP).where(RATING_STEP.c.ladder == ladder))
    return {(row.number, row.entry): dict(row._mapping) for row in rows}


def compare(kept: Step | None, due: Step, slug: str, found: Findings) -> None:
    found.count("steps of ratings")
    if kept != due:
        where = f"ladder/{slug}"
        found.note("ratings", where, f"the step {kept} of entry {due['entry']}; its games give {due}")


def verify_entries(
    connection: sa.Connection,
    ladder: int,
    fold: RatingFold,
    of_version: Counter[tuple[int, int | None]],
    found: Findings,
) -> None:
    for row in connection.execute(sa.select(ENTRY).where(ENTRY.c.ladder == ladder)):
        rating = fold.now.get(str(row.id))
        if rating is None or (row.mu, row.sigma, row.games) != (rating.mu, rating.sigma, rating.games):
            told = f"it has {row.mu!r} ± {row.sigma!r} after {row.games} games, its games give {rating}"
            found.note("ratings", f"entry/{row.id}", told)
        pairs = sum(number for (entry, _), number in of_version.items() if entry == row.id)
        closed = (pairs, of_version[row.id, row.version])
        if (row.pairs, row.version_pairs) != closed:
            told = f"it has {row.pairs} pairs, {row.version_pairs} of its version; {closed[0]}, {closed[1]} were closed"
            found.note("tallies", f"entry/{row.id}", told)


def verify_kept(connection: sa.Connection, ladder: int, fold: RatingFold, found: Findings) -> None:
    due = {version: (rating.mu, rating.sigma) for version, rating in kept_in(fold).items()}
    kept = {version: (rating.mu, rating.sigma) for version, rating in kept_ratings(connection, ladder).items()}
    for entry, version in sorted(due.keys() | kept.keys()):
        told, follows = kept.get((entry, version)), due.get((entry, version))
        if told != follows:
            found.note("ratings", f"entry/{entry}", f"{told} is kept for version {version}, its games give {follows}")
