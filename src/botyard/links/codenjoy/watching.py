"""Who watches a player of a room: the film of the field it plays on, as it grows, over a WebSocket.

A watcher is told what is new at its own pace. It has no way to say anything, and the room never waits for it.
"""

from __future__ import annotations

import asyncio

from starlette.websockets import WebSocket

from botyard.links.viewing.sockets import FULL, ignore, until_gone
from botyard.match.live_film import LiveFilm, Watching
from botyard.match.lobby import Lobby
from botyard.match.room import Room
from botyard.match.room_field import Member
from botyard.render.film import compact

MOST_WATCHERS = 200  # of one field


class Watchers:
    """The pages that watch the players of a lobby."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby

    async def serve(self, socket: WebSocket) -> None:
        found = self._lobby.find(socket.path_params["user"])
        if found is None:
            await socket.close()  # not accepted: the browser is refused
            return
        await socket.accept()
        await until_gone(socket, ignore, tell(*found, socket))


async def tell(room: Room, member: Member, socket: WebSocket) -> None:
    """Tells the film of the field that the member plays on, and closes. For the next one a page comes again."""
    while member.field is None:
        await asyncio.sleep(room.tick_ms / 1000)
    field = member.field
    if field.watchers >= MOST_WATCHERS:
        await socket.close(FULL, f"{MOST_WATCHERS} pages watch this field already")
        return
    field.watchers += 1
    try:
        await tell_while_here(member, field.film, socket)
    finally:
        field.watchers -= 1
    await socket.close()


async def tell_while_here(member: Member, film: LiveFilm, socket: WebSocket) -> None:
    """Tells a film until it ends, or ends it for this page when the member plays elsewhere."""
    watching, field = Watching(film), member.field
    while not watching.done and member.field is field:
        news = film.written(watching)
        if news is None:
            await film.news()
        else:
            await socket.send_text(news)
    if not film.over:
        await socket.send_text(compact({"head": {**film.head(), "last": watching.seen - 1}}))
