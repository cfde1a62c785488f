"""The rows of rooms, and what admins do with them: open, change settings, reset, close.

Nothing here touches a room that ticks: the caretaker reads these rows and makes its rooms what they say.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from botyard.games import load, load_all
from botyard.kernel.errors import UnknownName, YardError, quoted
from botyard.kernel.plain import clean
from botyard.kernel.rulebook import Rulebook
from botyard.kernel.settings import Settings
from botyard.yard.data.database import inserted_id, locked
from botyard.yard.data.events import note_event
from botyard.yard.data.room_tables import ACCOUNTS, ANYBODY, MEMBER, MEMBER_DAY, OPENED, ROOM, ROOM_DOORS, SHUT
from botyard.yard.data.statements import change_rows, rows_by
from botyard.yard.ladders.plans import settings_values
from botyard.yard.reading import SLUG
from botyard.yard.refusals import InTheWay, NotThere, Refusal

MOST_ROOMS = 200  # open at a time
MOST_HOUSE_BOTS = 30  # of one room
SHORTEST_TICK_MS = 50  # many rooms share one process
TITLE_LENGTH = 80
DOOR_WORDS = {ANYBODY: "everybody, by a name alone, as Codenjoy did", ACCOUNTS: "people with an account"}


@dataclass(frozen=True, slots=True)
class RoomRow:
    """A room as its row has it."""

    id: int
    slug: str
    game: str
    title: str
    settings: dict[str, Any]
    house: tuple[str, ...]
    door: str
    state: str
    generation: int
    made_ms: int
    closed_ms: int | None

    @classmethod
    def of(cls, row: sa.Row[Any]) -> RoomRow:
        told = row._asdict()
        return cls(**{**told, "settings": json.loads(row.settings), "house": tuple(json.loads(row.house))})

    @property
    def is_open(self) -> bool:
        return self.state == OPENED


@dataclass(frozen=True, slots=True)
class RoomPlan:
    """A room that an admin wants to open."""

    slug: str
    game: str
    title: str = ""
    preset: str = ""
    settings: Mapping[str, Any] | None = None  # those that differ from the preset
    house: Sequence[str] = ()
    door: str = ANYBODY


def room_games() -> list[Rulebook]:
    """Returns the games that can be played in rooms."""
    return [book for book in load_all()[0] if book.has_rooms]


# Looking


def all_rooms(connection: sa.Connection) -> list[RoomRow]:
    """Returns all rooms, those that are open first, in the order in which they were made."""
    ordered = sa.select(ROOM).order_by((ROOM.c.state == SHUT).cast(sa.Integer), ROOM.c.id)
    return [RoomRow.of(row) for row in connection.execute(ordered)]


def room_named(connection: sa.Connection, slug: str) -> RoomRow:
    found = rows_by(connection, ROOM, {"slug": slug})
    if not found:
        raise NotThere(f"there is no room {quoted(slug)}", hint="/rooms lists all of them")
    return RoomRow.of(found[0])


def room_numbered(connection: sa.Connection, room: int) -> RoomRow:
    return RoomRow.of(rows_by(connection, ROOM, {"id": room})[0])


def need_open(connection: sa.Connection, slug: str) -> RoomRow:
    """Returns a room that is open; nobody else changes its row until this transaction ends."""
    room = room_named(connection, slug)
    locked(connection, ROOM, room.id)
    room = room_numbered(connection, room.id)
    if not room.is_open:
        raise InTheWay(f"the room {room.title} is closed", hint="an admin can open it again")
    return room


# What admins do


def create_room(connection: sa.Connection, plan: RoomPlan, now_ms: int, *, by: int | None) -> int:
    """Opens a room; returns its number."""
    if not SLUG.fullmatch(plan.slug):
        raise Refusal(f"the address {quoted(plan.slug)} cannot be used", hint="use 1 to 40 of a-z, 0-9 and -")
    if rows_by(connection, ROOM, {"slug": plan.slug}):
        raise InTheWay(f"there is a room {plan.slug} already", hint="give it another address")
    opened = sa.select(sa.func.count()).select_from(ROOM).where(ROOM.c.state == OPENED)
    if connection.execute(opened).scalar_one() >= MOST_ROOMS:
        raise InTheWay(f"{MOST_ROOMS} rooms are open", hint="close one first")
    book = game_with_rooms(plan.game)
    settings = checked_settings(book, plan.settings or {}, plan.preset or None)
    if plan.door not in ROOM_DOORS:
        raise Refusal(f"{quoted(plan.door)} may not register", hint=f"choose one of {', '.join(ROOM_DOORS)}")
    row = {
        "slug": plan.slug,
        "game": plan.game,
        "title": checked_title(plan.title or book.facts.title),
        "settings": as_text(settings),
        "house": json.dumps(checked_house(book, plan.house)),
        "door": plan.door,
        "state": OPENED,
        "made_ms": now_ms,
    }
    room = inserted_id(connection, ROOM, **row)
    note_event(connection, now_ms, "room.opened", f"room/{plan.slug}", person=by, public=True, game=plan.game)
    return room


def change_settings(
    connection: sa.Connection, slug: str, changes: Mapping[str, Any], now_ms: int, *, by: int
) -> RoomRow:
    """Changes settings of a room, from the next round on; returns the room as it is then."""
    room = need_open(connection, slug)
    book = game_with_rooms(room.game)
    settings = settings_values(checked_settings(book, {**room.settings, **changes}))
    changed = {
        key: [room.settings.get(key), value] for key, value in settings.items() if room.settings.get(key) != value
    }
    if changed:
        change_rows(connection, ROOM, {"id": room.id}, {"settings": json.dumps(settings, sort_keys=True)})
        note_event(connection, now_ms, "room.settings", f"room/{slug}", person=by, public=True, changed=changed)
    return room_numbered(connection, room.id)


def change_look(
    connection: sa.Connection, slug: str, title: str, house: Sequence[str], door: str, now_ms: int, *, by: int
) -> RoomRow:
    """Changes what a room is called, which house bots play in it, and who may register."""
    room = need_open(connection, slug)
    if door not in ROOM_DOORS:
        raise Refusal(f"{quoted(door)} may not register", hint=f"choose one of {', '.join(ROOM_DOORS)}")
    bots = checked_house(game_with_rooms(room.game), house)
    change = {"title": checked_title(title), "house": json.dumps(bots), "door": door}
    change_rows(connection, ROOM, {"id": room.id}, change)
    told = {"title": change["title"], "house": bots, "door": door}
    note_event(connection, now_ms, "room.changed", f"room/{slug}", person=by, public=True, changed=told)
    return room_numbered(connection, room.id)


def reset_room(connection: sa.Connection, slug: str, now_ms: int, *, by: int) -> RoomRow:
    """Takes everybody's points, those of all days with them. The standings of before stay in the event."""
    room = need_open(connection, slug)
    best = sa.select(MEMBER.c.name, MEMBER.c.points).where(MEMBER.c.room == room.id, MEMBER.c.removed_ms.is_(None))
    best = best.order_by(MEMBER.c.points.desc(), MEMBER.c.id).limit(100)
    standings = [[row.name, row.points] for row in connection.execute(best)]
    change_rows(connection, ROOM, {"id": room.id}, {"generation": room.generation + 1})
    change_rows(connection, MEMBER, {"room": room.id}, {"points": 0})
    own = sa.select(MEMBER.c.id).where(MEMBER.c.room == room.id)
    connection.execute(sa.delete(MEMBER_DAY).where(MEMBER_DAY.c.member.in_(own)))
    note_event(connection, now_ms, "room.reset", f"room/{slug}", person=by, public=True, standings=standings)
    return room_numbered(connection, room.id)


