"""Members of rooms: who joins with an account or by a name alone, their secret codes, and who goes.

A code is an HMAC over the member's user id and a generation, under the server's key. It stands nowhere: it is made anew
whenever it is asked for, so it is the same after a restart, and a new generation makes the old one worthless.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from botyard.match.lobby import fresh_user
from botyard.yard.data.database import insert_new, inserted_id, locked
from botyard.yard.data.events import note_event
from botyard.yard.data.room_tables import ANYBODY, MEMBER, OPENED, ROOM
from botyard.yard.data.statements import change_rows, rows_by
from botyard.yard.data.tables import FACT, PERSON
from botyard.yard.people.names import check_name, name_key
from botyard.yard.refusals import InTheWay, NotAllowed, NotThere
from botyard.yard.rooms.rooms import RoomRow, all_rooms, need_open, room_named

SERVER_KEY = "server_key"
KEY_BYTES = 32
CODE_DIGITS = 19  # clients of the original take digits only
MOST_MEMBERS = 1000  # of one room


@dataclass(frozen=True, slots=True)
class MemberRow:
    """A member as its row has it."""

    id: int
    room: int
    user: str
    name: str
    person: int | None
    house: str | None
    generation: int
    points: int
    made_ms: int

    @classmethod
    def of(cls, row: sa.Row[Any]) -> MemberRow:
        return cls(
            row.id, row.room, row.user, row.name, row.person, row.house, row.generation, row.points, row.made_ms
        )  # fmt: skip


# Codes


def server_key(connection: sa.Connection) -> bytes:
    """Returns the key of this yard. The first one who needs it makes it, in a transaction that may write."""
    found = rows_by(connection, FACT, {"name": SERVER_KEY})
    if not found:
        insert_new(connection, FACT, {"name": SERVER_KEY, "value": secrets.token_hex(KEY_BYTES)})
        found = rows_by(connection, FACT, {"name": SERVER_KEY})
    return bytes.fromhex(found[0].value)


def code_of(key: bytes, user: str, generation: int) -> str:
    """Returns the secret with which a client speaks for a member."""
    digest = hmac.digest(key, f"member {user} {generation}".encode(), hashlib.sha256)
    lowest = 10 ** (CODE_DIGITS - 1)
    return str(lowest + int.from_bytes(digest, "big") % (9 * lowest))


# Looking


def members_of(connection: sa.Connection, room: int) -> list[MemberRow]:
    """Returns who is registered in a room, in the order in which they came."""
    there = sa.select(MEMBER).where(MEMBER.c.room == room, MEMBER.c.removed_ms.is_(None)).order_by(MEMBER.c.id)
    return [MemberRow.of(row) for row in connection.execute(there)]


def member_of(connection: sa.Connection, room: int, person: int | None) -> MemberRow | None:
    """Returns the membership of a person in a room."""
    found = rows_by(connection, MEMBER, {"room": room, "person": person}) if person is not None else ()
    return MemberRow.of(found[0]) if found else None


def need_member(connection: sa.Connection, slug: str, person: int) -> tuple[RoomRow, MemberRow]:
    room = room_named(connection, slug)
    member = member_of(connection, room.id, person)
    if member is None:
        raise NotThere(f"you are not a member of {room.title}", hint="join it first")
    return room, member


def rooms_of(connection: sa.Connection, person: int) -> list[tuple[RoomRow, MemberRow]]:
    """Returns the rooms in which a person is registered, and as whom; those that are open first."""
    own = sa.select(MEMBER).where(MEMBER.c.person == person, MEMBER.c.removed_ms.is_(None))
    members = {row.room: MemberRow.of(row) for row in connection.execute(own)}
    return [(room, members[room.id]) for room in all_rooms(connection) if room.id in members]


def own_users(connection: sa.Connection, person: int) -> list[str]:
    """Returns the user ids of a person in rooms that are open, the latest first."""
    own = sa.select(MEMBER.c.user).join(ROOM, MEMBER.c.room == ROOM.c.id)
    own = own.where(MEMBER.c.person == person, ROOM.c.state == OPENED).order_by(MEMBER.c.id.desc())
    return list(connection.execute(own).scalars())


def own_code(connection: sa.Connection, slug: str, person: int) -> tuple[RoomRow, MemberRow, str]:
    """Returns somebody's own membership and its code."""
    room, member = need_member(connection, slug, person)
    return room, member, code_of(server_key(connection), member.user, member.generation)


# Coming


def join_room(connection: sa.Connection, slug: str, person: int, name: str, now_ms: int) -> MemberRow:
    """Somebody with an account joins a room, under their own name or another one."""
    room = need_open(connection, slug)
    if member_of(connection, room.id, person) is not None:
        raise InTheWay(f"you are a member of {room.title} already", hint="your address is on the room's page")
    return add_member(connection, room, name, now_ms, person=person)


