"""Rooms: who plays in them, their leaders and rounds, and joining them."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from starlette.responses import Response

from botyard.links.codenjoy.addresses import CONTEXT, board_path, origin_of, socket_of
from botyard.links.web.pace import STREAM
from botyard.yard.api.fields import Asked, Cursor, Limit, Line, ListPart, Number, Place, Told, Wanted, Word, part_of
from botyard.yard.api.fields import number_in as cursor_in
from botyard.yard.api.matches import Seat
from botyard.yard.api.routing import JSON, Call, Need, Section, get, post, remove
from botyard.yard.caller import PLAY
from botyard.yard.rooms.chronicles import ShownChronicle, chronicle_numbered, chronicles_of
from botyard.yard.rooms.members import join_room, leave_room, members_of, own_code, renew_code
from botyard.yard.rooms.points import day_in, day_word, days_of, leaders_of
from botyard.yard.rooms.rooms import RoomRow, room_named
from botyard.yard.rooms.shown import ShownRoom, shown_fields, shown_room, shown_rooms
from botyard.yard.web.pages import rooms as pages


class RoomAnswer(Told):
    """A live room: bots connect by themselves and play as long as they please."""

    slug: str
    game: str
    title: str
    state: str
    """`open` or `closed`."""
    door: str
    """Who may register: `anybody`, by a name alone, or `accounts`."""
    settings: dict[str, Any]
    """By which its fields play from their next round on."""
    house: list[str]
    """The house bots that play in it."""
    made_ms: int
    closed_ms: int | None
    members: int
    playing: int
    """Members on a field."""
    fields: int
    tick_ms: int
    """From board to board; 0: it does not tick."""
    trouble: str
    """Why it does not tick although it is open."""


class SeatedAnswer(Told):
    """Somebody on a field."""

    seat: int
    user: str
    name: str
    points: int


class FieldAnswer(Told):
    """A field that is being played on."""

    number: int
    headline: str
    seats: list[SeatedAnswer]


class LeaderAnswer(Told):
    """A line of a room's table of leaders."""

    place: int
    user: str
    name: str
    house: bool
    points: int


class LeadersAnswer(Told):
    """The leaders of a room, and the days of which there are others."""

    items: list[LeaderAnswer]
    days: list[str]


class RoundAnswer(Told):
    """What was written down of a field of a room, from its first tick to its last."""

    id: int
    players: list[str]
    game: str
    rules: int
    settings: dict[str, Any]
    begun_ms: int
    ended_ms: int
    ticks: int
    """Entries of its replay."""
    beats: int
    """Of them, those in which orders were carried out."""
    pruned_ms: int | None


class JoinForm(Wanted):
    """How you want to be called in the room; by default like your account."""

    name: Line = ""


class AddressAnswer(Told):
    """Your own address in a room. It is a secret: whoever has it can play for you."""

    user: str
    code: str
    name: str
    board: str
    """The page of your board, which clients of the original take."""
    socket: str
    """The WebSocket on which boards come."""


def tell_room(shown: ShownRoom) -> RoomAnswer:
    row = shown.row
    return RoomAnswer(
        slug=row.slug, game=row.game, title=row.title, state=row.state, door=row.door, settings=row.settings,
        house=list(row.house), made_ms=row.made_ms, closed_ms=row.closed_ms, members=shown.members,
        playing=shown.playing, fields=shown.fields, tick_ms=shown.tick_ms, trouble=shown.trouble,
    )  # fmt: skip


def tell_round(told: ShownChronicle) -> RoundAnswer:
    return RoundAnswer.model_validate(told)


async def room_answer(call: Call, slug: str) -> RoomAnswer:
    """Returns a room as it is now."""

    def read(connection: sa.Connection) -> RoomAnswer:
        row = room_named(connection, slug)
        return tell_room(shown_room(row, len(members_of(connection, row.id)), call.showroom.rooms))

    return await call.ask(read)


async def list_rooms(call: Call) -> ListPart[RoomAnswer]:
    """Lists the rooms, those that are open first."""
    return ListPart(items=[tell_room(shown) for shown in await call.ask(shown_rooms, call.showroom.rooms)])


async def one_room(call: Call, slug: Word) -> RoomAnswer:
    """Tells about a room."""
    return await room_answer(call, slug)


async def room_fields(call: Call, slug: Word) -> ListPart[FieldAnswer]:
    """Lists the fields of a room that are being played on, and who sits there."""
    row: RoomRow = await call.ask(room_named, slug)
    return ListPart(items=[FieldAnswer.model_validate(one) for one in shown_fields(call.showroom.rooms, row.id)])


