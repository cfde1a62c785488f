"""Build logs as they grow: whoever may read one is told what has come since, and when the version has come on."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass

import sqlalchemy as sa

from botyard.yard.refusals import TooMuch
from botyard.yard.site import Yard

LOOK_S = 0.5  # between two looks
SIGN_S = 20.0  # without news, so that nothing between us takes the line for dead
LONGEST_S = 900.0  # then a reader comes again, with what they may know by then
MOST_OF_ONE = 10  # logs that one person, or one address, follows
MOST_IN_ALL = 300


@dataclass(frozen=True, slots=True)
class Progress:
    """What a reader has not seen yet."""

    state: str
    at: int  # how far the log has been told
    text: str
    unfinished: bool
    why: str  # it waits, if it does
    queue: str  # where it stands among what waits


Look = Callable[[sa.Connection, int], Progress]
"""Returns what has come of a log since some place in it; refuses who may not read it."""


class BuildLogs:
    """Those who follow build logs."""

    def __init__(self, yard: Yard) -> None:
        self._yard = yard
        self._readers: Counter[str] = Counter()

    def need_place(self, reader: str) -> None:
        """Refuses one reader too many."""
        if self._readers[reader] >= MOST_OF_ONE or self._readers.total() >= MOST_IN_ALL:
            raise TooMuch("too many build logs are followed already", 30, hint="close one of their pages")

    async def follow(self, reader: str, look: Look, at: int) -> AsyncGenerator[Progress | None]:
        """Yields what comes, and now and then None, until the version is built and checked."""
        clock = asyncio.get_running_loop().time
        told: Progress | None = None
        ends, spoke = clock() + LONGEST_S, clock()
        self._readers[reader] += 1
        try:
            while clock() < ends:
                seen = await self._yard.ask(look, at)
                if seen.text or told is None or (seen.state, seen.why) != (told.state, told.why):
                    told, at, spoke = seen, seen.at, clock()
                    yield seen
                elif clock() - spoke > SIGN_S:
                    spoke = clock()
                    yield None
                if not seen.unfinished:
                    return
                await asyncio.sleep(LOOK_S)
        finally:
            self._readers[reader] -= 1
            self._readers += Counter()  # those who have gone are forgotten