def register_member(connection: sa.Connection, slug: str, name: str, now_ms: int) -> MemberRow:
    """Somebody registers by a name alone, as on a server of Codenjoy."""
    room = need_open(connection, slug)
    if room.door != ANYBODY:
        raise NotAllowed(f"{room.title} is for people with an account", hint=f"sign in and join at /rooms/{slug}")
    return add_member(connection, room, name, now_ms)


def add_member(
    connection: sa.Connection, room: RoomRow, name: str, now_ms: int, *, person: int | None = None
) -> MemberRow:
    called = check_name(name)
    key = name_key(called)
    if rows_by(connection, MEMBER, {"room": room.id, "name_key": key}):
        hint = "keep playing at the address you were given, or choose another name"
        raise InTheWay(f"{called} is registered in {room.title} already", hint=hint)
    accounts = rows_by(connection, PERSON, {"name_key": key})
    if accounts and accounts[0].id != person:
        raise InTheWay(f"{called} has an account here", hint="sign in to play under this name, or choose another one")
    registered = sa.select(sa.func.count()).select_from(MEMBER)
    registered = registered.where(MEMBER.c.room == room.id, MEMBER.c.removed_ms.is_(None))
    if connection.execute(registered).scalar_one() >= MOST_MEMBERS:
        raise InTheWay(f"{MOST_MEMBERS} are registered in {room.title}", hint="choose another room")
    row = {"room": room.id, "user": fresh_user(), "name": called, "name_key": key, "person": person, "made_ms": now_ms}
    member = inserted_id(connection, MEMBER, **row)
    note_event(connection, now_ms, "member.joined", f"room/{room.slug}", person=person, public=True, name=called)
    return MemberRow.of(rows_by(connection, MEMBER, {"id": member})[0])


def seat_house_bots(connection: sa.Connection, room: RoomRow, now_ms: int) -> None:
    """Makes members of the house bots that a room is to have, and removes those that it is not to have any more."""
    wanted = [(bot, named_again(bot, room.house[:at].count(bot))) for at, bot in enumerate(room.house)]
    there = {(row.house, row.name): row for row in members_of(connection, room.id) if row.house}
    for gone in there.keys() - set(wanted):
        forget(connection, there[gone], now_ms)
    for bot, name in wanted:
        if (bot, name) not in there:
            row = {"room": room.id, "user": fresh_user(), "name": name, "name_key": name, "house": bot}
            inserted_id(connection, MEMBER, **row, made_ms=now_ms)


def named_again(bot: str, before: int) -> str:
    """Returns what a house bot is called, which no person can be; a second one has a number."""
    return f"house:{bot} {before + 1}" if before else f"house:{bot}"


# Codes and going


def renew_code(connection: sa.Connection, slug: str, person: int, now_ms: int) -> RoomRow:
    """Makes the code of somebody worthless, and gives them another one."""
    room, member = need_member(connection, slug, person)
    change_rows(connection, MEMBER, {"id": member.id}, {"generation": member.generation + 1})
    note_event(connection, now_ms, "member.code", f"room/{slug}", person=person, concerns=person)
    return room


def leave_room(connection: sa.Connection, slug: str, person: int, now_ms: int) -> RoomRow:
    """Somebody goes for good: their address ends, and their points with it."""
    room, member = need_member(connection, slug, person)
    forget(connection, member, now_ms)
    note_event(connection, now_ms, "member.left", f"room/{slug}", person=person, public=True, name=member.name)
    return room


def remove_member(connection: sa.Connection, slug: str, user: str, now_ms: int, *, by: int) -> RoomRow:
    """An admin sends somebody away."""
    room = room_named(connection, slug)
    found = rows_by(connection, MEMBER, {"room": room.id, "user": user})
    if not found or found[0].removed_ms is not None:
        raise NotThere(f"there is no such member of {room.title}")
    if found[0].house:
        raise InTheWay("this is a house bot", hint="take it off the list of house bots of the room")
    member = MemberRow.of(found[0])
    forget(connection, member, now_ms)
    whom = {"name": member.name, "user": user}
    note_event(connection, now_ms, "member.removed", f"room/{slug}", person=by, concerns=member.person, member=whom)
    return room


def leave_all_rooms(connection: sa.Connection, person: int, now_ms: int, *, forget_name: bool = False) -> None:
    """Somebody who is banned or deleted plays in no room any more."""
    for row in rows_by(connection, MEMBER, {"person": person}):
        forget(connection, MemberRow.of(row), now_ms, name="deleted" if forget_name else row.name)


def forget(connection: sa.Connection, member: MemberRow, now_ms: int, name: str = "") -> None:
    """Ends a membership. The row stays, because rounds name it; its name and its place in the room are free."""
    locked(connection, MEMBER, member.id)
    gone = {"name": name or member.name, "name_key": f"removed:{member.id}", "person": None, "removed_ms": now_ms}
    change_rows(connection, MEMBER, {"id": member.id}, gone)
