"""The pages of rooms: all of them, one with its boards, leaders and rounds, and what a member needs to play."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from starlette.responses import JSONResponse, Response
from starlette.websockets import WebSocket

from botyard.games import load
from botyard.links.codenjoy.addresses import CONTEXT, board_path, origin_of, socket_of
from botyard.links.viewing.app import packed_response, seat_in
from botyard.links.viewing.packed import PackedFilm
from botyard.links.viewing.screening import NothingToShow
from botyard.links.viewing.sockets import FULL, GONE, ignore, tell_film, until_gone
from botyard.links.viewing.stage import WITHHELD
from botyard.links.web.pace import STREAM
from botyard.match.room_field import RoomField
from botyard.yard.caller import PLAY
from botyard.yard.refusals import NotThere, Refusal
from botyard.yard.rooms.chronicles import ShownChronicle, chronicle_numbered, chronicles_of
from botyard.yard.rooms.members import join_room, leave_room, member_of, members_of, own_code, renew_code
from botyard.yard.rooms.points import day_in, day_of, day_word, days_of, leaders_of
from botyard.yard.rooms.rooms import RoomRow, room_named
from botyard.yard.rooms.shown import as_json, field_numbered, settings_shown, shown_fields, shown_room, shown_rooms
from botyard.yard.web.forms import Typed
from botyard.yard.web.pages.games import kept
from botyard.yard.web.pages.ladders import before_in
from botyard.yard.web.pages.matches import download
from botyard.yard.web.pages.show import told_as_json
from botyard.yard.web.routing import Access, Socket, get, post
from botyard.yard.web.text_boards import TextBoard
from botyard.yard.web.visit import Visit

WALL = 12  # boards on a page
FEW_LEADERS, FEW_ROUNDS = 10, 5
LISTED = 25
MOST_WATCHERS = 200  # of one field


def slug_in(visit: Visit) -> str:
    return str(visit.request.path_params["slug"])


async def rooms(visit: Visit) -> Response:
    return visit.page("rooms.html", rooms=await visit.ask(shown_rooms, visit.showroom.rooms))


async def room(visit: Visit) -> Response:
    return await room_page(visit)


async def room_page(visit: Visit, error: Refusal | None = None, status: int = 200, name: str = "") -> Response:
    """Returns the page of a room, with what was wrong when somebody wanted to join, and the name they wanted."""
    caretaker, today = visit.showroom.rooms, day_of(visit.yard.clock())

    def read(connection: sa.Connection) -> dict[str, Any]:
        row = room_named(connection, slug_in(visit))
        return {
            "room": row,
            "shown": shown_room(row, len(members_of(connection, row.id)), caretaker),
            "mine": member_of(connection, row.id, visit.caller.person),
            "today": leaders_of(connection, row.id, today)[:FEW_LEADERS],
            "ever": leaders_of(connection, row.id)[:FEW_LEADERS],
            "rounds": chronicles_of(connection, row.id, limit=FEW_ROUNDS),
        }

    found = await visit.ask(read)
    row: RoomRow = found["room"]
    fields = shown_fields(caretaker, row.id)
    given = visit.word("from")
    begin = int(given) if given.isascii() and given.isdigit() and len(given) < 6 else 0
    values = {
        "fields": fields[begin : begin + WALL],
        "begin": begin,
        "all_fields": len(fields),
        "wall": WALL,
        "day": day_word(today),
        "register": f"{CONTEXT}/register?room={row.slug}",
        "board": lambda user: f"{CONTEXT}{board_path(user)}",
        "coming": [one for one in settings_shown(row, caretaker) if one.coming] if row.is_open else [],
        "error": error,
        "wanted": name or visit.caller.name,
    }
    return visit.page("room.html", status, **found, **values)


async def fields(visit: Visit) -> Response:
    """What is played on now, for a page that keeps its wall of boards up to date."""
    row = await visit.ask(room_named, slug_in(visit))
    return JSONResponse([as_json(field) for field in shown_fields(visit.showroom.rooms, row.id)])


async def boards(visit: Visit) -> Response:
    """The boards as text, for those whose browser runs no scripts."""
    row, made = await boards_now(visit)
    return visit.page("room_boards.html", room=row, boards=made)


async def boards_now(visit: Visit) -> tuple[RoomRow, list[tuple[int, TextBoard]]]:
    """Returns a room and its boards as they are now, by the numbers of their fields."""
    row = await visit.ask(room_named, slug_in(visit))
    live = visit.showroom.rooms.live(row.id)
    there = live.room.fields[:WALL] if live and not row_hides(row) else []
    copies = [(field.game.copy(), seat_names(field)) for field in there]
    made = await visit.showroom.round_films.boards(copies)
    return row, list(zip([one.number for one in there], made, strict=True))


def seat_names(field: RoomField) -> list[str]:
    return [field.members[seat].name if seat in field.members else "" for seat in range(field.game.seats)]


def row_hides(row: RoomRow) -> bool:
    """Whether the game hides something from its players that others must not see while it is played."""
    return load(row.game).settings.read(row.settings).habits.hides


async def leaders(visit: Visit) -> Response:
    """All members by points: of one day, or of all days."""
    chosen = visit.word("day")

    def read(connection: sa.Connection) -> dict[str, Any]:
        row = room_named(connection, slug_in(visit))
        return {
            "room": row,
            "leaders": leaders_of(connection, row.id, day_in(chosen) if chosen else None),
            "days": [day_word(day) for day in days_of(connection, row.id)],
        }

    found = await visit.ask(read)
    return visit.page("room_leaders.html", **found, day=chosen, board=lambda user: f"{CONTEXT}{board_path(user)}")


async def settings(visit: Visit) -> Response:
    row = await visit.ask(room_named, slug_in(visit))
    return visit.page("room_settings.html", room=row, settings=settings_shown(row, visit.showroom.rooms))


# Members


async def join(visit: Visit) -> Response:
    person, typed = visit.caller.need(PLAY), await Typed.of(visit)
    name = typed.line("name") or visit.caller.name
    try:
        member = await visit.change(join_room, slug_in(visit), person, name, visit.yard.clock())
    except NotThere:
        raise
    except Refusal as error:
        return await room_page(visit, error, error.status, name)
    await visit.showroom.rooms.follow(member.room)
    return visit.go(f"/rooms/{slug_in(visit)}/mine")


async def mine(visit: Visit) -> Response:
    """The secret address of the caller, which nobody else is shown."""
    row, member, code = await visit.change(own_code, slug_in(visit), visit.caller.need())
    place = f"{visit.yard.config.public_url or origin_of(visit.request)}{CONTEXT}"
    live = visit.showroom.rooms.member(member.user)
    values: dict[str, Any] = {
        "page": f"{place}{board_path(member.user, code)}",
        "socket": f"{socket_of(place)}/ws?user={member.user}&code={code}",
        "asked": f"{place}/rest/settings/player?user={member.user}&code={code}",
        "listening": len(live.listeners) if live else 0,
        "points": live.points if live else member.points,
    }
    answer = visit.page("room_mine.html", room=row, member=member, **values)
    answer.headers["Cache-Control"] = "no-store"
    return answer


async def renew(visit: Visit) -> Response:
    row = await visit.change(renew_code, slug_in(visit), visit.caller.need(PLAY), visit.yard.clock())
    await visit.showroom.rooms.follow(row.id)
    return visit.go(f"/rooms/{row.slug}/mine")


async def leave(visit: Visit) -> Response:
    row = await visit.change(leave_room, slug_in(visit), visit.caller.need(PLAY), visit.yard.clock())
    await visit.showroom.rooms.follow(row.id)
    return visit.go(f"/rooms/{row.slug}")


# Rounds


async def rounds(visit: Visit) -> Response:
    before = before_in(visit)

    def read(connection: sa.Connection) -> dict[str, Any]:
        row = room_named(connection, slug_in(visit))
        found = chronicles_of(connection, row.id, before=before, limit=LISTED + 1)
        return {"room": row, "rounds": found[:LISTED], "more": len(found) > LISTED}

    return visit.page("room_rounds.html", **await visit.ask(read), before=before)


async def asked_round(visit: Visit) -> ShownChronicle:
    return await visit.ask(chronicle_numbered, slug_in(visit), visit.number("number"))


async def one_round(visit: Visit) -> Response:
    return visit.page("room_round.html", round=await asked_round(visit))


async def round_board(visit: Visit) -> Response:
    told = await asked_round(visit)
    given = visit.word("tick", "0")
    tick = int(given) if given.isascii() and given.isdigit() and len(given) < 10 else 0
    board = await visit.showroom.round_films.board(told, tick)
    return visit.page("room_round_board.html", round=told, board=board)


async def replay(visit: Visit) -> Response:
    told = await asked_round(visit)
    return download(await visit.showroom.round_films.replay(told), f"{told.slug}-{told.id}.replay")


async def film(visit: Visit) -> Response:
    made = await visit.showroom.round_films.film(await asked_round(visit), seat_in(visit.request))
    return kept(packed_response(visit.request, made.opening))


async def block(visit: Visit) -> Response:
    made = await visit.showroom.round_films.film(await asked_round(visit), seat_in(visit.request))
    return kept(packed_response(visit.request, block_of(made, visit.number("block"))))


def block_of(film: PackedFilm, at: int) -> bytes:
    if at < len(film.blocks):
        return film.blocks[at]
    raise NothingToShow(f"there is no block {at}")


# Watching


async def live(socket: WebSocket, visit: Visit) -> None:
    """Tells a page how the film of one field grows."""
    row = await visit.ask(room_named, str(socket.path_params["slug"]))
    room = visit.showroom.rooms.named(row.slug)
    if room is None:
        raise NothingToShow("this room is not being played in")
    if row_hides(row):
        raise NothingToShow(WITHHELD)
    await socket.accept()
    field = field_numbered(room, int(socket.path_params["number"]))
    if field is None:  # it has just ended, perhaps: that is no trouble, and a browser shows a refusal as one
        await socket.close(GONE, "this field is not being played on")
        return
    if field.watchers >= MOST_WATCHERS:
        await socket.close(FULL, f"{MOST_WATCHERS} pages watch this field already")
        return
    field.watchers += 1
    try:
        await until_gone(socket, ignore, tell_film(socket, field.film))
    finally:
        field.watchers -= 1


PAGES = [
    get("/rooms", rooms),
    get("/rooms/{slug}", room),
    get("/rooms/{slug}/fields", told_as_json(fields)),
    get("/rooms/{slug}/boards", boards),
    get("/rooms/{slug}/leaders", leaders),
    get("/rooms/{slug}/settings", settings),
    post("/rooms/{slug}/join", join),
    get("/rooms/{slug}/mine", mine, Access.PERSON),
    post("/rooms/{slug}/renew", renew),
    post("/rooms/{slug}/leave", leave),
    get("/rooms/{slug}/rounds", rounds),
    get("/rooms/{slug}/rounds/{number:int}", one_round),
    get("/rooms/{slug}/rounds/{number:int}/board", round_board),
    get("/rooms/{slug}/rounds/{number:int}/replay", replay, pace=STREAM),
    get("/rooms/{slug}/film/{number:int}", told_as_json(film), pace=STREAM),
    get("/rooms/{slug}/film/{number:int}/block/{block:int}", told_as_json(block), pace=STREAM),
]
SOCKETS = [Socket("/rooms/{slug}/live/{number:int}", live)]
