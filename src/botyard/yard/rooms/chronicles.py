"""What was written down of rounds in rooms: kept, listed, and read again for boards of the past."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from botyard.match.chronicle import Chronicle, LoggedBoard, Stint, Timetable, boards_of
from botyard.match.replay import Replay
from botyard.yard.data.blobs import Blobs
from botyard.yard.data.database import inserted_id
from botyard.yard.data.events import note_event
from botyard.yard.data.room_tables import CHRONICLE, MEMBER, ROOM, STINT
from botyard.yard.data.statements import insert_rows
from botyard.yard.data.tables import BLOB
from botyard.yard.ladders.plans import settings_values
from botyard.yard.refusals import NotThere

MOST_BOARDS = 100  # that are told at a time
READ_FOR_BOARDS = 3  # chronicles, the latest of a player: older boards are in older answers


@dataclass(frozen=True, slots=True)
class EndedField:
    """A chronicle that is to be kept, and the room that it belongs to."""

    room: int
    chronicle: Chronicle


@dataclass(frozen=True, slots=True)
class ShownChronicle:
    """A chronicle as lists show it."""

    id: int
    room: int
    slug: str
    title: str
    game: str
    replay: str
    settings: dict[str, Any]
    rules: int
    ticks: int
    beats: int
    begun_ms: int
    ended_ms: int
    size: int
    pruned_ms: int | None
    players: tuple[str, ...]


def keep_chronicle(connection: sa.Connection, blobs: Blobs, ended: EndedField, content: bytes, kept: int) -> int | None:
    """Keeps a chronicle as the room's latest; returns its number. The oldest ones beyond `kept` go."""
    told, users = ended.chronicle, {stint.user for stint in ended.chronicle.stints}
    chosen = sa.select(MEMBER.c.user, MEMBER.c.id).where(MEMBER.c.room == ended.room, MEMBER.c.user.in_(users))
    members = {row.user: row.id for row in connection.execute(chosen)}
    stints = [stint for stint in told.stints if stint.user in members and stint.end is not None]
    if not stints or kept < 1:
        return None
    row = {
        "room": ended.room,
        "replay": blobs.keep(connection, content, told.ended_ms),
        "settings": json.dumps(settings_values(told.settings), sort_keys=True),
        "rules": told.replay.rules,
        "ticks": len(told.replay.ticks),
        "beats": told.beats,
        "begun_ms": told.begun_ms,
        "ended_ms": told.ended_ms,
    }
    number = inserted_id(connection, CHRONICLE, **row)
    insert_rows(
        connection,
        STINT,
        [
            {"chronicle": number, "member": members[stint.user], "since": stint.begin, "until": stint.end,
             "seat": stint.seat}
            for stint in stints
        ],
    )  # fmt: skip
    drop_beyond(connection, ended.room, kept)
    slug = connection.execute(sa.select(ROOM.c.slug).where(ROOM.c.id == ended.room)).scalar_one()
    note_event(connection, told.ended_ms, "round.kept", f"room/{slug}", public=True, number=number)
    return number


def drop_beyond(connection: sa.Connection, room: int, kept: int) -> None:
    """Forgets all but the latest chronicles of a room; their blobs are swept when nothing else names them."""
    newest = sa.select(CHRONICLE.c.id).where(CHRONICLE.c.room == room).order_by(CHRONICLE.c.id.desc())
    last = connection.execute(newest.offset(kept - 1).limit(1)).scalar_one_or_none()
    if last is not None:
        gone = sa.select(CHRONICLE.c.id).where(CHRONICLE.c.room == room, CHRONICLE.c.id < last)
        connection.execute(sa.delete(STINT).where(STINT.c.chronicle.in_(gone)))
        connection.execute(sa.delete(CHRONICLE).where(CHRONICLE.c.room == room, CHRONICLE.c.id < last))


# Looking

LISTED = (
    sa.select(CHRONICLE, ROOM.c.slug, ROOM.c.title, ROOM.c.game, BLOB.c.size, BLOB.c.pruned_ms)
    .join(ROOM, CHRONICLE.c.room == ROOM.c.id)
    .join(BLOB, CHRONICLE.c.replay == BLOB.c.digest)
)


