"""The workshop makes what takes a while: films, guides, reports. It works in threads, one piece at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from typing import ParamSpec, TypeVar

from botyard.jail.threads import in_thread
from botyard.links.viewing.packed import FilmCache, PackedFilm

P = ParamSpec("P")
T = TypeVar("T")

MOST_FILMS = 200
MOST_BYTES = 96 * 1024 * 1024


class Workshop:
    """One place of work, and the films that were made there last."""

    def __init__(self, films: int = MOST_FILMS, size: int = MOST_BYTES) -> None:
        self._films = FilmCache(films, size)
        # The machine has games to play, and rules that two threads load at once would be found half loaded.
        self._free = asyncio.Lock()

    async def make(self, work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        async with self._free:
            return await in_thread(work, *arguments, **named)

    async def film(self, key: Hashable, made: Callable[[], PackedFilm]) -> PackedFilm:
        """Returns the film that is kept under a key, or has it made."""
        async with self._free:
            film = self._films.get(key)
            if film is None:
                film = await in_thread(made)
                self._films.put(key, film)
        return film
