"""Playing by hand: a person chooses rivals, a worker takes the game, and the page of the match has the keys."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from itertools import cycle, islice

import sqlalchemy as sa
from starlette.responses import Response
from starlette.websockets import WebSocket

from botyard.games import GAMES, load
from botyard.kernel.errors import YardError
from botyard.kernel.facts import Facts
from botyard.links.viewing.screening import NothingToShow
from botyard.yard.caller import PLAY
from botyard.yard.ladders.hand_games import (
    HOUSE,
    OwnRival,
    ask_hand_game,
    leave_hand_game,
    open_hand_game,
    own_rivals,
)
from botyard.yard.ladders.match_lists import match_for
from botyard.yard.refusals import NotAllowed, NotThere, Refusal, status_of
from botyard.yard.web.routing import Access, Socket, get, post
from botyard.yard.web.visit import LARGEST, Visit
from botyard.yard.work.hand_work import THINK_MS

FREE_S = 5.0  # for a game that was resigned to be recorded
LOOK_S = 0.1
FEW = 6  # as many players are offered at most: a person can follow so many


async def choose(visit: Visit) -> Response:
    return await chosen(visit)


async def chosen(
    visit: Visit, error: YardError | None = None, place: str = "1", rivals: Sequence[str] = ()
) -> Response:
    """Returns the form, with what was wrong with it the last time and what was chosen then."""
    game = visit.request.path_params["game"]
    facts = facts_of(game)
    seats = seats_in(visit, facts)
    person = visit.caller.person

    def read(connection: sa.Connection) -> tuple[list[OwnRival], int | None]:
        assert person is not None
        return own_rivals(connection, person, game), open_hand_game(connection, person)

    versions, running = await visit.ask(read) if person is not None else ([], None)
    house = load(game).bots.HOUSE_BOTS
    usual = [f"{HOUSE}:{name}" for name in islice(cycle(house), 1, seats)]
    return visit.page(
        "play.html",
        200 if error is None else status_of(error),
        facts=facts,
        seats=seats,
        choices=range(facts.seats_min, min(facts.seats_max, FEW) + 1),
        house=house,
        rivals=[*rivals, *usual[len(rivals) :]],
        place=place,
        versions=versions,
        running=running,
        error=error,
        seconds=THINK_MS // 1000,
    )


def facts_of(game: str) -> Facts:
    if game not in GAMES:
        raise NotThere("there is no such game", hint="all of them are listed under Games")
    return load(game).facts


def seats_in(visit: Visit, facts: Facts) -> int:
    given = visit.word("players")
    wanted = int(given) if given.isascii() and given.isdigit() and len(given) < 3 else facts.usual_seats
    return max(2, facts.seats_min, min(wanted, facts.seats_max, FEW))


async def begin(visit: Visit) -> Response:
    game = visit.request.path_params["game"]
    facts_of(game)
    person, form = visit.caller.need(PLAY), await visit.form()
    rivals = [str(value) for key, value in form.multi_items() if key == "rival"]
    place = str(form.get("place", "1"))
    try:
        if not (place.isascii() and place.isdigit() and len(place) < 3):
            raise Refusal("no place was chosen", hint="choose where you sit")
        if visit.steward is None:
            raise NotAllowed("nobody hands out work now", hint="the page Status tells more")
        match = await visit.change(ask_hand_game, person, game, rivals, int(place), visit.yard.clock())
    except YardError as error:
        return await chosen(visit, error, place, rivals)
    visit.steward.wake()
    return visit.go(f"/matches/{match}")


async def leave(visit: Visit) -> Response:
    resigned = await leave_board(visit)
    return visit.go(f"/matches/{resigned}" if resigned else f"/play/{visit.request.path_params['game']}")


async def leave_board(visit: Visit) -> int | None:
    """Has a person leave the board: a game that waits is cancelled, and one that is played is resigned. Returns the
    latter; it is over in a moment, which is waited for, so that another one can be asked for at once."""
    person = visit.caller.need(PLAY)
    match = await visit.change(leave_hand_game, person, visit.yard.clock())
    if match is not None and visit.steward is not None:
        visit.steward.hands.resign(match)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(FREE_S):
                while await visit.ask(open_hand_game, person) == match:
                    await asyncio.sleep(LOOK_S)
    return match


async def seat(socket: WebSocket, visit: Visit) -> None:
    """The keys of a person: what they order, and what they are asked."""
    number, wanted = min(int(socket.path_params["number"]), LARGEST), int(socket.path_params["seat"])
    match = await visit.ask(match_for, number, visit.caller)
    place = next((seat.place for seat in match.listed.seats if seat.person == visit.caller.person), None)
    if place is None or place - 1 != wanted:
        raise NotAllowed("this is somebody else's seat")
    screens = None if visit.steward is None else visit.steward.hands.screens(number)
    if screens is None:
        raise NothingToShow("the board is not ready yet")
    await screens.serve(socket)


PAGES = [
    get("/play/{game}", choose),
    post("/play/{game}", begin),
    post("/play/{game}/leave", leave),
]
SOCKETS = [Socket("/show/seat/{number:int}/{seat:int}", seat, Access.PERSON)]
