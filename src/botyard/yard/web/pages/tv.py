"""The projector: one live match after another, the highest rated first, and it goes on by itself."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from starlette.responses import JSONResponse, Response

from botyard.yard.ladders.broadcast import Broadcast, lately, next_of, on_air
from botyard.yard.web.pages.matches import title_of
from botyard.yard.web.pages.show import told_as_json
from botyard.yard.web.routing import get
from botyard.yard.web.visit import Visit

MOST_SEEN = 20  # matches that a page says it has seen


async def tv(visit: Visit) -> Response:
    on = await visit.ask(on_air, live_matches(visit))
    return visit.page("tv.html", running=[one.match for one in on])


def live_matches(visit: Visit) -> set[int]:
    return set() if visit.steward is None else set(visit.steward.live)


@told_as_json
async def next_match(visit: Visit) -> Response:
    """Tells what to show next: a live match that was not seen lately, else a field of a room, else a game of lately."""
    seen = [int(word) for word in visit.word("seen").split(",")[:MOST_SEEN] if is_number(word)]

    def read(connection: sa.Connection) -> tuple[Broadcast | None, Broadcast | None]:
        return next_of(on_air(connection, live_matches(visit)), seen), next_of(lately(connection), seen)

    live, over = await visit.ask(read)
    room = None if live else busiest_field(visit)
    if live is not None or (room is None and over is not None):
        shown = live or over
        assert shown is not None
        return JSONResponse(told(shown, live is not None))
    return JSONResponse(room or {})


def is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 16


def told(shown: Broadcast, live: bool) -> dict[str, Any]:
    match = shown.match
    return {
        "match": match.id,
        "live": live,
        "film": f"/show/film/{match.id}",
        "socket": f"/show/live/{match.id}",
        "page": f"/matches/{match.id}",
        "title": title_of(match),
        "where": match.ladder_title or match.game,
        "rating": round(shown.rating, 1),
    }


def busiest_field(visit: Visit) -> dict[str, Any] | None:
    """Returns the field of a room on which most play."""
    caretaker = visit.showroom.rooms
    fields = [(field, room) for room in caretaker.lobby.rooms.values() for field in room.fields if field.members]
    if not fields:
        return None
    field, room = max(fields, key=lambda one: len(one[0].members))
    if room.settings.habits.hides:
        return None
    way = f"/rooms/{room.name}"
    return {
        "room": room.name,
        "live": True,
        "socket": f"{way}/live/{field.number}",
        "page": way,
        "title": f"Room {room.name}",
        "where": room.book.facts.title,
        "rating": None,
    }


PAGES = [get("/tv", tv), get("/tv/next", next_match)]
