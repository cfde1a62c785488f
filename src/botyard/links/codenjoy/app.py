"""The server of rooms as an ASGI app: sockets, pages and the REST endpoints a bot's author needs.

`contest_app` holds everything below `/codenjoy-contest`, for whoever mounts it there. Its rooms tick while
`lobby.running()` is entered, which is the host's affair: a mounted app has no life of its own.
"""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute

from botyard.kernel.errors import UnknownName, YardError
from botyard.links.codenjoy.addresses import CONTEXT
from botyard.links.codenjoy.pages import Pages
from botyard.links.codenjoy.reception import LobbyReception, Reception
from botyard.links.codenjoy.rest import Rest
from botyard.links.codenjoy.watching import Watchers
from botyard.links.web.security_headers import SecurityHeaders
from botyard.links.websocket.player_socket import Partner, PlayerSocket, SocketEndpoint
from botyard.match.lobby import Full, Lobby, NameTaken
from botyard.match.room import Room
from botyard.match.room_field import Member


class MemberPartner:
    """A member of a room, as a socket sees it."""

    notes_unasked = False

    def __init__(self, room: Room, member: Member) -> None:
        self._room, self._member = room, member

    @property
    def waits(self) -> bool:
        return self._member.session.waits

    def attach(self, socket: PlayerSocket) -> None:
        self._room.attach(self._member, socket)

    def detach(self, socket: PlayerSocket) -> None:
        self._room.detach(self._member, socket)

    def take(self, text: str) -> None:
        self._room.receive(self._member, text)


class LobbyLogin:
    """Lets sockets speak for the members of a lobby."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby

    def partner(self, user: str, code: str) -> Partner | None:
        found = self._lobby.admit(user, code)
        return MemberPartner(*found) if found else None


def contest_app(lobby: Lobby, reception: Reception | None = None) -> Starlette:
    """Everything below the context, for a server to mount."""
    behind = reception or LobbyReception(lobby)
    rest, pages = Rest(lobby, behind), Pages(lobby, behind)
    return Starlette(
        routes=[
            WebSocketRoute("/ws", SocketEndpoint(LobbyLogin(lobby))),
            WebSocketRoute("/watch/{user}", Watchers(lobby).serve),
            Route("/", pages.front),
            Route("/register", pages.register_form, methods=["GET"]),
            Route("/register", pages.register, methods=["POST"]),
            Route("/board/player/{user}", pages.board),
            Route("/board/room/{room}", pages.room),
            Route("/help/{game}", pages.rules),
            Route("/pages/{file}", pages.static),
            Route("/web/{file}", pages.viewer_file),
            Mount("/rest", routes=rest.routes()),
        ],
        middleware=[Middleware(SecurityHeaders)],
        exception_handlers={HTTPException: refuse, YardError: explain, ClientDisconnect: forget},
    )


def room_server(lobby: Lobby) -> Starlette:
    """The same for a server that has nothing else."""
    return Starlette(
        routes=[
            Route("/", enter),
            Mount(CONTEXT, app=contest_app(lobby)),
        ],
        middleware=[Middleware(SecurityHeaders)],
    )


async def enter(request: Request) -> Response:
    return RedirectResponse(f"{CONTEXT}/")


async def refuse(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": error.detail}, error.status_code, error.headers)


async def forget(request: Request, error: Exception) -> Response:
    """The client has gone before its answer: that is no failure, and the answer is read by nobody."""
    return Response(status_code=400)


async def explain(request: Request, error: Exception) -> Response:
    """A user's mistake, with its remedy."""
    assert isinstance(error, YardError)
    kinds: tuple[tuple[type[YardError], int], ...] = ((UnknownName, 404), (NameTaken, 409), (Full, 503))
    status = next((status for kind, status in kinds if isinstance(error, kind)), 400)
    return JSONResponse({"error": error.message, "hint": error.hint}, status)
