"""The lessor finds the next task that a worker can do, leases it and says what has to be done."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import sqlalchemy as sa

from botyard.contest.executors import Executor
from botyard.rank.ladder import TaskClass
from botyard.yard.site import Yard
from botyard.yard.work.hand_seats import HandSeats
from botyard.yard.work.kept_blobs import KeptBlobs
from botyard.yard.work.leasing import LONGEST_S, Applicant, Patience, next_tasks
from botyard.yard.work.orders import TaskWork, work_of
from botyard.yard.work.recording import begin, record_failure
from botyard.yard.work.tasks import Fence, Lease


def applicant(executor: Executor, worker: str) -> Applicant:
    """Returns what a worker can do. Where workers are on other machines, those of this one serve people alone."""
    facts = executor.facts(worker)
    if facts is None:
        return Applicant(worker, by_hand=True if executor.far else None)
    return Applicant(worker, facts.lacking, by_hand=False)


class Lessor:
    """Leases tasks under the fences of one steward."""

    def __init__(self, yard: Yard, hands: HandSeats, patience: Patience) -> None:
        self._yard, self._hands, self._patience = yard, hands, patience
        self._sources = KeptBlobs(yard.blobs)
        self.fence = Fence(0)

    def next(
        self, connection: sa.Connection, task_class: TaskClass, avoided: Collection[int], worker: Applicant, now_ms: int
    ) -> tuple[Lease, TaskWork] | None:
        """Leases the first task of a class that a worker can do and that is still wanted."""
        for task in next_tasks(connection, task_class, 1 + len(avoided), worker):
            if task.id not in avoided and (given := self._lease(connection, task, worker.name, now_ms)):
                return given
        return None

    def _lease(
        self, connection: sa.Connection, task: sa.Row[Any], worker: str, now_ms: int
    ) -> tuple[Lease, TaskWork] | None:
        until_ms = now_ms + int(1000 * self.preparing_s(task.kind))
        lease = begin(connection, task, self.fence, worker, until_ms, now_ms)
        if lease is None:
            return None
        try:
            return lease, self._hands.addressed(work_of(connection, self._sources, self._yard.config.cage, lease))
        except Exception as error:  # a source that is missing must not stop everything else
            record_failure(connection, lease, f"the task cannot be given to a worker: {error}", now_ms)
            return None

    def preparing_s(self, kind: str) -> float:
        """Returns how long a worker may be silent before it has made any progress."""
        own = self._patience.preparing_s
        return LONGEST_S[kind] if own is None else own
