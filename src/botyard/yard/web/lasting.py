"""Sockets and streams last: each ends soon after whoever opened it signs out, is banned, or loses the token.

A request is judged when it comes, and most are over before anything could change. What goes on is looked at again every
second, all of it with one look at the tables.
"""

from __future__ import annotations

import asyncio
import contextlib

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from botyard.yard.caller import Caller
from botyard.yard.data.database import DatabaseAway
from botyard.yard.people.welcome import still_welcome
from botyard.yard.site import Yard

LOOK_S = 1.0  # between two looks
SIGNED_OUT = 4401  # how a socket is closed; the first two digits are for applications


class OpenLine:
    """A request that goes on, and how far its answer has come."""

    def __init__(self, caller: Caller, send: Send) -> None:
        self.caller, self._send, self.revoked = caller, send, False
        self._last = ""  # the kind of what was sent last
        self._over = False

    async def send(self, message: Message) -> None:
        self._last = message["type"]
        whole = self._last == "http.response.body" and not message.get("more_body", False)
        self._over = self._over or whole or self._last == "websocket.close"
        await self._send(message)

    async def end(self, kind: str) -> None:
        """Ends the answer in good form, unless it has ended."""
        if self._over:
            return
        with contextlib.suppress(OSError, RuntimeError):  # the other side may have gone meanwhile
            if kind == "websocket":
                await self.send({"type": "websocket.close", "code": SIGNED_OUT, "reason": "you were signed out"})
            elif self._last:
                await self.send({"type": "http.response.body", "body": b"", "more_body": False})


class OpenLines:
    """All that goes on of people who are known."""

    def __init__(self, yard: Yard) -> None:
        self._yard = yard
        self._lines: dict[OpenLine, asyncio.Future[None]] = {}
        self._looking: asyncio.Task[None] | None = None

    async def serve(self, caller: Caller, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        """Has an app answer a request as long as its caller is welcome."""
        line = OpenLine(caller, send)
        going = asyncio.ensure_future(app(scope, receive, line.send))
        self._lines[line] = going
        if self._looking is None:
            self._looking = asyncio.create_task(self._look())
        try:
            await going
        except asyncio.CancelledError:
            ours = asyncio.current_task()
            if not line.revoked or (ours is not None and ours.cancelling()):
                raise
        finally:
            del self._lines[line]
            self._rest()
        if line.revoked:
            await line.end(scope["type"])

    def _rest(self) -> None:
        """Looks no longer if nothing goes on any more."""
        if not self._lines and self._looking is not None:
            self._looking.cancel()
            self._looking = None

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(LOOK_S)
            with contextlib.suppress(DatabaseAway):
                await self._end_unwelcome()

    async def _end_unwelcome(self) -> None:
        looked_at = {line.caller for line in self._lines}
        welcome = await self._yard.ask(still_welcome, looked_at, self._yard.clock())
        for line, going in list(self._lines.items()):
            if not line.revoked and line.caller in looked_at - welcome:
                line.revoked = True
                going.cancel()
