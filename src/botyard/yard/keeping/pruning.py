"""Prunes what matches of long ago have left: turn logs and films first, then replays of rounds in rooms and of unrated
matches, at last of rated ones. The rows keep hash and size, so that nothing that was recorded changes.

The last 200 matches of every entry that plays stay whole, and so does what something else still names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import sqlalchemy as sa

from botyard.yard.data.blobs import Blobs, naming_columns, naming_stopped, remove_files
from botyard.yard.data.database import Database
from botyard.yard.data.events import note_event
from botyard.yard.data.room_tables import CHRONICLE
from botyard.yard.data.tables import BLOB, ENTRY, MATCH, PAIR, RETIRED, SEAT
from botyard.yard.keeping.sweeping import batches

MATCHES_KEPT = 200  # of every entry that plays

TURNS, FILMS, ROUNDS, UNRATED, RATED = STAGES = (
    "turn logs", "films", "replays of rounds in rooms", "replays of unrated matches", "replays of rated matches",
)  # fmt: skip
"""In the order in which they are pruned."""

COLUMNS = {
    TURNS: MATCH.c.turns,
    FILMS: MATCH.c.film,
    ROUNDS: CHRONICLE.c.replay,
    UNRATED: MATCH.c.replay,
    RATED: MATCH.c.replay,
}


@dataclass(slots=True)
class Pruned:
    """How much was pruned."""

    bytes: int = 0
    blobs: dict[str, int] = field(default_factory=lambda: dict.fromkeys(STAGES, 0))


def prune(
    database: Database,
    blobs: Blobs,
    keep_ms: int,
    now_ms: int,
    *,
    enough: int | None = None,
    told: Callable[[str, Pruned], None] | None = None,
) -> Pruned:
    """Prunes matches that were done longer than `keep_ms` ago, until `enough` bytes are free. It may run beside a
    server; if it is ended, it goes on where it was the next time."""
    with database.reading() as connection:
        old = old_matches(connection, now_ms - keep_ms)
        rounds = old_rounds(connection, now_ms - keep_ms)
    pruned = Pruned()
    for stage in STAGES:
        matches = rounds if stage == ROUNDS else old
        chosen = [
            match for match, rated in matches.items() if stage not in (UNRATED, RATED) or rated == (stage == RATED)
        ]
        for batch in batches(chosen):
            if enough is not None and pruned.bytes >= enough:
                break
            sizes = mark_pruned(database, stage, batch, matches, now_ms)
            remove_pruned(database, blobs, list(sizes))
            pruned.bytes += sum(sizes.values())
            pruned.blobs[stage] += len(sizes)
            if told is not None:
                told(stage, pruned)
    if pruned.bytes:
        with database.writing() as connection:
            note_event(connection, now_ms, "yard.pruned", "yard", bytes=pruned.bytes, blobs=pruned.blobs)
    return pruned


def old_matches(connection: sa.Connection, before_ms: int) -> dict[int, bool]:
    """Returns the matches that may be pruned, the oldest first, and whether each was rated."""
    old = sa.select(MATCH.c.id, PAIR.c.rated).join(PAIR, MATCH.c.pair == PAIR.c.id)
    old = old.where(MATCH.c.done_ms < before_ms).order_by(MATCH.c.done_ms, MATCH.c.id)
    kept = set(last_matches(connection))
    return {row.id: bool(row.rated) for row in connection.execute(old) if row.id not in kept}


def old_rounds(connection: sa.Connection, before_ms: int) -> dict[int, bool]:
    """Returns the rounds in rooms that may be pruned, the oldest first; none of them is rated."""
    old = sa.select(CHRONICLE.c.id).where(CHRONICLE.c.ended_ms < before_ms).order_by(CHRONICLE.c.ended_ms)
    return dict.fromkeys(connection.scalars(old), False)


def last_matches(connection: sa.Connection) -> Iterator[int]:
    """Yields the last matches of every entry that is not retired."""
    for entry in connection.scalars(sa.select(ENTRY.c.id).where(ENTRY.c.state != RETIRED)).all():
        last = sa.select(MATCH.c.id).join(SEAT, SEAT.c.match == MATCH.c.id).where(SEAT.c.entry == entry)
        newest = last.where(MATCH.c.done_ms.is_not(None)).order_by(MATCH.c.done_ms.desc(), MATCH.c.id.desc())
        yield from connection.scalars(newest.limit(MATCHES_KEPT))


def mark_pruned(
    database: Database, stage: str, batch: Sequence[int], matches: dict[int, bool], now_ms: int
) -> dict[str, int]:
    """Notes in one transaction that the blobs of these matches are gone; returns their sizes by digest."""
    column = COLUMNS[stage]
    with naming_stopped(database) as connection:
        there = sa.select(BLOB.c.digest, BLOB.c.size).join(column.table, column == BLOB.c.digest)
        there = there.where(column.table.c.id.in_(batch), BLOB.c.pruned_ms.is_(None))
        sizes = {row.digest: row.size for row in connection.execute(there)}
        for digest in still_needed(connection, stage, list(sizes), matches):
            del sizes[digest]
        marked = sa.update(BLOB).where(BLOB.c.digest.in_(list(sizes)))
        connection.execute(marked.values(content=None, pruned_ms=now_ms))
    return sizes


def still_needed(connection: sa.Connection, stage: str, digests: list[str], matches: dict[int, bool]) -> set[str]:
    """Returns those digests that something names besides the matches whose turn it is."""
    needed: set[str] = set()
    for column in naming_columns():
        named = sa.select(column, column.table.c.id).where(column.in_(digests))
        for digest, row in connection.execute(named):
            in_turn = column is COLUMNS[stage] and row in matches
            if not in_turn or (stage == UNRATED and matches[row]):
                needed.add(digest)
    return needed


def remove_pruned(database: Database, blobs: Blobs, digests: list[str]) -> None:
    """Removes the files of blobs, unless they were kept again since."""
    with naming_stopped(database) as connection:
        gone = sa.select(BLOB.c.digest).where(BLOB.c.digest.in_(digests), BLOB.c.pruned_ms.is_not(None))
        remove_files(blobs, connection.scalars(gone).all())
