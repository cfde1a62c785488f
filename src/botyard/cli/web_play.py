"""This module shows a match in the browser while it is played, and seats people there."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from botyard.cli.web import open_browser, stopped, tell_address, tell_end
from botyard.links.viewing.app import Door
from botyard.links.viewing.server import viewing
from botyard.links.viewing.shelf import Shelf
from botyard.links.viewing.sockets import Audience, Screens
from botyard.links.viewing.stage import Stage
from botyard.match.loop import Enough, Played, play_game

if TYPE_CHECKING:
    from botyard.games.game import Game
    from botyard.links.human import HumanSeat
    from botyard.links.viewing.guard import Guard
    from botyard.match.player import Player

PAGE_S = 5.0  # how long a match waits for the page that shows it, where a browser was opened

T = TypeVar("T")


async def on_web(play: Callable[[WebShow], Awaitable[T]], tell: Callable[[T], bool], no_browser: bool) -> T:
    """Plays with a server around it, tells what came of it, and stays for a review until it is stopped.

    `tell` returns whether there is something to review.
    """
    async with viewing() as guard:
        show = WebShow(guard, no_browser)
        played = await play(show)
        if tell(played):
            with stopped() as end:
                tell_end(f"review the game at {show.address}")
                await end.wait()
    return played


class WebShow:
    """Shows one match: an address for everybody, and one for each person."""

    def __init__(self, guard: Guard, no_browser: bool) -> None:
        self._guard, self._no_browser = guard, no_browser
        self.address = ""  # of the page that a browser shows

    async def play(
        self,
        game: Game,
        players: Sequence[Player],
        people: Mapping[int, HumanSeat],
        pace: int,
        enough: Enough | None,
        *,
        patient: bool,
        outsiders: bool,
    ) -> Played:
        """Plays a game, with people by seat; `patient`: the clock waits for them."""
        stage = Stage(game, players, dict(people), pace, outsiders=outsiders)
        self._open(stage, patient)
        if not self._no_browser:
            open_browser(self.address)
            if not people:
                await stage.first_watcher(PAGE_S)
        try:
            played = await play_game(game, players, stage.watch, enough)
        except BaseException:
            stage.end(None)
            raise
        stage.finish(played)
        return played

    def _open(self, stage: Stage, patient: bool) -> None:
        """Opens a door for everybody and one for each person; all people at one screen where nothing is hidden."""
        shelf = Shelf()
        number = shelf.add(stage, stage.label().title)
        audiences = {number: Audience(stage)}
        screens = {seat: Screens(person, patient) for seat, person in stage.people.items()}
        self.address = self._door("watch", Door(shelf, audiences))
        places = [
            self._door(f"{screen.seat.name} plays", Door(shelf, audiences, seat, {number: {seat: screen}}))
            for seat, screen in screens.items()
        ]
        if len(places) > 1 and not stage.hides:
            places.insert(0, self._door("all at one screen", Door(shelf, audiences, None, {number: screens})))
        self.address = places[0] if places else self.address

    def _door(self, what: str, door: Door) -> str:
        address = self._guard.address(self._guard.open_door(door.app()))
        tell_address(what, address)
        return address
