"""Those who watch matches while they are played, within bounds. No match waits for one of them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from starlette.websockets import WebSocket

from botyard.games import load
from botyard.links.viewing.sockets import FULL, ignore, tell_film, until_gone
from botyard.links.viewing.stage import WITHHELD
from botyard.match.live_film import LiveFilm
from botyard.render.film import compact
from botyard.yard.caller import Caller
from botyard.yard.ladders.match_lists import ShownMatch

if TYPE_CHECKING:
    from botyard.yard.work.steward import Steward

MOST_OF_ONE = 300  # pages that watch one match
MOST_IN_ALL = 2000


class Spectators:
    """The pages that watch."""

    def __init__(self, most_of_one: int = MOST_OF_ONE, most_in_all: int = MOST_IN_ALL) -> None:
        self._most_of_one, self._most_in_all = most_of_one, most_in_all
        self._watchers: Counter[int] = Counter()

    async def serve(self, socket: WebSocket, match: ShownMatch, film: LiveFilm, caller: Caller) -> None:
        """Tells a page how the film of a match grows, until it is over or the page has gone."""
        await socket.accept()
        number = match.listed.id
        if self._watchers[number] >= self._most_of_one or self._watchers.total() >= self._most_in_all:
            await socket.close(FULL, "too many pages watch already")
            return
        self._watchers[number] += 1
        try:
            await until_gone(socket, ignore, told(socket, film, withheld(match, caller)))
        finally:
            self._watchers[number] -= 1
            self._watchers += Counter()  # matches that nobody watches are forgotten


async def told(socket: WebSocket, film: LiveFilm, trouble: str) -> None:
    if trouble:
        await socket.send_text(compact({"withheld": trouble}))
        while not film.over:
            await film.news()
    await tell_film(socket, film)


def withheld(match: ShownMatch, caller: Caller) -> str:
    """Returns why a caller may not see the board while the match is played; empty: they may.

    Where a game hides something from its players, a person who plays could learn it from what others see.
    """
    people = [seat.person for seat in match.listed.seats if seat.person is not None]
    if not people:
        return ""
    hides = load(match.listed.game).settings.read(match.settings).habits.hides
    return WITHHELD if hides and people != [caller.person] else ""


def is_live(steward: Steward | None, number: int) -> bool:
    """Whether a match is being played, so that it can be watched. Nothing is filmed for this."""
    return steward is not None and number in set(steward.live)


def live_film(steward: Steward | None, number: int) -> LiveFilm | None:
    """Returns the film of a match that is being played, if it has begun."""
    return None if steward is None else steward.live.get(number)


async def film_begun(steward: Steward | None, number: int) -> LiveFilm | None:
    """Returns the same as soon as its first board is there."""
    return None if steward is None else await steward.live.film(number)
