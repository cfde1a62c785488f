"""What admins do with rooms: open, change settings while they run, reset, close, and send members away."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from starlette.responses import Response

from botyard.kernel.errors import YardError
from botyard.yard.data.room_tables import ANYBODY, ROOM_DOORS
from botyard.yard.refusals import NotThere
from botyard.yard.rooms.members import members_of, remove_member
from botyard.yard.rooms.rooms import (
    DOOR_WORDS,
    RoomPlan,
    RoomRow,
    change_look,
    change_settings,
    close_room,
    create_room,
    open_again,
    reset_room,
    room_games,
    room_named,
)
from botyard.yard.rooms.shown import settings_shown, shown_room
from botyard.yard.web.forms import Typed, shown_again
from botyard.yard.web.pages.admin import section_named, section_page
from botyard.yard.web.routing import Access, get, post
from botyard.yard.web.visit import Visit

MAP_LENGTH = 12_000  # characters of a setting: a map of a hundred rows


def slug_in(visit: Visit) -> str:
    return str(visit.request.path_params["slug"])


# All rooms


async def create(visit: Visit) -> Response:
    typed = await Typed.of(visit)
    try:
        plan = RoomPlan(
            typed.line("slug").strip().lower(), typed.line("game"), typed.line("title"), typed.line("preset"), {},
            names_in(typed.line("house")), typed.line("door") or ANYBODY,
        )  # fmt: skip
        room = await visit.change(create_room, plan, visit.yard.clock(), by=visit.caller.need_admin())
    except YardError as error:
        return await section_page(visit, section_named("rooms"), error, "form", typed)
    await visit.showroom.rooms.follow(room)
    return visit.go(f"/admin/rooms/{plan.slug}")


def names_in(typed: str) -> list[str]:
    """Returns names that are separated by commas."""
    return [name.strip().removeprefix("house:") for name in typed.split(",") if name.strip()]


# One room


async def room(visit: Visit) -> Response:
    return await room_page(visit)


async def room_page(visit: Visit, errors: dict[str, YardError] | None = None, typed: Typed | None = None) -> Response:
    """Returns the page on which an admin looks after a room, with an error beside what it is about."""
    caretaker = visit.showroom.rooms

    def read(connection: sa.Connection) -> dict[str, Any]:
        row = room_named(connection, slug_in(visit))
        members = members_of(connection, row.id)
        return {"room": row, "members": members, "shown": shown_room(row, len(members), caretaker)}

    found = await visit.ask(read)
    row: RoomRow = found["room"]
    book = next((book for book in room_games() if book.facts.name == row.game), None)
    values = {
        **found,
        "settings": settings_shown(row, caretaker) if book else [],
        "house_bots": list(book.bots.HOUSE_BOTS) if book else [],
        "doors": {door: DOOR_WORDS[door] for door in ROOM_DOORS},
    }
    if errors is None or typed is None:
        return visit.page("admin_room.html", errors={}, typed={}, **values)
    return shown_again(visit, "admin_room.html", errors, typed, **values)


async def set_settings(visit: Visit) -> Response:
    """Changes settings, from the next round on. A field that is empty stays as it is."""
    typed = await Typed.of(visit)
    row = await visit.ask(room_named, slug_in(visit))
    changes = {}
    for key in row.settings:
        value = typed.text(key, MAP_LENGTH).replace("\r\n", "\n").strip("\n")
        if value:
            changes[key] = value
    try:
        by = visit.caller.need_admin()
        row = await visit.change(change_settings, row.slug, changes, visit.yard.clock(), by=by)
    except NotThere:
        raise
    except YardError as error:
        return await room_page(visit, {"settings": error}, typed)
    return await after(visit, row)


async def set_look(visit: Visit) -> Response:
    typed = await Typed.of(visit)
    title, house, door = typed.line("title"), names_in(typed.line("house")), typed.line("door")
    try:
        by = visit.caller.need_admin()
        row = await visit.change(change_look, slug_in(visit), title, house, door, visit.yard.clock(), by=by)
    except NotThere:
        raise
    except YardError as error:
        return await room_page(visit, {"look": error}, typed)
    return await after(visit, row)


async def reset(visit: Visit) -> Response:
    typed = await Typed.of(visit)
    if typed.line("sure") != slug_in(visit):
        wrong = YardError("nothing was reset", hint=f"type {slug_in(visit)} into the field")
        return await room_page(visit, {"reset": wrong}, typed)
    row = await visit.change(reset_room, slug_in(visit), visit.yard.clock(), by=visit.caller.need_admin())
    return await after(visit, row)


async def close(visit: Visit) -> Response:
    row = await visit.change(close_room, slug_in(visit), visit.yard.clock(), by=visit.caller.need_admin())
    return await after(visit, row)


async def reopen(visit: Visit) -> Response:
    row = await visit.change(open_again, slug_in(visit), visit.yard.clock(), by=visit.caller.need_admin())
    return await after(visit, row)


async def remove(visit: Visit) -> Response:
    user = str(visit.request.path_params["user"])
    by = visit.caller.need_admin()
    row = await visit.change(remove_member, slug_in(visit), user, visit.yard.clock(), by=by)
    return await after(visit, row)


async def after(visit: Visit, row: RoomRow) -> Response:
    """Has the room become what its row says, and shows it."""
    await visit.showroom.rooms.follow(row.id)
    return visit.go(f"/admin/rooms/{row.slug}")


PAGES = [
    post("/admin/rooms", create, Access.ADMIN),
    get("/admin/rooms/{slug}", room, Access.ADMIN),
    post("/admin/rooms/{slug}/settings", set_settings, Access.ADMIN),
    post("/admin/rooms/{slug}/look", set_look, Access.ADMIN),
    post("/admin/rooms/{slug}/reset", reset, Access.ADMIN),
    post("/admin/rooms/{slug}/close", close, Access.ADMIN),
    post("/admin/rooms/{slug}/open", reopen, Access.ADMIN),
    post("/admin/rooms/{slug}/members/{user}/remove", remove, Access.ADMIN),
]
