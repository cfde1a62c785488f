"""Where a bot of a match opens its WebSocket: its own address, its own code, one or several sockets.

A bot that loses its sockets has gone, and one that opens another is back: the next board goes to it again.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Callable
from functools import partial
from urllib.parse import urlsplit, urlunsplit

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute

from botyard.kernel.session import EMPTY_MESSAGE
from botyard.links.started_program import LEAVE_S
from botyard.links.tcp import LOOPBACK, Connection, Entrance, ListeningPort, caller_of
from botyard.links.web.http import PatientHttp
from botyard.links.web.security_headers import SecurityHeaders
from botyard.links.web.server import listen, serving
from botyard.links.websocket.player_socket import NORMAL, Partner, PlayerSocket, SocketEndpoint
from botyard.match.lobby import fresh_code

MOST_SOCKETS = 8
MOST_CONNECTIONS = 32  # of one bot: its sockets, and what looks around; thousands would use up the files of all seats


class WebSocketConnection(Connection):
    """All sockets of one bot as one connection: boards go to every one, the first frame of any is the answer."""

    waits = False  # a match asks again only after an answer, or when its time is up
    notes_unasked = True  # the next question drops them, and the turn report shows them

    def __init__(self) -> None:
        super().__init__()
        self.arrived = asyncio.Event()
        self._sockets: list[PlayerSocket] = []

    def attach(self, socket: PlayerSocket) -> None:
        self._sockets.append(socket)
        if len(self._sockets) > MOST_SOCKETS:
            self._sockets.pop(0).dismiss("too many sockets for this bot")
        self.closed = False
        self.arrived.set()

    def detach(self, socket: PlayerSocket) -> None:
        if socket in self._sockets:
            self._sockets.remove(socket)
        if not self._sockets:
            self.arrived.clear()
            self.close_off()

    def take(self, text: str) -> None:
        if not self.flooded:
            self.data_received(text.encode("utf-8", "replace") or EMPTY_MESSAGE)

    def send(self, data: bytes) -> None:
        if data:  # a session that has nothing to say does not say it
            for each in self._sockets:
                each.show(data.decode())

    async def close(self) -> None:
        """Every socket is told that it was the last word; nobody is waited for longer than a moment."""
        for each in self._sockets:
            each.dismiss("the match is over", NORMAL)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LEAVE_S):
                while self._sockets:
                    await asyncio.sleep(0.01)


class Invitation:
    """The arguments a bot is started with. The last is the address it opens, with a code that cannot be guessed."""

    def __init__(self, arguments: Callable[[str, int], list[str]]) -> None:
        self._arguments = arguments
        self.code = fresh_code()

    def words(self, host: str, port: int) -> list[str]:
        *others, address = self._arguments(host, port)
        return [*others, urlunsplit(urlsplit(address)._replace(query=f"code={self.code}"))]

    @property
    def user(self) -> str:
        return urlsplit(self._arguments(LOOPBACK, 0)[-1]).path.rpartition("/")[2]


class WebSocketPort(ListeningPort):
    """A listening port for one or several bots, each with an entrance of its own; it closes behind the last of them."""

    only: int | None = None  # as an entrance has it: a rival could read the code in a list of processes

    def __init__(self, listening: socket.socket | None = None) -> None:
        super().__init__(listening or listen(LOOPBACK, 0))
        self._entrances: dict[tuple[str, str], WebSocketEntrance] = {}
        self._server = contextlib.AsyncExitStack()
        self._serves = False
        self._turn = asyncio.Lock()

    @classmethod
    def at(cls, host: str, port: int = 0) -> WebSocketPort:
        return cls(listen(host, port))

    def entrance(self, invitation: Invitation) -> WebSocketEntrance:
        entrance = self._entrances[invitation.user, invitation.code] = WebSocketEntrance(self)
        return entrance

    def partner(self, user: str, code: str) -> Partner | None:
        entrance = self._entrances.get((user, code))
        return entrance.connection if entrance is not None else None

    async def open(self) -> None:
        async with self._turn:
            if not self._serves:
                self._serves = True
                most = MOST_CONNECTIONS * len(self._entrances)
                http = partial(PatientHttp, admits=self._admits)
                # As many may wait at the door: all who wait are let in at once, and only then counted.
                served = serving(self._app(), self._socket, limit_concurrency=most, backlog=most, http=http)
                await self._server.enter_async_context(served)

    def _admits(self, caller: socket.socket) -> bool:
        return self.only is None or caller_of(caller) == self.only

    async def close(self, entrance: WebSocketEntrance) -> None:
        """An entrance closes; behind the last one the port does, too."""
        async with self._turn:
            self._entrances = {key: other for key, other in self._entrances.items() if other is not entrance}
            if not self._entrances:
                await self._server.aclose()
                self._socket.close()

    def _app(self) -> Starlette:
        return Starlette(
            routes=[
                # Whatever path a game's clients make of their address: who may come in is decided by user and code.
                WebSocketRoute("/{path:path}", SocketEndpoint(self)),
                Route("/{path:path}", explain),
            ],
            middleware=[Middleware(SecurityHeaders)],
        )


async def explain(request: Request) -> Response:
    return PlainTextResponse("This is the address of a bot in a match: give it to the bot.\n")


class WebSocketEntrance(Entrance):
    """One bot's entrance."""

    comes_again = True

    def __init__(self, port: WebSocketPort) -> None:
        self.connection = WebSocketConnection()
        self._port = port

    @property
    def host(self) -> str:
        return self._port.host

    @property
    def port(self) -> int:
        return self._port.port

    @property
    def only(self) -> int | None:
        return self._port.only

    @only.setter
    def only(self, user: int | None) -> None:
        self._port.only = user

    def expect(self) -> None:
        """Nothing to do: the port expects a bot for as long as this entrance is there."""

    async def accept(self) -> Connection:
        await self._port.open()
        await self.connection.arrived.wait()
        return self.connection

    async def leave(self) -> None:
        await self._port.close(self)
