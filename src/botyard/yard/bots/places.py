"""At most a few uploads are unpacked at a time, and one of each person: neither memory nor processors run out, whoever
hands in what."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

from botyard.yard.refusals import TooMuch

AT_A_TIME = 2


class UnpackingPlaces:
    """Who may unpack now."""

    def __init__(self) -> None:
        self._places = asyncio.Semaphore(AT_A_TIME)
        self._people: set[int] = set()

    @contextlib.asynccontextmanager
    async def place(self, person: int) -> AsyncIterator[None]:
        """A place for one upload of a person, who waits for it; a second one of theirs is refused meanwhile."""
        if person in self._people:
            raise TooMuch("another upload of yours is being unpacked", 5, hint="wait until it is there")
        self._people.add(person)
        try:
            async with self._places:
                yield
        finally:
            self._people.discard(person)
