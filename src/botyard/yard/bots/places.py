"""At most a few uploads are unpacked at a time, and one of each person: neither memory nor processors run out, whoever
hands in what."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

from botyard.yard.refusals import TooMuch

AT_A_TIME = 2
WAIT_S = 15.0  # with the longest time for unpacking it is less than a server waits for an answer


class UnpackingPlaces:
    """Who may unpack now."""

    def __init__(self, at_a_time: int = AT_A_TIME, wait_s: float = WAIT_S) -> None:
        self._places, self._wait_s = asyncio.Semaphore(at_a_time), wait_s
        self._people: set[int] = set()

    @contextlib.asynccontextmanager
    async def place(self, person: int) -> AsyncIterator[None]:
        """A place for one upload of a person, who waits for it; a second one of theirs is refused meanwhile."""
        if person in self._people:
            raise TooMuch("another upload of yours is being unpacked", 5, hint="wait until it is there")
        self._people.add(person)
        try:
            await self._come()
            try:
                yield
            finally:
                self._places.release()
        finally:
            self._people.discard(person)

    async def _come(self) -> None:
        try:
            async with asyncio.timeout(self._wait_s):
                await self._places.acquire()
        except TimeoutError:
            raise TooMuch("many uploads are being unpacked", 30, hint="try again in half a minute") from None
