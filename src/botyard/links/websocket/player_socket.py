"""One socket of one player: boards out, answers in, and no way to hurt anybody else.

A socket has a slot for one board. A client that reads slowly finds the newest board there and misses the ones between;
one that does not read at all holds a board, what the transport buffers, and nothing more. A client that talks more than
it is asked to is not listened to for a while, so that reading it costs less than a tick.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import Protocol
from urllib.parse import parse_qs

from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

MOST_UNASKED = 32  # frames between two boards, before a client is not read for a while
DEAF_S = 1.0
MOST_FIELDS = 10  # of an address
NORMAL, TRY_AGAIN_LATER = 1000, 1013  # how sockets are closed


class Partner(Protocol):
    """The player whose answers come over a socket: a member of a room, or a bot of a match."""

    @property
    def waits(self) -> bool:
        """Whether no board goes out on a socket before it has answered the last one."""
        ...

    @property
    def notes_unasked(self) -> bool:
        """Whether frames that answer nothing are wanted, too, for a report."""
        ...

    def attach(self, socket: PlayerSocket) -> None: ...
    def detach(self, socket: PlayerSocket) -> None: ...
    def take(self, text: str) -> None: ...


class Login(Protocol):
    """Finds the player that a socket may speak for."""

    def partner(self, user: str, code: str) -> Partner | None: ...


class SocketEndpoint:
    """The ASGI endpoint `…?user=…&code=…`: refuses a wrong code with 401, else talks until the client goes.

    An address without a user means the one that its path ends with.
    """

    def __init__(self, login: Login) -> None:
        self._login = login

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()  # websocket.connect
        partner = self._login.partner(*login_of(scope))
        if partner is None:
            await PlainTextResponse("Unauthorized: unknown user or wrong code\n", 401)(scope, receive, send)
            return
        await send({"type": "websocket.accept"})
        socket = PlayerSocket(partner, receive, send)
        partner.attach(socket)
        speaking = asyncio.create_task(socket.speak())
        try:
            await socket.listen()
        finally:
            partner.detach(socket)
            speaking.cancel()
            with contextlib.suppress(asyncio.CancelledError, OSError):
                await speaking


def login_of(scope: Scope) -> tuple[str, str]:
    """User and code of an address; two empty texts if they cannot be read."""
    try:
        asked = parse_qs(scope["query_string"].decode("latin-1"), max_num_fields=MOST_FIELDS)
    except ValueError:
        return "", ""
    user = asked.get("user", [""])[0] or scope["path"].rpartition("/")[2]
    return user, asked.get("code", [""])[0]


class PlayerSocket:
    """Both directions of an open socket."""

    def __init__(self, partner: Partner, receive: Receive, send: Send) -> None:
        self._partner, self._receive, self._send = partner, receive, send
        self._board: str | None = None  # the slot
        self._news = asyncio.Event()
        self._dismissal: tuple[int, str] | None = None
        self.owes = False  # a board has gone out and was not answered
        self._unasked = 0

    # Called by a tick: never waits

    def show(self, board: str) -> None:
        if self.owes and self._partner.waits:
            return
        self._board = board
        self._news.set()

    def dismiss(self, reason: str, code: int = TRY_AGAIN_LATER) -> None:
        self._dismissal = (code, reason)
        self._news.set()

    # The two tasks of a socket

    async def speak(self) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            board, self._board = self._board, None
            code, reason = self._dismissal or (NORMAL, "")
            if board is not None and code == NORMAL:  # who is let go in peace hears the last word
                await self._send({"type": "websocket.send", "text": board})
                self.owes, self._unasked = True, 0
            if self._dismissal is not None:
                await self._send({"type": "websocket.close", "code": code, "reason": reason})
                return

    async def listen(self) -> None:
        while True:
            message = await self._receive()
            if message["type"] == "websocket.disconnect":
                return
            text = message.get("text")
            asked = self.owes and text is not None
            if text is not None and (asked or self._partner.notes_unasked):
                self._partner.take(text)
            if asked:
                self.owes = False
                continue
            self._unasked += 1
            if self._unasked > MOST_UNASKED:
                self._unasked = 0
                await asyncio.sleep(DEAF_S)
