"""Verifies rooms: points are the sum of their days, and what was written down of rounds leads to where it says."""

from __future__ import annotations

import json
from typing import Any

import sqlalchemy as sa

from botyard.games import load
from botyard.kernel.errors import OurFault, YardError
from botyard.match.replay import Replay, final_hash
from botyard.yard.data.blobs import Blobs
from botyard.yard.data.room_tables import CHRONICLE, MEMBER, MEMBER_DAY, ROOM, STINT
from botyard.yard.data.tables import BLOB
from botyard.yard.keeping.backup import Counting
from botyard.yard.keeping.findings import Findings

KEPT = sa.select(CHRONICLE, ROOM.c.game, BLOB.c.pruned_ms).join(ROOM, CHRONICLE.c.room == ROOM.c.id)
KEPT = KEPT.join(BLOB, CHRONICLE.c.replay == BLOB.c.digest).order_by(CHRONICLE.c.id)

Row = sa.Row[Any]


def verify_members(connection: sa.Connection, found: Findings) -> None:
    """Everybody's points are those of all their days together."""
    days = sa.select(MEMBER_DAY.c.member, sa.func.sum(MEMBER_DAY.c.points).label("points"))
    sums = {row.member: int(row.points) for row in connection.execute(days.group_by(MEMBER_DAY.c.member))}
    for row in connection.execute(sa.select(MEMBER.c.id, MEMBER.c.points).order_by(MEMBER.c.id)):
        found.count("members of rooms")
        if sums.get(row.id, 0) != row.points:
            told = f"it has {row.points} points, its days have {sums.get(row.id, 0)}"
            found.note("rooms", f"member/{row.id}", told)


def verify_rounds(connection: sa.Connection, blobs: Blobs, found: Findings, counting: Counting) -> None:
    """What was written down of rounds can be played again, and those who sat there sat there while it was played."""
    rows = connection.execute(KEPT).all()
    with counting("rounds of rooms", len(rows)) as advance:
        for row in rows:
            found.count("rounds of rooms")
            for trouble in [*stint_troubles(connection, row), *replay_troubles(connection, blobs, row)]:
                found.note("rounds", f"chronicle/{row.id}", trouble)
            advance()


def stint_troubles(connection: sa.Connection, row: Row) -> list[str]:
    outside = (STINT.c.since < 1) | (STINT.c.until < STINT.c.since) | (STINT.c.until > row.ticks)
    there = sa.select(sa.func.count()).select_from(STINT).where(STINT.c.chronicle == row.id)
    if not connection.execute(there).scalar_one():
        return ["nobody played in it"]
    return (
        ["somebody sat there when it was not played"] if connection.execute(there.where(outside)).scalar_one() else []
    )


def replay_troubles(connection: sa.Connection, blobs: Blobs, row: Row) -> list[str]:
    if row.pruned_ms is not None or row.rules != load(row.game).facts.rules_version:
        return []
    try:
        replay = Replay.from_bytes(blobs.read(connection, row.replay), "its replay")
        settings = json.loads(row.settings)
        if replay.game != row.game or replay.settings != {name: settings.get(name) for name in replay.settings}:
            return ["its replay is of another game, or has other settings"]
        beats = sum(isinstance(entries[0], list) for entries in replay.ticks)
        if (len(replay.ticks), beats) != (row.ticks, row.beats):
            return [f"it has {row.ticks} ticks, {row.beats} with orders; its replay has {len(replay.ticks)}, {beats}"]
        return [] if final_hash(replay.retold()) == replay.final else ["its replay does not lead to its end"]
    except OurFault:
        return []  # the blob is missing or altered, which is told where blobs are verified
    except YardError as error:
        return [str(error)]
