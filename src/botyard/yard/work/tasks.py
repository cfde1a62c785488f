"""Tasks: whatever a worker does for the yard waits, is leased and ends here.

A lease has a fence, a number that no other lease ever has. Whoever reports what came of a task names the fence, and one
UPDATE that asks for it decides whether the report counts. The upper half of a fence is the generation of the steward
who leased: a new steward begins a new generation, and leases of former ones are taken back.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from botyard.yard.data.database import insert_new, inserted_id
from botyard.yard.data.statements import change_rows
from botyard.yard.data.tables import (
    BUILD,
    BUILT,
    CANCELLED,
    ENDED,
    FACT,
    FAILED,
    FAULT,
    LEASED,
    TASK,
    UNBUILT,
    UNFIT,
    UPLOADED,
    VERSION,
    WAITING,
)
from botyard.yard.refusals import InTheWay

ATTEMPTS = 5  # failed ones after which a task is given up
FAULTS_MAX = 20  # the same with those that ended because the server did, which says little about the task
FENCE = "fence"  # the fact with the steward's generation
SERIAL_BITS = 32

WAITS = "waits for a worker"


class TakenOver(InTheWay):
    """Another steward has begun: this one leases nothing more."""


@dataclass(frozen=True, slots=True)
class Lease:
    """A task that a worker does, until some time."""

    task: int
    kind: str
    urgency: int
    fence: int
    worker: str
    attempt: int  # counted from 1
    version: int | None
    match: int | None


class Fence:
    """The numbers that one steward gives to its leases."""

    def __init__(self, generation: int) -> None:
        self.generation = generation
        self._serials = itertools.count(1)

    @classmethod
    def raise_one(cls, connection: sa.Connection) -> Fence:
        """Begins a new generation; from now on no earlier steward can lease anything."""
        insert_new(connection, FACT, {"name": FENCE, "value": "0"})
        now = connection.execute(sa.select(FACT.c.value).where(FACT.c.name == FENCE).with_for_update()).scalar_one()
        generation = int(now) + 1
        connection.execute(sa.update(FACT).where(FACT.c.name == FENCE).values(value=str(generation)))
        return cls(generation)

    def next(self) -> int:
        return self.generation << SERIAL_BITS | next(self._serials)

    def check(self, connection: sa.Connection) -> None:
        """Refuses to go on if another steward has begun; none can begin until this transaction ends."""
        shared = sa.select(FACT.c.value).where(FACT.c.name == FENCE).with_for_update(read=True)
        if int(connection.execute(shared).scalar_one()) != self.generation:
            raise TakenOver("another server has taken over this yard", hint="only one at a time may serve it")


def ask_task(
    connection: sa.Connection,
    kind: str,
    urgency: int,
    now_ms: int,
    *,
    why: str = WAITS,
    version: int | None = None,
    match: int | None = None,
    person: int | None = None,
) -> int:
    """Adds a task that waits for a worker; returns its number."""
    row = {"kind": kind, "urgency": urgency, "state": WAITING, "why": why, "asked_ms": now_ms}
    return inserted_id(connection, TASK, **row, version=version, match=match, person=person)


LEASE = (
    sa.update(TASK)
    .where(TASK.c.id == sa.bindparam("task"), TASK.c.state == WAITING)
    .where(sa.exists().where(FACT.c.name == FENCE, FACT.c.value == sa.bindparam("generation")))
    .values(
        state=LEASED,
        fence=sa.bindparam("number"),
        worker=sa.bindparam("by"),
        until_ms=sa.bindparam("until"),
        begun_ms=sa.bindparam("now"),
        why=sa.bindparam("told"),
        progress=0,
    )
)
LEASE_ONE = LEASE.returning(TASK.c.kind, TASK.c.urgency, TASK.c.attempts, TASK.c.version, TASK.c.match)


def lease_task(
    connection: sa.Connection, task: int, fence: Fence, worker: str, until_ms: int, now_ms: int
) -> Lease | None:
    """Gives a waiting task to a worker; None if it does not wait any more. A steward of the past cannot lease."""
    number = fence.next()
    row = connection.execute(LEASE_ONE, leased(task, fence, number, worker, until_ms, now_ms)).one_or_none()
    if row is None:
        fence.check(connection)
        return None
    return Lease(task, row.kind, row.urgency, number, worker, row.attempts + 1, row.version, row.match)


def lease_tasks(
    connection: sa.Connection, tasks: Sequence[Any], fence: Fence, workers: Sequence[str], until_ms: int, now_ms: int
) -> list[Lease] | None:
    """Gives waiting tasks, as they were just read, to workers; None if one of them does not wait any more."""
    leases = [
        Lease(task.id, task.kind, task.urgency, fence.next(), worker, task.attempts + 1, task.version, task.match)
        for task, worker in zip(tasks, workers, strict=True)
    ]
    rows = [leased(lease.task, fence, lease.fence, lease.worker, until_ms, now_ms) for lease in leases]
    if connection.execute(LEASE, rows).rowcount != len(rows):
        fence.check(connection)
        return None
    return leases


def leased(task: int, fence: Fence, number: int, worker: str, until_ms: int, now_ms: int) -> dict[str, Any]:
    about = {"task": task, "generation": str(fence.generation), "number": number, "by": worker}
    return {**about, "until": until_ms, "now": now_ms, "told": f"at work on {worker}"}


def held(lease: Lease) -> dict[str, Any]:
    """Returns what finds a task whose lease still holds; nothing is ever recorded without it."""
    return {"id": lease.task, "state": LEASED, "fence": lease.fence}


def renew_lease(connection: sa.Connection, lease: Lease, progress: int, until_ms: int) -> bool:
    """Renews a lease, because the work has gone on; returns whether the lease still holds."""
    return change_rows(connection, TASK, held(lease), {"progress": progress, "until_ms": until_ms}) == 1


END = (
    sa.update(TASK)
    .where(TASK.c.id.in_(sa.bindparam("tasks", expanding=True)), TASK.c.state == LEASED)
    .where(TASK.c.fence.in_(sa.bindparam("fences", expanding=True)))
    .values(state=ENDED, why="done", ended_ms=sa.bindparam("now"), until_ms=None)
    .returning(TASK.c.fence)
)


def end_task(connection: sa.Connection, lease: Lease, now_ms: int) -> bool:
    """Ends a task, if the lease still holds: this alone decides whether a report is recorded."""
    return bool(end_tasks(connection, [lease], now_ms))


def end_tasks(connection: sa.Connection, leases: Sequence[Lease], now_ms: int) -> set[int]:
    """Ends those of the tasks whose leases still hold; returns their fences, each of which only one lease ever has."""
    asked = {"tasks": [lease.task for lease in leases], "fences": [lease.fence for lease in leases], "now": now_ms}
    return set(connection.scalars(END, asked))


FAILURE, CRASH, STOP = "failure", "crash", "stop"
"""How an attempt ended: by a fault of a worker or of the work, with the server's, or because the server was stopped."""


