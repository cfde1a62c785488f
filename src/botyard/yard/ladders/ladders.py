"""Ladders: a game with settings on which bots play each other by themselves. They are opened as the yard's file says.

All chance of a ladder follows from its root, 32 secret bytes. Their hash is shown from the start of a season, they
themselves when the season has ended and its last pair is closed.
"""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import sqlalchemy as sa

from botyard.contest.roots import fresh_root, root_hash
from botyard.games import load
from botyard.rank.ladder import LadderPolicy
from botyard.rank.ratings import START_MU, START_SIGMA
from botyard.yard.data.database import insert_new, inserted_id
from botyard.yard.data.events import note_event
from botyard.yard.data.ladder_tables import MILESTONE, SEASON
from botyard.yard.data.statements import rows_by
from botyard.yard.data.tables import ACTIVE, ENTRY, LADDER
from botyard.yard.ladders.plans import CheckedLadder
from botyard.yard.refusals import NotThere

OPEN, FROZEN, FINAL, CLOSED = "open", "frozen", "final", "closed"
STREAM_BITS = 64


@dataclass(frozen=True, slots=True)
class Ladder:
    """A ladder as everybody may know it: without its root."""

    id: int
    slug: str
    game: str
    title: str
    settings: dict[str, Any]
    policy: LadderPolicy
    root_hash: str
    season: int
    rules: int
    predictable: bool
    recorded: int  # pairs that were closed
    state: str
    deadline_ms: int | None
    changes: int  # grows whenever one of its entries changes

    @classmethod
    def of(cls, row: sa.Row[Any]) -> Ladder:
        return cls(
            row.id, row.slug, row.game, row.title, json.loads(row.settings), policy_in(row.policy), row.root_hash,
            row.season, row.rules, bool(row.predictable), row.recorded, row.state, row.deadline_ms,
            row.changes,
        )  # fmt: skip


@lru_cache
def policy_in(text: str) -> LadderPolicy:
    return LadderPolicy(**json.loads(text))


LADDERS = sa.select(LADDER).order_by(LADDER.c.id)


def all_ladders(connection: sa.Connection) -> list[Ladder]:
    """Returns every ladder, those that are closed at the end."""
    rows = connection.execute(LADDERS)
    return sorted(map(Ladder.of, rows), key=lambda ladder: ladder.state == CLOSED)


def ladder_named(connection: sa.Connection, slug: str) -> Ladder:
    rows = rows_by(connection, LADDER, {"slug": slug})
    if not rows:
        raise NotThere(f"there is no ladder {slug!r}", hint="/ladders lists all of them")
    return Ladder.of(rows[0])


def ladder_of(connection: sa.Connection, ladder: int) -> Ladder:
    [row] = rows_by(connection, LADDER, {"id": ladder})
    return Ladder.of(row)


def lock_ladder(connection: sa.Connection, ladder: int) -> Ladder:
    """Returns a ladder whose entries and pairs nobody else changes until this transaction ends."""
    return Ladder.of(locked_row(connection, ladder))


def locked_row(connection: sa.Connection, ladder: int) -> sa.Row[Any]:
    """The same as its row, with what is secret of it."""
    [row] = rows_by(connection, LADDER, {"id": ladder}, lock=True)
    return row


def open_ladder(connection: sa.Connection, ladder: CheckedLadder, now_ms: int) -> int:
    """Opens a new ladder, with the house bots as its first entries."""
    root = fresh_root()
    new = {"root": root.hex(), "root_hash": root_hash(root), "stream": str(secrets.randbits(STREAM_BITS))}
    row = {**ladder.row, **new, "slug": ladder.slug, "season": 1, "state": OPEN, "made_ms": now_ms}
    number = inserted_id(connection, LADDER, **row)
    note_season(connection, number, 1, row, now_ms)
    add_house_bots(connection, number, ladder.game, now_ms)
    note_event(connection, now_ms, "ladder.opened", f"ladder/{ladder.slug}", public=True, title=ladder.title)
    return number


def note_season(connection: sa.Connection, ladder: int, season: int, row: dict[str, Any], now_ms: int) -> None:
    kept = {key: row[key] for key in ("rules", "settings", "root", "root_hash")}
    connection.execute(sa.insert(SEASON).values(ladder=ladder, number=season, opened_ms=now_ms, **kept))


def add_house_bots(connection: sa.Connection, ladder: int, game: str, now_ms: int) -> None:
    """Enters the house bots of the game that are not there yet."""
    for name in load(game).bots.HOUSE_BOTS:
        row = {"ladder": ladder, "house": name, "state": ACTIVE, "mu": START_MU, "sigma": START_SIGMA}
        if insert_new(connection, ENTRY, {**row, "asked_ms": now_ms, "since_ms": now_ms, "made_ms": now_ms}):
            entry = connection.execute(
                sa.select(ENTRY.c.id).where(ENTRY.c.ladder == ladder, ENTRY.c.house == name)
            ).scalar_one()
            note_milestone(connection, ladder, "activated", now_ms, entry=entry)


def note_milestone(connection: sa.Connection, ladder: int, kind: str, now_ms: int, **about: Any) -> None:
    """Notes what changes ratings at this place in the order of closed pairs."""
    after = sa.select(LADDER.c.recorded).where(LADDER.c.id == ladder).scalar_subquery()
    connection.execute(sa.insert(MILESTONE).values(ladder=ladder, after=after, kind=kind, at_ms=now_ms, **about))
