"""The steward tends contests by this: it looks which of them have something due, and remembers which only wait."""

from __future__ import annotations

from botyard.yard.contests.running import contests_to_tend, tend_contest
from botyard.yard.site import Yard


class ContestTender:
    """Begins, goes on with and ends contests, each in a transaction of its own, so that none keeps the others."""

    def __init__(self, yard: Yard) -> None:
        self._yard = yard
        self._asked: set[int] = set()  # contests of whose present wave all games were asked

    async def look(self) -> None:
        now_ms = self._yard.clock()
        for contest in await self._yard.ask(contests_to_tend, now_ms, frozenset(self._asked)):
            if await self._yard.change(tend_contest, contest, now_ms):
                self._asked.discard(contest)
            else:
                self._asked.add(contest)
