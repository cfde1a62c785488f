"""Rooms as pages and the API show them: what their rows say, and what goes on in them now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from botyard.games import load
from botyard.kernel.settings import fields_by_name
from botyard.match.room import Room
from botyard.match.room_field import RoomField
from botyard.yard.data.room_tables import MEMBER
from botyard.yard.rooms.caretaker import Caretaker
from botyard.yard.rooms.rooms import RoomRow, all_rooms


@dataclass(frozen=True, slots=True)
class ShownRoom:
    """A room, and how it is there."""

    row: RoomRow
    members: int
    playing: int  # of them, those on a field
    connected: int  # of them, those for whom somebody listens
    fields: int
    tick_ms: int  # 0: it does not tick
    trouble: str  # why it does not tick although it is open


@dataclass(frozen=True, slots=True)
class ShownSeat:
    seat: int
    user: str
    name: str
    points: int


@dataclass(frozen=True, slots=True)
class ShownField:
    """A field that is being played on."""

    number: int
    headline: str
    seats: tuple[ShownSeat, ...]


def shown_room(row: RoomRow, members: int, caretaker: Caretaker) -> ShownRoom:
    live = caretaker.live(row.id)
    trouble = "" if live or not row.is_open else caretaker.troubles.get(row.id, "the server has not opened it yet")
    if live is None:
        return ShownRoom(row, members, 0, 0, 0, 0, trouble)
    there = live.room.members
    return ShownRoom(
        row,
        members,
        sum(member.field is not None for member in there),
        sum(bool(member.listeners) for member in there),
        len(live.room.fields),
        live.room.tick_ms,
        "",
    )


def shown_rooms(connection: sa.Connection, caretaker: Caretaker) -> list[ShownRoom]:
    """Returns all rooms, those that are open first."""
    counted = sa.select(MEMBER.c.room, sa.func.count().label("members")).where(MEMBER.c.removed_ms.is_(None))
    members = {row.room: row.members for row in connection.execute(counted.group_by(MEMBER.c.room))}
    return [shown_room(row, members.get(row.id, 0), caretaker) for row in all_rooms(connection)]


def open_rooms(connection: sa.Connection, caretaker: Caretaker) -> list[ShownRoom]:
    """Returns the rooms that are open, those with most on their fields first."""
    found = [room for room in shown_rooms(connection, caretaker) if room.row.is_open]
    return sorted(found, key=lambda room: -room.playing)


def shown_fields(caretaker: Caretaker, room: int) -> list[ShownField]:
    """Returns the fields of a room, the longest played first."""
    live = caretaker.live(room)
    return [shown_field(field) for field in live.room.fields] if live else []


def shown_field(field: RoomField) -> ShownField:
    seats = (ShownSeat(seat, one.user, one.name, one.points) for seat, one in sorted(field.members.items()))
    return ShownField(field.number, field.headline, tuple(sorted(seats, key=lambda one: -one.points)))


def field_numbered(room: Room, number: int) -> RoomField | None:
    return next((field for field in room.fields if field.number == number), None)


@dataclass(frozen=True, slots=True)
class ShownSetting:
    """A setting of a room, as its game explains it."""

    key: str
    name: str  # that players know
    kind: str
    value: str
    usual: str
    meaning: str
    choices: tuple[str, ...]
    coming: bool  # whether fields still play by another value


def settings_shown(row: RoomRow, caretaker: Caretaker) -> list[ShownSetting]:
    """Returns the settings of a room; those that hold only from the next round on are marked."""
    book = load(row.game)
    settings = book.settings.read(row.settings)
    rows, live = fields_by_name(type(settings)), caretaker.live(row.id)
    fields = live.room.fields if live else []
    old = [field.game.settings for field in fields if live and field.game.settings is not live.room.settings]
    return [
        ShownSetting(
            told["key"], told["name"], told["type"], told["value"], told["default"],
            rows[told["key"]].metadata["meaning"], tuple(rows[told["key"]].metadata["choices"] or ()),
            any(getattr(one, told["key"]) != getattr(settings, told["key"]) for one in old),
        )
        for told in book.room.setting_rows(settings)
    ]  # fmt: skip


def as_json(field: ShownField) -> dict[str, Any]:
    players = [{"seat": one.seat, "user": one.user, "name": one.name, "points": one.points} for one in field.seats]
    return {"number": field.number, "headline": field.headline, "players": players}