def chronicles_of(
    connection: sa.Connection, room: int, *, before: int | None = None, limit: int = 20
) -> list[ShownChronicle]:
    """Returns what was written down of a room, the latest first."""
    chosen = LISTED.where(CHRONICLE.c.room == room).order_by(CHRONICLE.c.id.desc()).limit(limit)
    if before is not None:
        chosen = chosen.where(CHRONICLE.c.id < before)
    return shown(connection, list(connection.execute(chosen)))


def chronicle_numbered(connection: sa.Connection, slug: str, number: int) -> ShownChronicle:
    rows = list(connection.execute(LISTED.where(CHRONICLE.c.id == number, ROOM.c.slug == slug)))
    if not rows:
        raise NotThere(f"nothing is kept of round {number} in this room", hint="the oldest ones are dropped")
    return shown(connection, rows)[0]


def shown(connection: sa.Connection, rows: list[sa.Row[Any]]) -> list[ShownChronicle]:
    seats = sa.select(STINT.c.chronicle, MEMBER.c.name).join(MEMBER, STINT.c.member == MEMBER.c.id)
    seats = seats.where(STINT.c.chronicle.in_([row.id for row in rows])).order_by(STINT.c.since, STINT.c.seat)
    players: dict[int, dict[str, None]] = {}
    for chronicle, name in connection.execute(seats):
        players.setdefault(chronicle, {})[name] = None
    return [
        ShownChronicle(
            **{**row._asdict(), "settings": json.loads(row.settings)}, players=tuple(players.get(row.id, ()))
        )
        for row in rows
    ]


def names_in(connection: sa.Connection, chronicle: int) -> dict[int, str]:
    """Returns by seat the name of who sat there longest."""
    lasted = (STINT.c.until - STINT.c.since).label("lasted")
    seats = sa.select(STINT.c.seat, MEMBER.c.name).join(MEMBER, STINT.c.member == MEMBER.c.id)
    rows = connection.execute(seats.where(STINT.c.chronicle == chronicle).order_by(lasted, STINT.c.since))
    return {row.seat: row.name for row in rows}


# Boards of the past


@dataclass(frozen=True, slots=True)
class PlayedStint:
    """Where boards of a player can be found."""

    replay: str
    settings: dict[str, Any]
    times: Timetable
    stint: Stint


def stints_before(connection: sa.Connection, user: str, until_ms: int) -> list[PlayedStint]:
    """Returns the latest stints of a player that began before a time, the latest first."""
    chosen = sa.select(CHRONICLE, STINT, MEMBER.c.name).join(STINT, STINT.c.chronicle == CHRONICLE.c.id)
    chosen = chosen.join(MEMBER, STINT.c.member == MEMBER.c.id).join(BLOB, CHRONICLE.c.replay == BLOB.c.digest)
    chosen = chosen.where(MEMBER.c.user == user, CHRONICLE.c.begun_ms <= until_ms, BLOB.c.pruned_ms.is_(None))
    newest = chosen.order_by(CHRONICLE.c.ended_ms.desc(), STINT.c.since.desc()).limit(READ_FOR_BOARDS)
    return [
        PlayedStint(
            row.replay,
            json.loads(row.settings),
            Timetable(row.begun_ms, row.ended_ms, row.beats),
            Stint(user, row.name, row.seat, row.since, row.until),
        )
        for row in connection.execute(newest)
    ]


def boards_before(
    connection: sa.Connection, blobs: Blobs, user: str, until_ms: int, most: int = MOST_BOARDS
) -> list[LoggedBoard]:
    """Returns the last boards of a player up to a time, the oldest first, out of what was kept."""
    found: list[LoggedBoard] = []
    for played in stints_before(connection, user, until_ms):
        if len(found) >= most:
            break
        replay = Replay.from_bytes(blobs.read(connection, played.replay), "what was written down")
        beside = {name: value for name, value in played.settings.items() if name not in replay.settings}
        found = boards_of(replay, played.stint, played.times, beside, until_ms, most - len(found)) + found
    return found
