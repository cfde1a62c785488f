"""The shelf holds everything that a server on this machine shows, and has films made in threads, one at a time."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from botyard.jail.threads import in_thread
from botyard.links.viewing.packed import FilmCache, PackedFilm
from botyard.links.viewing.screening import ListEntry, NothingToShow, Screening

if TYPE_CHECKING:
    from botyard.match.replay import Replay

MOST_SCREENINGS = 2000
MOST_SEATS = 64


class Shelf:
    """Screenings by number, in the order in which they were put there."""

    def __init__(self, cache: FilmCache | None = None) -> None:
        self._screenings: list[Screening] = []
        self._titles: list[str] = []
        self._cache = FilmCache() if cache is None else cache
        # Work in threads is done piece by piece: this machine may have a match to play, and much of it begins with
        # loading rules. Two threads that load modules which load each other would find them half loaded.
        self._working = asyncio.Lock()

    def add(self, screening: Screening, title: str) -> int:
        if len(self._screenings) >= MOST_SCREENINGS:
            raise NothingToShow(f"there is room for {MOST_SCREENINGS} games", hint="name fewer files")
        self._screenings.append(screening)
        self._titles.append(title)
        return len(self._screenings) - 1

    def __len__(self) -> int:
        return len(self._screenings)

    def title(self, number: int) -> str:
        """How the screening was named by whoever put it here: mostly, its file."""
        self.screening(number)
        return self._titles[number]

    def screening(self, number: int) -> Screening:
        if not 0 <= number < len(self._screenings):
            raise NothingToShow(f"there is no game {number} here")
        return self._screenings[number]

    async def label(self, number: int) -> ListEntry:
        async with self._working:
            return await in_thread(self.screening(number).label)

    async def film(self, number: int, seat: int | None) -> PackedFilm:
        if seat is not None and not 0 <= seat < MOST_SEATS:
            raise NothingToShow(f"there is no seat {seat}")
        screening = self.screening(number)
        async with self._working:
            film = self._cache.get((number, seat))
            if film is None:
                film = await in_thread(screening.film, seat)
                self._cache.put((number, seat), film)
        return film

    async def prepare(self) -> None:
        """Makes the film of a shelf that has but one, before anybody asks for it."""
        if len(self) == 1:
            await self.film(0, None)

    async def turn_sheet(self, number: int) -> dict[str, Any]:
        async with self._working:
            return await in_thread(self.screening(number).turn_sheet)

    async def replay(self, number: int) -> Replay:
        async with self._working:
            return await in_thread(self.screening(number).replay)
