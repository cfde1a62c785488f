"""Asking for a game: a challenge of somebody's bot, or a test game of a version that need not be active."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from starlette.responses import Response

from botyard.games import load
from botyard.kernel.errors import YardError
from botyard.yard.caller import PLAY
from botyard.yard.ladders.challenges import challenge, playing_ladder, rivals_on, try_out
from botyard.yard.ladders.hand_games import HOUSE, VERSION_OF, own_rivals
from botyard.yard.ladders.match_lists import matches_of_pair
from botyard.yard.refusals import NotThere, Refusal
from botyard.yard.web.forms import Typed, shown_again
from botyard.yard.web.routing import Access, get, post
from botyard.yard.web.visit import LARGEST, Visit

ENTRY_OF = "entry"  # a rival of the ladder, by the number of its entry


async def ask_page(visit: Visit) -> Response:
    return await asking(visit, None, None)


async def asking(visit: Visit, error: YardError | None, typed: Typed | None) -> Response:
    """Returns the form; with what is wrong with it and what was chosen, if something is."""
    person, slug = visit.caller.need(PLAY), visit.request.path_params["slug"]

    def read(connection: sa.Connection) -> dict[str, Any]:
        ladder = playing_ladder(connection, slug)
        own, rivals = own_rivals(connection, person, ladder.game), rivals_on(connection, ladder, person)
        return {"ladder": ladder, "own": own, "rivals": rivals, "house": load(ladder.game).bots.HOUSE_BOTS}

    values = {**await visit.ask(read), "quotas": visit.yard.config.quotas}
    if error is None or typed is None:
        wanted = {"version": visit.word("version"), "rival": visit.word("rival")}
        return visit.page("ask.html", errors={}, typed=wanted, **values)
    return shown_again(visit, "ask.html", {"rival": error}, typed, **values)


async def ask(visit: Visit) -> Response:
    """Asks for the game and goes to its page, which says what it waits for."""
    person, slug = visit.caller.need(PLAY), visit.request.path_params["slug"]
    typed = await Typed.of(visit)

    def change(connection: sa.Connection) -> int:
        pair = asked_pair(connection, visit, person, slug, typed)
        return matches_of_pair(connection, pair)[0].id

    try:
        match = await visit.change(change)
    except NotThere:
        raise
    except YardError as error:
        return await asking(visit, error, typed)
    if visit.steward is not None:
        visit.steward.wake()
    return visit.go(f"/matches/{match}")


def asked_pair(connection: sa.Connection, visit: Visit, person: int, slug: str, typed: Typed) -> int:
    """Asks for a challenge of an entry, or for a test game against a house bot or an own version."""
    quotas, now_ms = visit.yard.config.quotas, visit.yard.clock()
    own = number_in(typed.line("version"), "which version of yours plays")
    kind, _, name = typed.line("rival").partition(":")
    if kind == ENTRY_OF:
        rival = number_in(name, "whom to challenge")
        return challenge(connection, quotas, person, slug, own, [rival], now_ms)
    if kind == VERSION_OF:
        rival = number_in(name, "against which version of yours it plays")
        return try_out(connection, quotas, person, slug, own, now_ms, rival=rival)
    return try_out(connection, quotas, person, slug, own, now_ms, house=name if kind == HOUSE else "")


def number_in(given: str, what: str) -> int:
    if not (given.isascii() and given.isdigit() and 0 < int(given[:20]) <= LARGEST):
        raise Refusal("something was not chosen", hint=f"choose {what}")
    return int(given)


PAGES = [
    get("/ladders/{slug}/ask", ask_page, Access.PERSON),
    post("/ladders/{slug}/ask", ask),
]
