"""The supply of pairs: a few are asked ahead on every ladder, so that no worker waits and the queue can be seen."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from botyard.rank.ladder import NoPair, TaskClass
from botyard.yard.data.tables import LADDER
from botyard.yard.data.times import SECOND
from botyard.yard.ladders.asking import Asked, KnownEntries, ask_next
from botyard.yard.ladders.finals import deadline_over, tend_deadlines
from botyard.yard.ladders.ladders import OPEN
from botyard.yard.site import Yard

CLASSES: Final = (TaskClass.SETTLING, TaskClass.STEADY)
AHEAD: Final = 2  # games that wait for each worker, in each of the two classes
LOOK_MS: Final = SECOND  # between two looks at ladders on which nothing has happened


class PairSupply:
    """Asks for pairs in turn on all open ladders."""

    def __init__(self, yard: Yard) -> None:
        self._yard = yard
        self._known: dict[int, KnownEntries] = {}
        self._turns: dict[TaskClass, list[int]] = {one: [] for one in CLASSES}  # whose turn it is comes first
        self._looked_ms = 0
        self.why: dict[int, str] = {}  # by ladder: why no pair was asked the last time

    def wake(self) -> None:
        self._looked_ms = 0

    def due(self, now_ms: int) -> bool:
        """Whether it is time to look again although nothing was heard: time alone may bring a pair."""
        return now_ms - self._looked_ms >= LOOK_MS

    async def fill(self, waiting: dict[TaskClass, int], workers: int) -> None:
        """Asks for pairs until enough games wait, and counts them in."""
        self._looked_ms = self._yard.clock()
        if await self._yard.ask(deadline_over, self._looked_ms):
            await self._yard.change(tend_deadlines, self._looked_ms)
        ladders = await self._yard.ask(open_ladder_numbers)
        for task_class in CLASSES:
            while waiting.get(task_class, 0) < AHEAD * workers:
                asked = await self._ask(ladders, task_class)
                if asked is None:
                    break
                waiting[asked.task_class] = waiting.get(asked.task_class, 0) + asked.games

    async def _ask(self, ladders: list[int], task_class: TaskClass) -> Asked | None:
        """Asks for one pair on the ladder whose turn it is; None if there is none on any ladder."""
        turns = [ladder for ladder in self._turns[task_class] if ladder in ladders]
        turns += [ladder for ladder in ladders if ladder not in turns]
        for ladder in list(turns):
            turns.remove(ladder)
            turns.append(ladder)
            known = self._known.setdefault(ladder, KnownEntries(ladder))
            found = await self._yard.change(ask_next, known, ladder, task_class, self._yard.clock())
            if isinstance(found, NoPair):
                self.why[ladder] = found.why
                continue
            self._turns[task_class] = turns
            self.why.pop(ladder, None)
            return found
        return None


def open_ladder_numbers(connection: sa.Connection) -> list[int]:
    return list(connection.scalars(sa.select(LADDER.c.id).where(LADDER.c.state == OPEN).order_by(LADDER.c.id)))