def give_back(connection: sa.Connection, lease: Lease, reason: str, now_ms: int, *, how: str = FAILURE) -> str | None:
    """Takes a task back whose attempt failed, and notes the fault; returns its state then, None if the lease is over.

    It waits again, or has failed after too many attempts. An attempt that ended with the server does not count as one,
    and if the server was stopped, there is no fault either.
    """
    attempts = lease.attempt - (how != FAILURE)
    faults = sa.select(sa.func.count()).select_from(FAULT).where(FAULT.c.task == lease.task)
    given_up = attempts >= ATTEMPTS or connection.execute(faults).scalar_one() + 1 >= FAULTS_MAX
    after: dict[str, Any] = {"state": WAITING, "why": f"{WAITS} again: {reason}", "until_ms": None, "worker": ""}
    if given_up:
        after |= {"state": FAILED, "why": f"given up after {lease.attempt} attempts: {reason}", "ended_ms": now_ms}
    if change_rows(connection, TASK, held(lease), {**after, "attempts": attempts}) != 1:
        return None
    if how != STOP:
        note_fault(connection, lease, reason, now_ms)
    return str(after["state"])


def note_fault(connection: sa.Connection, lease: Lease, reason: str, now_ms: int) -> None:
    """Notes trouble of our own, once for every lease."""
    known = sa.select(FAULT.c.id).where(FAULT.c.task == lease.task, FAULT.c.fence == lease.fence)
    if connection.execute(known).first() is None:
        row = {"task": lease.task, "fence": lease.fence, "attempt": lease.attempt, "worker": lease.worker}
        connection.execute(sa.insert(FAULT).values(**row, reason=reason, at_ms=now_ms))


def leases(connection: sa.Connection, *, before: Fence | None = None, ended_by: int | None = None) -> list[Lease]:
    """Returns what is leased: all, those of earlier stewards, or those whose time is over."""
    chosen = sa.select(TASK).where(TASK.c.state == LEASED).order_by(TASK.c.id)
    if before is not None:
        chosen = chosen.where(TASK.c.fence < before.generation << SERIAL_BITS)
    if ended_by is not None:
        chosen = chosen.where(TASK.c.until_ms <= ended_by)
    return [
        Lease(row.id, row.kind, row.urgency, row.fence, row.worker, row.attempts + 1, row.version, row.match)
        for row in connection.execute(chosen)
    ]


def cancel_task(connection: sa.Connection, task: int, reason: str, now_ms: int) -> bool:
    """Cancels a task that waits; returns whether it did."""
    cancelled = sa.update(TASK).where(TASK.c.id == task, TASK.c.state == WAITING)
    cancelled = cancelled.values(state=CANCELLED, why=reason, ended_ms=now_ms)
    return connection.execute(cancelled).rowcount == 1


def cancel_open_tasks(connection: sa.Connection, which: sa.ColumnElement[bool], reason: str, now_ms: int) -> None:
    """Cancels tasks that wait or are at work. Their leases are over, and no report of their workers counts."""
    ended = sa.update(TASK).where(which, TASK.c.state.in_((WAITING, LEASED)))
    connection.execute(ended.values(state=CANCELLED, why=reason, ended_ms=now_ms, until_ms=None))


def leases_over(connection: sa.Connection, fences: Collection[int]) -> set[int]:
    """Returns those of the fences whose leases do not hold any more."""
    held_now = sa.select(TASK.c.fence).where(TASK.c.state == LEASED, TASK.c.fence.in_(fences))
    return set(fences) - set(connection.scalars(held_now)) if fences else set()


def ask_again(connection: sa.Connection, task: int, now_ms: int) -> bool:
    """Has a build or a check that was given up wait again, and its version with it; returns whether it does."""
    again = sa.update(TASK).where(TASK.c.id == task, TASK.c.state == FAILED, TASK.c.match.is_(None))
    again = again.values(state=WAITING, why=WAITS, attempts=0, asked_ms=now_ms, ended_ms=None)
    row = connection.execute(again.returning(TASK.c.kind, TASK.c.version)).one_or_none()
    if row is None:
        return False
    state = UPLOADED if row.kind == BUILD else BUILT
    version = sa.update(VERSION).where(VERSION.c.id == row.version, VERSION.c.state.in_((UNBUILT, UNFIT)))
    connection.execute(version.values(state=state, reason=""))
    return True