async def room_leaders(call: Call, slug: Word, day: Asked = "") -> LeadersAnswer:
    """Returns the members of a room by points: of all days, or of one that is written like 2018-12-24 (UTC)."""

    def read(connection: sa.Connection) -> LeadersAnswer:
        row = room_named(connection, slug)
        leaders = leaders_of(connection, row.id, day_in(day) if day else None)
        days = [day_word(one) for one in days_of(connection, row.id)]
        return LeadersAnswer(items=[LeaderAnswer.model_validate(leader) for leader in leaders], days=days)

    return await call.ask(read)


async def room_rounds(call: Call, slug: Word, cursor: Cursor = "", limit: Limit = 30) -> ListPart[RoundAnswer]:
    """Lists what was written down of a room, the latest first."""
    before = cursor_in(cursor)

    def read(connection: sa.Connection) -> ListPart[RoundAnswer]:
        row = room_named(connection, slug)
        found = chronicles_of(connection, row.id, before=before, limit=limit + 1)
        return part_of(found, limit, tell_round, lambda told: told.id)

    return await call.ask(read)


async def one_round(call: Call, slug: Word, number: Number) -> RoundAnswer:
    """Tells about a round of a room."""
    return tell_round(await call.ask(chronicle_numbered, slug, number))


async def round_replay(call: Call, slug: Word, number: Number) -> Response:
    """Gives the replay of a round as a file."""
    return await pages.replay(call)


async def round_film(call: Call, slug: Word, number: Number, seat: Seat = None) -> Response:
    """Gives the film of a round: how it opens, and how many blocks follow. With `seat` what that seat saw of it."""
    return await pages.film(call)


async def round_film_block(call: Call, slug: Word, number: Number, block: Place, seat: Seat = None) -> Response:
    """Gives a block of the film of a round."""
    return await pages.block(call)


# Playing


async def address_of(call: Call, slug: str) -> AddressAnswer:
    _, member, code = await call.change(own_code, slug, call.caller.need(PLAY))
    place = f"{call.yard.config.public_url or origin_of(call.request)}{CONTEXT}"
    return AddressAnswer(
        user=member.user,
        code=code,
        name=member.name,
        board=f"{place}{board_path(member.user, code)}",
        socket=f"{socket_of(place)}/ws?user={member.user}&code={code}",
    )


async def join(call: Call, slug: Word, form: JoinForm) -> AddressAnswer:
    """Joins a room with your account; returns your address there."""
    person, name = call.caller.need(PLAY), form.name or call.caller.name
    member = await call.change(join_room, slug, person, name, call.yard.clock())
    await call.showroom.rooms.follow(member.room)
    return await address_of(call, slug)


async def own_address(call: Call, slug: Word) -> AddressAnswer:
    """Tells your own address in a room that you have joined."""
    return await address_of(call, slug)


async def renew_address(call: Call, slug: Word) -> AddressAnswer:
    """Gives you another code; the one of before is worthless, and bots that use it are sent away."""
    row = await call.change(renew_code, slug, call.caller.need(PLAY), call.yard.clock())
    await call.showroom.rooms.follow(row.id)
    return await address_of(call, slug)


async def leave(call: Call, slug: Word) -> None:
    """Leaves a room for good: your address ends, and your points go."""
    row = await call.change(leave_room, slug, call.caller.need(PLAY), call.yard.clock())
    await call.showroom.rooms.follow(row.id)


ROUND = "/rooms/{slug}/rounds/{number}"
SECTION = Section.of(
    "Rooms",
    "In a live room the clock waits for nobody. Your bot runs on your own machine and connects with your address.",
    get("/rooms", list_rooms),
    get("/rooms/{slug}", one_room),
    get("/rooms/{slug}/fields", room_fields),
    get("/rooms/{slug}/leaders", room_leaders),
    get("/rooms/{slug}/rounds", room_rounds),
    get(ROUND, one_round),
    get(f"{ROUND}/replay", round_replay, gives="application/octet-stream", pace=STREAM),
    get(f"{ROUND}/film", round_film, gives=JSON, pace=STREAM),
    get(f"{ROUND}/film/blocks/{{block}}", round_film_block, gives=JSON, pace=STREAM),
    post("/rooms/{slug}/membership", join, Need.PLAY, status=201),
    get("/rooms/{slug}/membership", own_address, Need.PLAY),
    post("/rooms/{slug}/membership/renew", renew_address, Need.PLAY),
    remove("/rooms/{slug}/membership", leave, Need.PLAY, status=204),
)
