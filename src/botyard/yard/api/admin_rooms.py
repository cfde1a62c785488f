"""What admins do with rooms: open, change while they run, reset, close, and send members away."""

from __future__ import annotations

from typing import Any, Literal

import sqlalchemy as sa
from pydantic import Field

from botyard.yard.api.fields import Line, ListPart, Text, Told, Wanted, Word
from botyard.yard.api.rooms import RoomAnswer, room_answer
from botyard.yard.api.routing import Call, Need, Section, get, post, put, remove
from botyard.yard.rooms.members import members_of, remove_member
from botyard.yard.rooms.rooms import (
    MOST_HOUSE_BOTS,
    RoomPlan,
    RoomRow,
    change_look,
    change_settings,
    close_room,
    create_room,
    open_again,
    reset_room,
    room_named,
)

Value = bool | int | Text
Door = Literal["anybody", "accounts"]


class RoomForm(Wanted):
    """A room that is to be opened."""

    slug: Line
    """Its address below /rooms, by which clients of Codenjoy know it, too."""
    game: Line
    title: Line = ""
    preset: Line = ""
    settings: dict[str, Value] = Field(default_factory=dict, max_length=100)
    """Those that differ from the preset."""
    house: list[Line] = Field(default_factory=list, max_length=MOST_HOUSE_BOTS)
    door: Door = "anybody"


class RoomSettingsForm(Wanted):
    """Settings that are to hold from the next round on; those that are left out stay."""

    settings: dict[str, Value] = Field(max_length=100)


class RoomLookForm(Wanted):
    """What a room is called, which house bots play in it, and who may register."""

    title: Line
    house: list[Line] = Field(default_factory=list, max_length=MOST_HOUSE_BOTS)
    door: Door = "anybody"


class MemberAnswer(Told):
    """A member of a room."""

    user: str
    name: str
    person: int | None
    """The number of its account; null: registered by a name alone, or a house bot."""
    house: str | None
    points: int
    made_ms: int


async def followed(call: Call, row: RoomRow) -> RoomAnswer:
    """Has a room become what its row says, and tells about it."""
    await call.showroom.rooms.follow(row.id)
    return await room_answer(call, row.slug)


async def open_room(call: Call, form: RoomForm) -> RoomAnswer:
    """Opens a room."""
    by = call.caller.need_admin()
    plan = RoomPlan(form.slug, form.game, form.title, form.preset, form.settings, form.house, form.door)
    room = await call.change(create_room, plan, call.yard.clock(), by=by)
    await call.showroom.rooms.follow(room)
    return await room_answer(call, form.slug)


async def set_settings(call: Call, slug: Word, form: RoomSettingsForm) -> RoomAnswer:
    """Changes settings of a room while it runs. They hold from the next round on."""
    by = call.caller.need_admin()
    return await followed(call, await call.change(change_settings, slug, form.settings, call.yard.clock(), by=by))


async def set_look(call: Call, slug: Word, form: RoomLookForm) -> RoomAnswer:
    """Changes what a room is called, its house bots, and who may register."""
    by = call.caller.need_admin()
    row = await call.change(change_look, slug, form.title, form.house, form.door, call.yard.clock(), by=by)
    return await followed(call, row)


async def reset(call: Call, slug: Word) -> RoomAnswer:
    """Takes everybody's points, those of all days with them."""
    return await followed(call, await call.change(reset_room, slug, call.yard.clock(), by=call.caller.need_admin()))


async def close(call: Call, slug: Word) -> RoomAnswer:
    """Closes a room. Members, points and rounds stay."""
    return await followed(call, await call.change(close_room, slug, call.yard.clock(), by=call.caller.need_admin()))


async def reopen(call: Call, slug: Word) -> RoomAnswer:
    """Opens a room again that was closed."""
    return await followed(call, await call.change(open_again, slug, call.yard.clock(), by=call.caller.need_admin()))


async def list_members(call: Call, slug: Word) -> ListPart[MemberAnswer]:
    """Lists the members of a room, in the order in which they came."""

    def read(connection: sa.Connection) -> list[Any]:
        return members_of(connection, room_named(connection, slug).id)

    return ListPart(items=[MemberAnswer.model_validate(member) for member in await call.ask(read)])


async def send_away(call: Call, slug: Word, user: Word) -> None:
    """Sends a member away for good."""
    by = call.caller.need_admin()
    await followed(call, await call.change(remove_member, slug, user, call.yard.clock(), by=by))


ROOM = "/admin/rooms/{slug}"
SECTION = Section.of(
    "Rooms, for admins",
    "Rooms are opened, changed while they run, reset and closed.",
    post("/admin/rooms", open_room, Need.ADMIN, status=201),
    put(f"{ROOM}/settings", set_settings, Need.ADMIN),
    put(f"{ROOM}/look", set_look, Need.ADMIN),
    post(f"{ROOM}/reset", reset, Need.ADMIN),
    post(f"{ROOM}/close", close, Need.ADMIN),
    post(f"{ROOM}/open", reopen, Need.ADMIN),
    get(f"{ROOM}/members", list_members, Need.ADMIN),
    remove(f"{ROOM}/members/{{user}}", send_away, Need.ADMIN, status=204),
)
