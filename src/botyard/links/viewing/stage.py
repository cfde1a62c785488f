"""The stage is a match that is shown while it is played, and stays to be reviewed.

What each may see: a person their own seat's view, everybody else the board. But where a game hides something from its
seats, and a person or a bot from outside sits there, the board would tell them what they must not know: then everybody
else sees it when the game is over.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import Any

from botyard.games.game import Game
from botyard.kernel.outcome import Outcome
from botyard.kernel.verdict import Fault
from botyard.links.human import HumanSeat
from botyard.links.viewing.packed import PackedFilm
from botyard.links.viewing.screening import ListEntry, NothingToShow, ReplayScreening, Screening
from botyard.match.live_film import LiveFilm
from botyard.match.loop import Played
from botyard.match.player import Answer, Player
from botyard.match.replay import Missed

WITHHELD = "This game hides something from its players: the board is shown when the game is over."


class Stage(Screening):
    """One match on show. `watch` is a watcher of the match loop."""

    def __init__(
        self,
        game: Game,
        players: Sequence[Player],
        people: dict[int, HumanSeat],
        pace: int,
        *,
        outsiders: bool = False,
        known: bool = False,
    ) -> None:
        """`people` by seat; `outsiders`: a bot plays that could look at what spectators see; `known`: all is known."""
        self._players = [players[game.entrant(seat)] for seat in range(game.seats)]
        self._title, self._pace = game.book.facts.title, pace
        self.people, self.hides = people, game.settings.habits.hides and not known
        self.secretive = self.hides and (bool(people) or outsiders)
        seats: list[int | None] = [None, *(people if self.hides else ())]
        self._films = {seat: LiveFilm(game, self.names, seat) for seat in seats}
        self._review: ReplayScreening | None = None
        self._watched, self.ended = asyncio.Event(), asyncio.Event()
        self._due = 0.0  # when the next tick may be shown

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(player.name for player in self._players)

    @property
    def growing(self) -> bool:
        return not self._films[None].over

    # The match

    async def watch(self, game: Game, answers: dict[int, Answer]) -> None:
        """Films a position and keeps the pace. No watcher is waited for."""
        self.add(game)
        for film in self._films.values():
            for seat, answer in answers.items():
                if isinstance(answer.result, Fault) and film.seat is None:
                    film.lose(seat, answer.result)
        if self._pace:
            now = time.monotonic()
            self._due = max(now, self._due + 1 / self._pace)
            await asyncio.sleep(self._due - now)

    def add(self, game: Game) -> None:
        for film in self._films.values():
            film.rename(self.names)
            film.add(game)

    def end(self, outcome: Outcome | None, missed: Sequence[Missed] = ()) -> None:
        for film in self._films.values():
            film.end(outcome, missed)
        self.ended.set()

    def finish(self, played: Played) -> None:
        """The match is over: from now on it can be reviewed like any other."""
        self._review = ReplayScreening.of_game(played)
        self.end(played.outcome, played.replay.missed)

    async def first_watcher(self, seconds: float) -> None:
        """Waits a little for the page that was just opened."""
        try:
            async with asyncio.timeout(seconds):
                await self._watched.wait()
        except TimeoutError:
            pass

    # Those who watch

    def live(self, seat: int | None) -> LiveFilm:
        """The film that somebody may see now: a person with this seat, or everybody."""
        if trouble := self.withheld(seat):
            raise NothingToShow(trouble)
        self._watched.set()
        return self._films.get(seat if self.hides else None, self._films[None])

    def withheld(self, seat: int | None) -> str:
        return WITHHELD if seat is None and self.secretive and self.growing else ""

    def _reviewed(self) -> ReplayScreening:
        if self._review is None:
            raise NothingToShow("the game is still being played", hint="wait until it is over")
        return self._review

    def label(self) -> ListEntry:
        return ListEntry(self._title, self.names, "being played" if self.growing else "")

    def film(self, seat: int | None) -> PackedFilm:
        return self._reviewed().film(seat)

    def turn_sheet(self) -> dict[str, Any]:
        return self._reviewed().turn_sheet()

    def replay(self) -> Any:
        return self._reviewed().replay()
