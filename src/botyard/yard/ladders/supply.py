"""The supply of pairs: a few are asked ahead on every ladder, so that no worker waits and the queue can be seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa

from botyard.rank.ladder import NoPair, TaskClass
from botyard.yard.data.tables import LADDER
from botyard.yard.data.times import SECOND
from botyard.yard.ladders.asking import KnownEntries, ask_next
from botyard.yard.ladders.finals import tend_deadlines
from botyard.yard.ladders.ladders import CLOSED, OPEN
from botyard.yard.site import Yard

CLASSES: Final = (TaskClass.SETTLING, TaskClass.STEADY)
LEAST: Final = 1  # games that wait for each worker, in each of the two classes; if there are fewer,
AHEAD: Final = 3  # so many are asked for at once
PAIR_GAMES: Final = 2
LOOK_MS: Final = SECOND  # between two looks at ladders on which nothing has happened
MARKS: Final = sa.select(LADDER.c.id, LADDER.c.state, LADDER.c.changes, LADDER.c.deadline_ms).order_by(LADDER.c.id)


@dataclass(frozen=True, slots=True)
class NothingToAsk:
    """A ladder had no pair of some class: it is worth asking again when its entries have changed, or at some time.

    If closing pairs cannot bring one, it is worth asking at the next look, and not before.
    """

    changes: int
    none: NoPair

    def holds(self, changes: int, now_ms: int) -> bool:
        again_ms = self.none.again_ms
        return (self.none.stays or changes == self.changes) and (again_ms is None or now_ms < again_ms)


class PairSupply:
    """Asks for pairs in turn on all open ladders."""

    def __init__(self, yard: Yard) -> None:
        self._yard = yard
        self._known: dict[int, KnownEntries] = {}
        self._refused: dict[tuple[int, TaskClass], NothingToAsk] = {}
        self._changes: dict[int, int] = {}  # by ladder, in the order of their turns
        self._looked_ms = 0

    @property
    def why(self) -> dict[int, str]:
        """Why no pair was asked the last time, by ladder."""
        return {ladder: refused.none.why for (ladder, _), refused in self._refused.items()}

    def due(self, now_ms: int) -> bool:
        """Whether it is time to look although nothing was heard: time alone may bring a pair, or end one's deadline."""
        return not 0 <= now_ms - self._looked_ms < LOOK_MS

    async def look(self) -> None:
        """Sees which ladders there are and whether their entries have changed, and does what is due after deadlines."""
        now_ms = self._looked_ms = self._yard.clock()
        marks = await self._yard.ask(read_marks)
        if any(row.state != CLOSED and row.deadline_ms is not None and row.deadline_ms <= now_ms for row in marks):
            await self._yard.change(tend_deadlines, now_ms)
        self._refused = {asked: refused for asked, refused in self._refused.items() if not refused.none.stays}
        self._take_turns({row.id: row.changes for row in marks if row.state == OPEN})

    def stir(self) -> None:
        """A pair was closed or failed: whoever had no pair to ask may have one now."""
        self._refused = {asked: refused for asked, refused in self._refused.items() if refused.none.stays}

    async def fill(self, waiting: dict[TaskClass, int], workers: int) -> None:
        """Asks for pairs until enough games wait, and counts them in."""
        now_ms, gave_one = self._yard.clock(), True
        while gave_one:
            gave_one = False
            for ladder in list(self._changes):
                wanted = self._wanted(ladder, waiting, workers, now_ms)
                if wanted:
                    gave_one |= await self._ask(ladder, wanted, waiting, now_ms)

    def _wanted(self, ladder: int, waiting: Mapping[TaskClass, int], workers: int, now_ms: int) -> list[TaskClass]:
        """Returns the classes of pairs that a ladder is asked for; its share of what is missing, if there are many."""
        wanted: list[TaskClass] = []
        for task_class in CLASSES:
            there = waiting.get(task_class, 0)
            if there < LEAST * workers and not self._refuses(ladder, task_class, now_ms):
                missing = AHEAD * workers - there
                wanted += [task_class] * max(1, missing // (PAIR_GAMES * len(self._changes)))
        return wanted

    def _take_turns(self, changes: Mapping[int, int]) -> None:
        """Keeps the ladders in the order in which they are asked: whoever gave a pair last comes last."""
        known = {ladder: changes[ladder] for ladder in self._changes if ladder in changes}
        self._changes = known | {ladder: number for ladder, number in changes.items() if ladder not in known}

    def _refuses(self, ladder: int, task_class: TaskClass, now_ms: int) -> bool:
        refused = self._refused.get((ladder, task_class))
        return refused is not None and refused.holds(self._changes[ladder], now_ms)

    async def _ask(self, ladder: int, wanted: Sequence[TaskClass], waiting: dict[TaskClass, int], now_ms: int) -> bool:
        """Asks a ladder for a pair of each class, and counts its games in; returns whether there was one."""
        known = self._known.setdefault(ladder, KnownEntries(ladder))
        answers = await self._yard.change_for_now(ask_next, known, ladder, wanted, now_ms)
        self._changes[ladder] = answers.changes
        for task_class, none in answers.none.items():
            self._refused[ladder, task_class] = NothingToAsk(answers.changes, none)
        for asked in answers.asked:
            waiting[asked.task_class] = waiting.get(asked.task_class, 0) + asked.games
            self._changes[ladder] = self._changes.pop(ladder)
        return bool(answers.asked)


def read_marks(connection: sa.Connection) -> Sequence[Any]:
    return connection.execute(MARKS).all()
