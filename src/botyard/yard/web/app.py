"""All pages of a yard as one ASGI app."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketState

from botyard.kernel.errors import YardError
from botyard.links.viewing.screening import NothingToShow
from botyard.links.web.pace import keep_pace
from botyard.yard.caller import Caller
from botyard.yard.refusals import NotSignedIn, TooMuch, status_of
from botyard.yard.site import Yard
from botyard.yard.web.routing import Access, Page, Socket
from botyard.yard.web.showroom import Showroom
from botyard.yard.web.sorted_routes import Addressed, SortedRoutes
from botyard.yard.web.visit import Visit

if TYPE_CHECKING:
    from botyard.yard.rooms.caretaker import Caretaker
    from botyard.yard.work.steward import Steward


class PageServer:
    """Answers requests to pages: knows who asks, keeps doors, and says what went wrong."""

    def __init__(self, yard: Yard, steward: Steward | None = None, rooms: Caretaker | None = None) -> None:
        self._yard, self._steward, self.showroom = yard, steward, Showroom(yard, rooms)

    def app(self, pages: Iterable[Page], sockets: Iterable[Socket] = ()) -> Starlette:
        routes: list[Addressed] = [
            *(Route(page.path, self._endpoint(page), methods=[page.method]) for page in pages),
            *(WebSocketRoute(socket.path, self._socket(socket)) for socket in sockets),
        ]
        return Starlette(
            routes=[SortedRoutes(routes)],
            exception_handlers={HTTPException: self._refuse, YardError: self._explain, ClientDisconnect: forget},
        )

    def _endpoint(self, page: Page) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            keep_pace(request.scope, page.pace)
            visit = self._visit(request)
            keep_door(page.access, visit.caller)
            return await page.answer(visit)

        return answer

    def _socket(self, door: Socket) -> Callable[[WebSocket], Awaitable[None]]:
        async def answer(socket: WebSocket) -> None:
            visit = self._visit(socket)
            try:
                keep_door(door.access, visit.caller)
                await door.answer(socket, visit)
            except YardError as error:
                if socket.client_state is not WebSocketState.CONNECTING:
                    raise
                status = 404 if isinstance(error, NothingToShow) else status_of(error)
                await PlainTextResponse(f"{error.message}\n", status)(socket.scope, socket.receive, socket.send)

        return answer

    def _visit(self, request: HTTPConnection) -> Visit:
        caller = request.scope.get("state", {}).get("caller", Caller())
        return Visit(request, self._yard, caller, self._steward, self.showroom)

    async def _refuse(self, request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        words = {404: "there is no such page", 405: "that is not done here"}.get(error.status_code, error.detail)
        return self._visit(request).page("refusal.html", error.status_code, message=words, hint="")

    async def _explain(self, request: Request, error: Exception) -> Response:
        assert isinstance(error, YardError)
        visit, status = self._visit(request), status_of(error)
        if isinstance(error, NotSignedIn) and request.method == "GET":
            wanted = f"{request.url.path}?{request.url.query}" if request.url.query else request.url.path
            return visit.go(f"/login?{urlencode({'to': wanted})}")
        answer = visit.page("refusal.html", status, message=error.message, hint=error.hint)
        if isinstance(error, TooMuch):
            answer.headers["Retry-After"] = str(error.retry_after_s)
        return answer


def keep_door(access: Access, caller: Caller) -> None:
    if access is Access.PERSON:
        caller.need()
    elif access is Access.ADMIN:
        caller.need_admin()


async def forget(*_: object) -> Response:
    """The client has gone before its answer, which is read by nobody."""
    return Response(status_code=400)
