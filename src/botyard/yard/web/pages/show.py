"""What the viewer asks for: films, their blocks, turn reports, and matches while they are played."""

from __future__ import annotations

from starlette.responses import JSONResponse, Response
from starlette.websockets import WebSocket

from botyard.kernel.errors import YardError
from botyard.links.viewing.app import packed_response, seat_in
from botyard.links.viewing.packed import packed
from botyard.links.viewing.screening import NothingToShow
from botyard.links.web.pace import STREAM
from botyard.yard.caller import Caller
from botyard.yard.ladders.match_lists import ShownMatch, match_for
from botyard.yard.refusals import NotAllowed, status_of
from botyard.yard.web.routing import Handler, Socket, get
from botyard.yard.web.spectators import film_begun, live_film, withheld
from botyard.yard.web.visit import LARGEST, Visit

NOBODY = Caller()
KEPT = "public, max-age=3600"  # what cannot change any more


def told_as_json(answer: Handler) -> Handler:
    """Returns a page whose refusals are JSON, as the viewer reads them."""

    async def answered(visit: Visit) -> Response:
        try:
            return await answer(visit)
        except YardError as error:
            status = 404 if isinstance(error, NothingToShow) else status_of(error)
            return JSONResponse({"error": error.message, "hint": error.hint}, status)

    return answered


async def asked_match(visit: Visit) -> ShownMatch:
    return await visit.ask(match_for, visit.number("number"), visit.caller)


async def film(visit: Visit) -> Response:
    match = await asked_match(visit)
    made = await visit.showroom.films.film(match, seat_in(visit.request))
    return kept(match, packed_response(visit.request, made.opening))


async def block(visit: Visit) -> Response:
    match, at = await asked_match(visit), visit.number("block")
    live = live_film(visit.steward, match.listed.id)
    if live is not None and not withheld(match, visit.caller):
        part = live.block(at)
        if part is None:
            raise NothingToShow(f"there is no block {at} yet")
        return packed_response(visit.request, packed(part))
    made = await visit.showroom.films.film(match, seat_in(visit.request))
    if at >= len(made.blocks):
        raise NothingToShow(f"there is no block {at}")
    return kept(match, packed_response(visit.request, made.blocks[at]))


def kept(match: ShownMatch, answer: Response) -> Response:
    if match.listed.released and match.open_to(NOBODY):
        answer.headers["Cache-Control"] = KEPT
    return answer


async def turns(visit: Visit) -> Response:
    match = await asked_match(visit)
    return packed_response(visit.request, await visit.showroom.films.turn_sheet(match, open_places(visit, match)))


def open_places(visit: Visit, match: ShownMatch) -> list[int]:
    """Returns the places whose turns the caller may see; refuses if there is none, or if it is too early."""
    if not match.listed.released:
        raise NotAllowed("turns are shown when both games of the pair are over", hint="watch the board meanwhile")
    places = [seat.place for seat in match.listed.seats if seat.open_to(visit.caller)]
    if not places:
        raise NotAllowed("turns are shown to the owner of a bot", hint="sign in, if one of these bots is yours")
    return places


async def live(socket: WebSocket, visit: Visit) -> None:
    await watch(socket, visit, int(socket.path_params["number"]))


async def watch(socket: WebSocket, visit: Visit, number: int) -> None:
    """Tells a socket how the film of a match grows."""
    match = await visit.ask(match_for, min(number, LARGEST), visit.caller)
    growing = await film_begun(visit.steward, match.listed.id)
    if growing is None:
        raise NothingToShow("this game is not being played")
    await visit.showroom.spectators.serve(socket, match, growing, visit.caller)


PAGES = [
    get("/show/film/{number:int}", told_as_json(film), pace=STREAM),
    get("/show/film/{number:int}/block/{block:int}", told_as_json(block), pace=STREAM),
    get("/show/turns/{number:int}", told_as_json(turns), pace=STREAM),
]
SOCKETS = [Socket("/show/live/{number:int}", live)]
