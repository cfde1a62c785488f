"""Who watches a player of a room: the film of the field it plays on, as it grows, over a WebSocket.

A watcher is told what is new at its own pace. It has no way to say anything, and the room never waits for it.
"""

from __future__ import annotations

import asyncio
import contextlib

from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from botyard.match.live_film import MOST_WATCHERS, LiveFilm, Watching
from botyard.match.lobby import Lobby
from botyard.match.room import Member, Room
from botyard.render.film import compact

NORMAL, TRY_AGAIN_LATER = 1000, 1013


class WatchEndpoint:
    """The ASGI endpoint `…/watch/USER`."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()  # websocket.connect
        found = self._lobby.find(scope["path_params"]["user"])
        if found is None:
            await PlainTextResponse("no such player\n", 404)(scope, receive, send)
            return
        await send({"type": "websocket.accept"})
        telling = asyncio.create_task(tell(*found, send))
        try:
            while (await receive())["type"] != "websocket.disconnect":
                pass  # whatever a watcher says
        finally:
            telling.cancel()
            with contextlib.suppress(asyncio.CancelledError, OSError):
                await telling


async def tell(room: Room, member: Member, send: Send) -> None:
    """Tells the film of the field that the member plays on, and closes. For the next one a watcher comes again."""
    while member.field is None:
        await asyncio.sleep(room.tick_ms / 1000)
    film = member.field.film
    if film.watchers >= MOST_WATCHERS:
        reason = f"{MOST_WATCHERS} watch this field already"
        await send({"type": "websocket.close", "code": TRY_AGAIN_LATER, "reason": reason})
        return
    film.watchers += 1
    try:
        await tell_film(member, film, send)
    finally:
        film.watchers -= 1
    await send({"type": "websocket.close", "code": NORMAL, "reason": ""})


async def tell_film(member: Member, film: LiveFilm, send: Send) -> None:
    """Tells a film from its newest block on, until it ends or the member plays elsewhere: then it ends for this one."""
    watching, field = Watching(film), member.field
    while not watching.done and member.field is field:
        news = watching.news()
        if news is None:
            await film.news()
        else:
            await send({"type": "websocket.send", "text": compact(news)})
    if not film.over:
        end = {"head": {**film.head(), "last": watching.seen - 1}}
        await send({"type": "websocket.send", "text": compact(end)})
