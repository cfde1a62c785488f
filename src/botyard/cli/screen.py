"""This module shows games in the terminal: one that is being played, and a replay.

A terminal is taken for as long as it lasts (`full_screen.py`), and keys stop, step and steer. Where there is none, a
board is printed now and then.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

from botyard.cli.console import note, out
from botyard.cli.film_desk import FilmDesk
from botyard.cli.film_sheet import sheet
from botyard.cli.full_screen import FullScreen, is_screen
from botyard.cli.host import PACE
from botyard.cli.playback import Playback
from botyard.games.picture import camera_of, scene_of
from botyard.kernel.plain import clean
from botyard.match.filming import Filming, film_of
from botyard.render.marks import MOST, Mark
from botyard.render.terminal import paint

if TYPE_CHECKING:
    from botyard.games.game import Game
    from botyard.match.loop import Enough, Played
    from botyard.match.player import Answer, Player
    from botyard.match.replay import Replay
    from botyard.render.film import Film

FRAME_S = 1 / 30  # between two drawings, at least
PLAIN_EVERY = 500  # ticks between two printed boards if the output is no terminal
NOTES = 3


def time_now() -> float:
    return asyncio.get_running_loop().time()


class Show:
    """A desk on a screen: draws it, and heeds the keys."""

    def __init__(self, desk: FilmDesk, screen: FullScreen) -> None:
        self.desk, self.screen = desk, screen
        self._drawn = -FRAME_S  # when
        self._stale = True

    async def run(self, until: Callable[[], bool]) -> None:
        """Goes on until something is the case, or the watcher leaves."""
        desk, screen = self.desk, self.screen
        while not (desk.left or screen.ended):
            now = time_now()
            self._stale = desk.advance(now) or screen.resized or self._stale
            if until():
                break
            self._draw(now)
            self._heed(await screen.keys(self._wait_s(now)))

    async def look(self) -> None:
        """Lets keys come in, and draws if it is time to, without waiting."""
        await asyncio.sleep(0)
        self._heed(await self.screen.keys(0))
        self._stale = True
        self._draw(time_now())

    def _heed(self, keys: Sequence[str]) -> None:
        for key in keys:
            self.desk.press(key, time_now())
            self._stale = True

    def _draw(self, now: float) -> None:
        if self._stale and now - self._drawn >= FRAME_S:
            self.screen.draw(sheet(self.desk, self.screen.console, *self.screen.size))
            self._drawn, self._stale = now, False

    def _wait_s(self, now: float) -> float | None:
        """How long nothing will change by itself."""
        frame_s = max(0.0, self._drawn + FRAME_S - now)
        if self._stale:
            return frame_s
        next_s = self.desk.playback.next_in(now)
        return None if next_s is None else max(next_s, frame_s)


# Replays


def show_replay(record: Replay, pace: int, playing: bool) -> None:
    """Shows a replay on the whole screen until the watcher leaves; one that plays at once ends by itself."""
    asyncio.run(show_film(record, pace, playing))


async def show_film(record: Replay, pace: int, playing: bool) -> None:
    async with FullScreen(out) as screen:
        playback = Playback(pace, PACE, playing, time_now())
        desk = FilmDesk(film_of(record), playback, seat_films(record))
        playback.play(playing, time_now())  # only now: making the film takes a while
        await Show(desk, screen).run(until=lambda: playing and desk.at_end and not playback.playing)


def seat_films(record: Replay) -> Callable[[int], Film] | None:
    """What makes films of seats, where they differ from everybody's."""
    if not camera_of(record.new_game()).has_seat_pictures:
        return None
    return lambda seat: film_of(record, seat)


# Games being played


