"""The lessor finds the next task that a worker can do, leases it and says what has to be done."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Any

import sqlalchemy as sa

from botyard.contest.executors import Executor
from botyard.rank.ladder import TaskClass
from botyard.yard.data.tables import MATCH_TASK
from botyard.yard.site import Yard
from botyard.yard.work.hand_seats import HandSeats
from botyard.yard.work.kept_blobs import KeptBlobs
from botyard.yard.work.leasing import LONGEST_S, Applicant, Patience, next_tasks
from botyard.yard.work.orders import TaskWork, seated_work, seats_of, work_of
from botyard.yard.work.recording import Overtaken, begin, begin_together, record_failure
from botyard.yard.work.tasks import Fence, Lease


@dataclass(frozen=True, slots=True)
class HandedOut:
    """Leases with what is to be done, and the class, if any, of which no idle worker found a task."""

    given: list[tuple[Lease, TaskWork]]
    none: TaskClass | None = None


def applicant(executor: Executor, worker: str, avoids: frozenset[int] = frozenset()) -> Applicant:
    """Returns what a worker can do. Where workers are on other machines, those of this one serve people alone."""
    facts = executor.facts(worker)
    if facts is None:
        return Applicant(worker, avoids=avoids, by_hand=True if executor.far else None)
    return Applicant(worker, facts.lacking, avoids, by_hand=False)


class Lessor:
    """Leases tasks under the fences of one steward."""

    def __init__(self, yard: Yard, hands: HandSeats, patience: Patience) -> None:
        self._yard, self._hands, self._patience = yard, hands, patience
        self._sources = KeptBlobs(yard.blobs)
        self.fence = Fence(0)

    async def hand_out(self, classes: Sequence[TaskClass], idle: Sequence[Applicant], now_ms: int) -> HandedOut:
        """Leases the next tasks of these classes, in this order, to idle workers, who may be as many or more.

        If all workers take the same tasks, they are leased with a few statements for all. Whenever one of these tasks
        has gone meanwhile, that is undone, and the workers are served one by one.
        """
        alike = len({(worker.lacks, worker.avoids, worker.by_hand) for worker in idle}) == 1 and not idle[0].avoids
        if alike and TaskClass.BUILD not in classes:
            with contextlib.suppress(Overtaken):
                return await self._yard.change_for_now(self._lease_together, classes, idle, now_ms)
        try:
            return await self._yard.change_for_now(self._lease_one_by_one, classes, idle, now_ms)
        except Overtaken:
            return HandedOut([], classes[0])

    def _lease_together(
        self, connection: sa.Connection, classes: Sequence[TaskClass], idle: Sequence[Applicant], now_ms: int
    ) -> HandedOut:
        given: list[tuple[Lease, TaskWork]] = []
        workers = [worker.name for worker in idle]
        until_ms = now_ms + int(1000 * self.preparing_s(MATCH_TASK))
        for task_class, run in groupby(classes):
            wanted = len(list(run))
            tasks = next_tasks(connection, task_class, wanted, idle[0])
            if tasks:
                takers = workers[: len(tasks)]
                del workers[: len(tasks)]
                leases = begin_together(connection, tasks, self.fence, takers, until_ms, now_ms)
                given += self._works(connection, leases, now_ms)
            if len(tasks) < wanted:
                return HandedOut(given, task_class)
        return HandedOut(given)

    def _works(self, connection: sa.Connection, leases: Sequence[Lease], now_ms: int) -> list[tuple[Lease, TaskWork]]:
        """Returns what is to be done under leases of matches, as far as it can be said."""
        seats = seats_of(connection, [lease.match for lease in leases if lease.match is not None])
        given: list[tuple[Lease, TaskWork]] = []
        for lease in leases:
            own = seats[lease.match or 0]
            make = partial(seated_work, connection, self._sources, self._yard.config.cage, own, lease.attempt)
            if found := self._work(connection, lease, make, now_ms):
                given.append(found)
        return given

    def _lease_one_by_one(
        self, connection: sa.Connection, classes: Sequence[TaskClass], idle: Sequence[Applicant], now_ms: int
    ) -> HandedOut:
        given: list[tuple[Lease, TaskWork]] = []
        left = list(idle)
        for task_class in classes:
            for worker in left:  # the first one may be where the only task of the class has failed
                if found := self.next(connection, task_class, worker, now_ms):
                    given.append(found)
                    left.remove(worker)
                    break
            else:
                return HandedOut(given, task_class)
        return HandedOut(given)

    def next(
        self, connection: sa.Connection, task_class: TaskClass, worker: Applicant, now_ms: int
    ) -> tuple[Lease, TaskWork] | None:
        """Leases the first task of a class that a worker can do and that is still wanted."""
        for task in next_tasks(connection, task_class, 1 + len(worker.avoids), worker):
            if task.id not in worker.avoids and (given := self._lease(connection, task, worker.name, now_ms)):
                return given
        return None

    def _lease(
        self, connection: sa.Connection, task: sa.Row[Any], worker: str, now_ms: int
    ) -> tuple[Lease, TaskWork] | None:
        until_ms = now_ms + int(1000 * self.preparing_s(task.kind))
        lease = begin(connection, task, self.fence, worker, until_ms, now_ms)
        if lease is None:
            return None
        make = partial(work_of, connection, self._sources, self._yard.config.cage, lease)
        return self._work(connection, lease, make, now_ms)

    def _work(
        self, connection: sa.Connection, lease: Lease, make: Callable[[], TaskWork], now_ms: int
    ) -> tuple[Lease, TaskWork] | None:
        try:
            return lease, self._hands.addressed(make())
        except Exception as error:  # a source that is missing must not stop everything else
            record_failure(connection, lease, f"the task cannot be given to a worker: {error}", now_ms)
            return None

    def preparing_s(self, kind: str) -> float:
        """Returns how long a worker may be silent before it has made any progress."""
        own = self._patience.preparing_s
        return LONGEST_S[kind] if own is None else own
