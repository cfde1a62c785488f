"""Looking at a file of one's own: a replay, or a log of an original program, becomes a film. Nothing of it is kept."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Query
from starlette.responses import Response

from botyard.links.viewing.app import packed_response
from botyard.links.web.pace import UPLOAD
from botyard.yard.api.matches import Seat
from botyard.yard.api.routing import FILE, JSON, Call, Need, Section, post
from botyard.yard.web.pages.view import brought_file
from botyard.yard.web.visit import LARGEST

FORM: dict[str, Any] = {"type": "object", "required": ["file"], "properties": {"file": FILE}}
GameAt = Annotated[int, Query(ge=0, le=LARGEST, description="Which of the games in the file, from 0")]


async def film_of_file(call: Call, game: GameAt = 0, seat: Seat = None) -> Response:
    """Makes a film of a replay, or of a log of an original program. It comes with the `name` of the file, a sentence
    for each of its `games`, and which `game` it is. Nothing is kept."""
    name, content = await brought_file(call)
    return packed_response(call.request, await call.showroom.viewed.shown_once(name, content, game, seat))


SECTION = Section.of(
    "Viewing",
    "Files that you bring to look at.",
    post("/view", film_of_file, Need.NOTHING, gives=JSON, takes=FORM, pace=UPLOAD),
)