async def play_watched(game: Game, players: Sequence[Player], pace: int, enough: Enough | None) -> Played:
    """Plays a game, and shows it meanwhile at so many ticks per second; 0 means no limit."""
    from botyard.match.loop import play_game

    def names() -> list[str]:
        """By seat. Bots that connect say only then what they are called."""
        return [players[game.entrant(seat)].name for seat in range(game.seats)]

    if not is_screen(out):
        return await play_game(game, players, plain_watcher(names()), enough)
    notes: deque[str] = deque(maxlen=NOTES)
    async with contextlib.AsyncExitStack() as stack:
        live = LiveShow(await stack.enter_async_context(FullScreen(out)), game, names(), pace)

        async def watch(game: Game, answers: dict[int, Answer]) -> None:
            notes.extend(told(answers))
            live.desk.head["names"] = list(map(clean, names()))
            if await live.left_while(game, answers):
                await stack.aclose()
                note("the game goes on without being shown; Ctrl-C breaks it off")

        played = await play_game(game, players, watch, enough)
        if not live.desk.left:
            await live.review(played)
    out.print(paint(scene_of(game), played.names, notes))
    return played


def told(answers: dict[int, Answer]) -> list[str]:
    """The lost turns among these answers, in words."""
    return [f"seat {seat}: {answer.verdict} {answer.reason}" for seat, answer in answers.items() if answer.reason]


def plain_watcher(names: Sequence[str]) -> Callable[[Game, dict[int, Answer]], Awaitable[None]]:
    """Returns a watcher that prints a board now and then, and the last one."""
    notes: deque[str] = deque(maxlen=NOTES)
    ticks = 0

    async def show(game: Game, answers: dict[int, Answer]) -> None:
        nonlocal ticks
        ticks += 1
        notes.extend(told(answers))
        if ticks % PLAIN_EVERY == 0 or game.over:
            out.print(paint(scene_of(game), names, notes))

    return show


class LiveShow:
    """A game that is filmed while it is played. The match waits between two ticks for as long as the watcher wants.

    No bot's time runs meanwhile, because nobody is asked.
    """

    def __init__(self, screen: FullScreen, game: Game, names: Sequence[str], pace: int) -> None:
        self._filming = Filming(game, tuple(names))
        self._filming.add(game)
        self._marked = 0
        self.desk = FilmDesk(self._filming.stock.film, Playback(pace, PACE, True, time_now()), live=True)
        self._show = Show(self.desk, screen)

    async def left_while(self, game: Game, answers: dict[int, Answer]) -> bool:
        """Shows a position, unless the watcher has left; returns whether that was now."""
        if self.desk.left:
            return False
        await self.watch(game, answers)
        return self.desk.left

    async def watch(self, game: Game, answers: dict[int, Answer]) -> None:
        """Films a position, and returns when the watcher wants to see the next."""
        self._filming.add(game)
        asked_at = self.desk.last - 1
        self._filming.marks += [
            Mark(asked_at, seat, "turn", f"{answer.verdict}: {answer.reason}")
            for seat, answer in answers.items()
            if answer.reason
        ]
        fresh, self._marked = self._filming.marks[self._marked : MOST], len(self._filming.marks)
        self.desk.head["marks"].extend(map(list, fresh))
        self.desk.grow()
        await self._show.look()
        await self._show.run(until=lambda: self.desk.wants_more)

    async def review(self, played: Played) -> None:
        """Shows the whole game until the watcher leaves."""
        self._filming.end(played.outcome)
        self.desk.end(seat_films(played.replay))
        await stay(self._show)


async def review(screen: FullScreen, played: Played) -> None:
    """Shows a game that is over, at its end, until the watcher leaves."""
    desk = FilmDesk(film_of(played.replay), Playback(PACE, PACE, False, time_now()))
    desk.tick = desk.last
    desk.end(seat_films(played.replay))
    await stay(Show(desk, screen))


async def stay(show: Show) -> None:
    """Goes on until the watcher leaves; not at all if there are no keys to leave with."""
    if show.screen.keyboard is None:
        return
    try:
        await show.run(until=lambda: False)
    except asyncio.CancelledError:
        if show.screen.ended_by is not None:
            raise
        task = asyncio.current_task()
        assert task is not None
        task.uncancel()  # Ctrl-C leaves, too: the game is over, and its replay is to be kept
