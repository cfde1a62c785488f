"""This module lets people play at the terminal."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from botyard.cli.console import out
from botyard.cli.film_desk import FilmDesk
from botyard.cli.full_screen import FullScreen, has_keys, is_screen
from botyard.cli.host import PACE
from botyard.cli.playback import Playback
from botyard.cli.screen import FRAME_S, review, time_now
from botyard.cli.seat_desk import Pad, SeatDesk
from botyard.games.picture import scene_of
from botyard.kernel.errors import YardError
from botyard.kernel.plain import clean
from botyard.match.filming import Filming
from botyard.match.loop import Enough, Played, play_game
from botyard.render.terminal import paint

if TYPE_CHECKING:
    from botyard.games.game import Game
    from botyard.kernel.facts import Facts
    from botyard.kernel.settings import Settings
    from botyard.links.human import HumanSeat
    from botyard.match.player import Answer, Player

BAR_S = 0.1  # between two drawings of a time bar


def check_people(count: int, facts: Facts, settings: Settings, patient: bool) -> None:
    """Refuses people whom this terminal cannot serve."""
    if not (is_screen(out) and has_keys()):
        raise YardError(
            "a person plays at a terminal, and this is none",
            hint="run the command in a terminal, with neither its input nor its output redirected, or add --web",
        )
    if count == 1:
        return
    if settings.habits.hides:
        raise YardError(
            f"{count} people at one screen would see what {facts.title} hides from each of them",
            hint="add --web: then each of them has a page",
        )
    if facts.simultaneous and not patient:
        raise YardError(
            f"{count} people cannot use one keyboard at once, and in {facts.title} all seats move at the same time",
            hint="add --wait: then the clock waits, and they give their orders one after another",
        )


async def play_at_terminal(
    game: Game,
    players: Sequence[Player],
    people: Mapping[int, HumanSeat],
    pace: int,
    enough: Enough | None,
    patient: bool,
) -> Played:
    """Plays a game with people, given by seat, and shows it to them afterwards.

    Where the clock does not wait for them, they say when they are ready.
    """
    async with FullScreen(out) as screen:
        table = Table(screen, game, players, people, pace)
        if patient:
            table.desk.begin()
        played = await beside(play_game(game, players, table.watch, enough), table.run())
        await review(screen, played)
    out.print(paint(scene_of(game), played.names))
    return played


async def beside(match: Coroutine[Any, Any, Played], screen: Coroutine[Any, Any, None]) -> Played:
    """Plays a match while a screen goes on. If the screen fails, the match ends with it."""
    playing, showing = asyncio.create_task(match), asyncio.create_task(screen)
    try:
        await asyncio.wait({playing, showing}, return_when=asyncio.FIRST_COMPLETED)
        if not playing.done():
            showing.result()
            raise YardError("the terminal was closed", hint="the game was broken off")
        return playing.result()
    finally:
        for task in (playing, showing):
            task.cancel()
        await asyncio.gather(playing, showing, return_exceptions=True)


class Table:
    """People at a terminal, and the match that asks them."""

    def __init__(
        self,
        screen: FullScreen,
        game: Game,
        players: Sequence[Player],
        people: Mapping[int, HumanSeat],
        pace: int,
    ) -> None:
        self._screen, self._players, self._pace = screen, players, pace
        self._hides = game.settings.habits.hides
        seat = next(iter(people)) if self._hides else None
        self._filming = Filming(game, self._names(game), seat)
        self._filming.add(game)
        desk = FilmDesk(self._filming.stock.film, Playback(0, PACE, False, time_now()), live=True)
        self.desk = SeatDesk(desk, people, Pad(game.book.scene.KEYS, game.book.facts))
        self._due = 0.0

    def _names(self, game: Game) -> tuple[str, ...]:
        return tuple(self._players[game.entrant(seat)].name for seat in range(game.seats))

    async def watch(self, game: Game, _: dict[int, Answer]) -> None:
        """Films a position, and keeps the pace of the game."""
        self._filming.add(game)
        self.desk.desk.head["names"] = [clean(name) for name in self._names(game)]
        if self._pace:
            now = time_now()
            self._due = max(now, self._due + 1 / self._pace)
            await asyncio.sleep(self._due - now)
        else:
            await asyncio.sleep(0)

    async def run(self) -> None:
        """Draws what people see, and gives their orders, until nobody can press a key any more."""
        while not self._screen.ended:
            self._tell_view()
            self._screen.draw(self.desk.lines(self._screen.console, *self._screen.size, time_now()))
            for key in await self._screen.keys(self._wait_s()):
                self.desk.press(key)

    def _tell_view(self) -> None:
        """Where a game hides something, people are told the numbers of their view, as bots are."""
        if not self._hides:
            return
        question = self.desk.people[self.desk.whose].question
        if question is not None:
            told = ((field, getattr(question.view, field)) for field in question.view.fields)
            self.desk.desk.told = ", ".join(f"{name} {value}" for name, value in told if isinstance(value, int))

    def _wait_s(self) -> float:
        timed = any(person.question and person.question.until for person in self.desk.people.values())
        return BAR_S if timed else FRAME_S
