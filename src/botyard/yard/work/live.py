"""Matches while they are played: signs of life bring the orders of the last ticks, and whoever watches sees every tick.

A film is made only once somebody asks for it, from the first tick on, in the server's own event loop and a few
milliseconds at a time. It shows boards and nothing else: no seed, no orders, and no result before its time.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from botyard.contest.messages import Sign
from botyard.games import load
from botyard.games.game import Game
from botyard.match.live_film import LiveFilm
from botyard.yard.work.matches import MatchWork

SLICE_S: Final = 0.004  # of filming at a time
PAUSE_S: Final = 0.02  # between two slices, in which the event loop does what it is for

InThread = Callable[[Callable[[], Any]], Awaitable[Any]]


class LiveMatch:
    """One match that is being played."""

    def __init__(self, work: MatchWork, in_thread: InThread) -> None:
        self._work, self._in_thread = work, in_thread
        self._signs: list[Sign] = []  # that were not filmed yet
        self._heard = 0  # ticks
        self._over = False
        self._game: Game | None = None
        self._filming: asyncio.Task[None] | None = None
        self.film: LiveFilm | None = None

    def hear(self, sign: Sign) -> None:
        if sign.played:
            self._signs.append(sign)
            self._heard += len(sign.played)
            self._go_on()

    def watched(self) -> LiveFilm | None:
        """Returns the film; the first time it is begun, and there is none until its first board is there."""
        if self.film is None:
            self._go_on(begin=True)
        return self.film

    def end(self, ticks: Sequence[list[Any]] = ()) -> None:
        """Nothing more will come than the rest of all ticks, if the match was played to its end.

        The result is not told here: it may have to wait for the other game of its pair.
        """
        self._over = True
        if self._filming is None:  # nobody has ever watched
            return
        rest = tuple(orders_in(entries) for entries in ticks[self._heard :])
        self._signs.append(Sign(self._work.match, len(ticks), played=rest))
        self._go_on()

    def _go_on(self, *, begin: bool = False) -> None:
        """Films what was heard, if somebody watches and nothing is being filmed."""
        if (begin or self.film is not None) and (self._filming is None or self._filming.done()):
            self._filming = asyncio.create_task(self._make())

    async def _make(self) -> None:
        if self.film is None:
            self._game, self.film = await self._in_thread(self._begun)
        while self._signs:
            sign = self._signs.pop(0)
            await self._add(sign)
        if self._over and not self.film.over:
            self.film.end(None)

    def _begun(self) -> tuple[Game, LiveFilm]:
        """Loads the rules, which may take a second, and films the first board."""
        book = load(self._work.game)
        settings = book.settings(**self._work.settings).seated(len(self._work.players))
        game = Game(book, settings, self._work.seed)
        names = [self._work.players[game.entrant(seat)].name for seat in range(game.seats)]
        return game, LiveFilm(game, names, self._work.shown_seat(game))

    async def _add(self, sign: Sign) -> None:
        assert self._game is not None, "filming has begun"
        assert self.film is not None, "filming has begun"
        began = time.monotonic()
        for orders in sign.played:
            if not self._stepped(orders):
                break
            self.film.add(self._game)
            if time.monotonic() - began > SLICE_S:
                await asyncio.sleep(PAUSE_S)
                began = time.monotonic()
        if sign.state and self._game.arrays[1].tobytes() != sign.state:  # somebody forfeited: no order tells that
            self._game.load_state(sign.state)
            self.film.add(self._game)

    def _stepped(self, orders: tuple[int, ...]) -> bool:
        assert self._game is not None, "filming has begun"
        asked = self._game.asked
        if self._game.over or len(asked) != len(orders) or not orders:
            return False
        self._game.step_orders(dict(zip(asked, orders, strict=True)))
        return True


def orders_in(entries: list[Any]) -> tuple[int, ...]:
    """Returns the orders of a tick of a replay; none if something else happened in it."""
    return tuple(entries[0]) if len(entries) == 1 and isinstance(entries[0], list) else ()


class LiveMatches(Mapping[int, LiveFilm]):
    """The films of matches that are being played, by the match's number. Asking for a film has it made."""

    def __init__(self, in_thread: InThread) -> None:
        self._in_thread = in_thread
        self._matches: dict[int, LiveMatch] = {}

    def begin(self, work: MatchWork) -> None:
        self._matches[work.match] = LiveMatch(work, self._in_thread)

    def hear(self, match: int, sign: Sign) -> None:
        if match in self._matches:
            self._matches[match].hear(sign)

    def end(self, match: int, ticks: Sequence[list[Any]] = ()) -> None:
        if match in self._matches:
            self._matches.pop(match).end(ticks)

    def __getitem__(self, match: int) -> LiveFilm:
        film = self._matches[match].watched()
        if film is None:
            raise KeyError(match)
        return film

    def __iter__(self) -> Iterator[int]:
        return iter(self._matches)

    def __len__(self) -> int:
        return len(self._matches)

    async def film(self, match: int) -> LiveFilm | None:
        """Returns the film of a match as soon as its first board is there; None if the match is not being played."""
        found = self._matches.get(match)
        while found is not None and found.watched() is None:
            if self._matches.get(match) is not found:
                return None
            await asyncio.sleep(PAUSE_S)
        return found.film if found else None