def close_room(connection: sa.Connection, slug: str, now_ms: int, *, by: int) -> RoomRow:
    """Ends play in a room. Its members, points and rounds stay, and it can be opened again."""
    room = need_open(connection, slug)
    change_rows(connection, ROOM, {"id": room.id}, {"state": SHUT, "closed_ms": now_ms})
    note_event(connection, now_ms, "room.closed", f"room/{slug}", person=by, public=True)
    return room_numbered(connection, room.id)


def open_again(connection: sa.Connection, slug: str, now_ms: int, *, by: int) -> RoomRow:
    """Goes on with a room that was closed: everybody's address is good again."""
    room = room_named(connection, slug)
    if room.is_open:
        raise InTheWay(f"the room {room.title} is open")
    checked_settings(game_with_rooms(room.game), room.settings)
    change_rows(connection, ROOM, {"id": room.id}, {"state": OPENED, "closed_ms": None})
    note_event(connection, now_ms, "room.opened", f"room/{slug}", person=by, public=True, game=room.game, again=True)
    return room_numbered(connection, room.id)


# What fits


def game_with_rooms(game: str) -> Rulebook:
    known = {book.facts.name: book for book in room_games()}
    if game not in known:
        raise UnknownName("game that is played in rooms", game, list(known))
    return load(game)


def checked_settings(book: Rulebook, values: Mapping[str, Any], preset: str | None = None) -> Settings:
    """Returns the settings by which a room plays; refuses what the game does not know and what is too quick."""
    settings: Settings = book.room.room_settings(book.settings.read(values, preset), None)
    tick_ms = book.wire.open_session(settings, 0).move_ms
    if tick_ms < SHORTEST_TICK_MS:
        raise Refusal(
            f"a tick of {tick_ms} ms is too short", hint=f"rooms share a machine: {SHORTEST_TICK_MS} at least"
        )
    return settings


def checked_title(typed: str) -> str:
    title = clean(" ".join(typed.split()))
    if not 0 < len(title) <= TITLE_LENGTH:
        raise Refusal(f"the title has {len(title)} characters", hint=f"use 1 to {TITLE_LENGTH}")
    return title


def checked_house(book: Rulebook, bots: Sequence[str]) -> list[str]:
    if len(bots) > MOST_HOUSE_BOTS:
        raise Refusal(f"{len(bots)} house bots are too many", hint=f"{MOST_HOUSE_BOTS} fit in a room")
    for bot in bots:
        book.bot_number(bot)
    return list(bots)


def as_text(settings: Settings) -> str:
    return json.dumps(settings_values(settings), sort_keys=True)


def settings_of(room: RoomRow) -> Settings:
    """Returns the settings of a room; refuses those that this Botyard does not know any more."""
    if not load(room.game).has_rooms:
        raise YardError(f"{room.game} is not played in rooms any more", hint="close the room")
    return checked_settings(load(room.game), room.settings)
