"""Seasons of a ladder. A new version of the rules, or other settings, open one: ratings stay but are doubted, the root
of the old season is shown once its last pair is closed, and replays of it are not played again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from botyard.contest.roots import fresh_root, root_hash
from botyard.rank.ladder import doubted
from botyard.yard.data.events import note_event
from botyard.yard.data.ladder_tables import SEASON
from botyard.yard.data.tables import ASKED, BEGUN, ENTRY, LADDER, PAIR
from botyard.yard.ladders.closing import void_pair
from botyard.yard.ladders.kept_ratings import doubt_kept
from botyard.yard.ladders.ladders import lock_ladder, note_milestone, note_season
from botyard.yard.ladders.pairs import cancel_pairs
from botyard.yard.ladders.rows import ENTRIES, change_entries, ladder_entry


@dataclass(frozen=True, slots=True)
class Season:
    """A season as everybody may know it."""

    number: int
    rules: int
    root_hash: str
    root: str  # empty while it is secret
    opened_ms: int
    ended_ms: int | None


def open_season(connection: sa.Connection, ladder: int, changed: dict[str, Any], reason: str, now_ms: int) -> int:
    """Ends the season of a ladder and opens the next one with what has changed of its row; returns its number."""
    before = lock_ladder(connection, ladder)
    end_pairs(connection, ladder, f"a new season was opened: {reason}", now_ms)
    end_season(connection, ladder, before.season, now_ms)
    root, season = fresh_root(), before.season + 1
    values = {**changed, "root": root.hex(), "root_hash": root_hash(root), "season": season}
    row = connection.execute(sa.update(LADDER).where(LADDER.c.id == ladder).values(**values).returning(LADDER)).one()
    note_season(connection, ladder, season, dict(row._mapping), now_ms)
    note_milestone(connection, ladder, "season", now_ms)
    ratings = {}
    for entry in connection.execute(ENTRIES.where(ENTRY.c.ladder == ladder)):
        rating = doubted(ladder_entry(entry).rating)
        ratings[entry.id] = {"mu": rating.mu, "sigma": rating.sigma}
    change_entries(connection, ladder, ratings)
    doubt_kept(connection, ladder)
    note_event(connection, now_ms, "season.opened", f"ladder/{before.slug}", public=True, season=season, reason=reason)
    return season


def end_season(connection: sa.Connection, ladder: int, season: int, now_ms: int) -> None:
    ended = sa.update(SEASON).where(SEASON.c.ladder == ladder, SEASON.c.number == season)
    connection.execute(ended.values(ended_ms=now_ms))


def end_pairs(connection: sa.Connection, ladder: int, reason: str, now_ms: int) -> None:
    """Cancels what has not begun and voids what has: its other half could only be played by other rules."""
    chosen = sa.select(PAIR.c.id).where(PAIR.c.ladder == ladder).order_by(PAIR.c.id)
    cancel_pairs(connection, list(connection.execute(chosen.where(PAIR.c.state == ASKED)).scalars()), reason, now_ms)
    for pair in connection.execute(chosen.where(PAIR.c.state == BEGUN)).scalars().all():
        void_pair(connection, pair, reason, now_ms)


def seasons_of(connection: sa.Connection, ladder: int) -> list[Season]:
    """Returns the seasons of a ladder, the newest first; the root of one that has ended and has no pair open."""
    pending = sa.exists().where(
        PAIR.c.ladder == SEASON.c.ladder, PAIR.c.season == SEASON.c.number, PAIR.c.state.in_((ASKED, BEGUN))
    )
    rows = connection.execute(
        sa.select(SEASON, pending.label("pending")).where(SEASON.c.ladder == ladder).order_by(SEASON.c.number.desc())
    )
    return [
        Season(
            row.number, row.rules, row.root_hash, "" if row.pending or row.ended_ms is None else row.root,
            row.opened_ms, row.ended_ms,
        )
        for row in rows
    ]  # fmt: skip
