"""The server on somebody's own machine, as an ASGI app per door: one for all that is shown, one for each person."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from botyard.kernel.errors import YardError
from botyard.links.viewing.packed import packed
from botyard.links.viewing.pages import film_page, list_page, shared_file
from botyard.links.viewing.screening import NothingToShow
from botyard.links.viewing.shelf import Shelf
from botyard.links.web.pace import STREAM, keep_pace
from botyard.links.web.security_headers import SecurityHeaders

if TYPE_CHECKING:
    from botyard.links.viewing.forks import Forks
    from botyard.links.viewing.sockets import Audience, Screens

FORK_BYTES = 4096  # of a wish to play on
MOST_LISTED = 500  # of which the list says more than their names


class Door:
    """What one address opens: a shelf, seen by everybody or from one seat of a match, and seats to play."""

    def __init__(
        self,
        shelf: Shelf,
        audiences: Mapping[int, Audience] | None = None,
        seat: int | None = None,
        people: Mapping[int, Mapping[int, Screens]] | None = None,
        forks: Forks | None = None,
    ) -> None:
        """`audiences` watch the matches on the shelf, by number; `people` are played from here, by match and seat.

        With `forks`, games can be played on from any tick.
        """
        self._shelf, self._seat, self._forks = shelf, seat, forks
        self._audiences = {} if audiences is None else audiences  # they may grow
        self._people = {} if people is None else people

    def app(self) -> ASGIApp:
        return Starlette(
            routes=[
                Route("/", self.front),
                Route("/watch/{number:int}", self.watch),
                Route("/web/{file}", self.file),
                Route("/film/{number:int}", self.film),
                Route("/film/{number:int}/block/{block:int}", self.block),
                Route("/turns/{number:int}", self.turns),
                WebSocketRoute("/live/{number:int}", self.live),
                WebSocketRoute("/seat/{number:int}/{seat:int}", self.seat),
                Route("/fork/{number:int}", self.offer_fork, methods=["GET"]),
                Route("/fork/{number:int}", self.fork, methods=["POST"]),
            ],
            middleware=[Middleware(SecurityHeaders)],
            exception_handlers={HTTPException: refuse, YardError: explain, ClientDisconnect: forget},
        )

    # Pages

    async def front(self, request: Request) -> Response:
        if len(self._shelf) == 1:
            return await self._page(request, 0)
        rows = []
        for number in range(min(len(self._shelf), MOST_LISTED)):
            try:
                label = await self._shelf.label(number)
                told = " – ".join(filter(None, [label.title, " against ".join(label.names), label.note]))
            except YardError as error:
                told = str(error)
            rows.append((number, self._shelf.title(number), told))
        return list_page(base_of(request), rows, len(self._shelf) - len(rows))

    async def watch(self, request: Request) -> Response:
        return await self._page(request, request.path_params["number"])

    async def _page(self, request: Request, number: int) -> Response:
        screening = self._shelf.screening(number)
        seats = ",".join(map(str, sorted(self._people.get(number, {})))) if screening.growing else ""
        return film_page(
            base_of(request),
            self._shelf.title(number),
            film=number,
            live="yes" if screening.growing else None,
            seat=self._seat,
            people=seats or None,
            turns=None if screening.growing else "yes",
            forks="yes" if self._forks and not screening.growing and screening.forks else None,
        )

    async def file(self, request: Request) -> Response:
        return shared_file(request.path_params["file"])

    # Films

    async def film(self, request: Request) -> Response:
        film = await self._shelf.film(request.path_params["number"], seat_in(request))
        return packed_response(request, film.opening)

    async def block(self, request: Request) -> Response:
        number, block = request.path_params["number"], request.path_params["block"]
        screening = self._shelf.screening(number)
        if screening.growing:
            part = screening.live(self._seat).block(block)
            if part is None:
                raise NothingToShow(f"there is no block {block} yet")
            return packed_response(request, packed(part))
        film = await self._shelf.film(number, seat_in(request))
        if block >= len(film.blocks):
            raise NothingToShow(f"there is no block {block}")
        return packed_response(request, film.blocks[block])

    async def turns(self, request: Request) -> Response:
        keep_pace(request.scope, STREAM)
        return packed_response(request, packed(await self._shelf.turn_sheet(request.path_params["number"])))

    # What if

    async def offer_fork(self, request: Request) -> Response:
        return JSONResponse(await self._forking().offers(request.path_params["number"]))

    async def fork(self, request: Request) -> Response:
        body = b""
        async for chunk in request.stream():
            body += chunk
            if len(body) > FORK_BYTES:
                raise HTTPException(413, "that is too much for a wish")
        return JSONResponse({"watch": await self._forking().fork(request.path_params["number"], body)})

    def _forking(self) -> Forks:
        if self._forks is None:
            raise NothingToShow("nothing can be played on here")
        return self._forks

    # Sockets

    async def live(self, socket: WebSocket) -> None:
        audience = self._audiences.get(socket.path_params["number"])
        if audience is None:
            await not_there(socket, "no such game is being played")
        else:
            await audience.serve(socket, self._seat)

    async def seat(self, socket: WebSocket) -> None:
        screens = self._people.get(socket.path_params["number"], {}).get(socket.path_params["seat"])
        if screens is None:
            await not_there(socket, "there is no such seat")
        else:
            await screens.serve(socket)


async def not_there(socket: WebSocket, sentence: str) -> None:
    await PlainTextResponse(f"{sentence}\n", 404)(socket.scope, socket.receive, socket.send)


def base_of(request: Request) -> str:
    return str(request.scope["root_path"])


def seat_in(request: Request) -> int | None:
    given = request.query_params.get("seat")
    if given is None:
        return None
    if not (given.isascii() and given.isdigit() and len(given) <= 2):
        raise NothingToShow("there is no such seat", hint="write ?seat=NUMBER")
    return int(given)


def packed_response(request: Request, body: bytes) -> Response:
    """JSON that was packed before, for whoever can unpack it."""
    headers = {"Vary": "Accept-Encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
    else:
        body = gzip.decompress(body)
    return Response(body, media_type="application/json", headers=headers)


async def refuse(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return PlainTextResponse(f"{error.detail}\n", error.status_code, error.headers)


async def explain(request: Request, error: Exception) -> Response:
    """Something that is not there, or a file that cannot be read: with its remedy."""
    assert isinstance(error, YardError)
    told: dict[str, Any] = {"error": error.message, "hint": error.hint}
    return JSONResponse(told, 404 if isinstance(error, NothingToShow) else 422)


async def forget(request: Request, error: Exception) -> Response:
    """The client has gone before its answer, which is read by nobody."""
    return Response(status_code=400)
