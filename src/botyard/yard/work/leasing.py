"""What the steward knows of tasks that workers are at, and how it finds the next ones."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

import sqlalchemy as sa

from botyard.rank.ladder import TaskClass
from botyard.yard.data.tables import BUILD, CHECK, MATCH, MATCH_TASK, SEAT, TASK, VERSION, WAITING
from botyard.yard.work.building import BuildWork
from botyard.yard.work.checking import CheckWork
from botyard.yard.work.matches import MatchWork
from botyard.yard.work.orders import TaskWork
from botyard.yard.work.recording import record_failure
from botyard.yard.work.tasks import CRASH, Fence, Lease, leases

LONGEST_S: Final = {BUILD: BuildWork.longest_s, CHECK: CheckWork.longest_s, MATCH_TASK: MatchWork.longest_s}
"""How long a worker may be silent before it has made any progress, by the kind of task."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a worker may stand still."""

    match_s: float = 60.0  # a match that has begun; three times its usual length, if that is more
    preparing_s: float | None = None  # before that, if not as long as the work itself says


@dataclass(slots=True)
class TaskAtWork:
    """A task that a worker is at."""

    lease: Lease
    work: TaskWork
    began_ms: int
    until: float  # on a clock that never jumps: then it is taken away, unless there is progress
    progress: int = 0
    renewed: float = 0.0  # when its progress was last noted in the tables
    log: bytearray = field(default_factory=bytearray)  # of a build, as it grows


def take_over(connection: sa.Connection, now_ms: int) -> Fence:
    """Begins a new generation of leases, and takes back those of earlier ones: whoever had them has ended."""
    fence = Fence.raise_one(connection)
    for lease in leases(connection, before=fence):
        record_failure(connection, lease, "the server ended while a worker was at it", now_ms, how=CRASH)
    return fence


COUNTED = sa.select(TASK.c.urgency, sa.func.count()).where(TASK.c.state == WAITING).group_by(TASK.c.urgency)
NEXT: sa.Select[Any] = (
    sa.select(TASK.c.id, TASK.c.kind, TASK.c.version, TASK.c.match, TASK.c.urgency, TASK.c.attempts, MATCH.c.pair)
    .outerjoin(MATCH, TASK.c.match == MATCH.c.id)
    .where(TASK.c.state == WAITING, TASK.c.urgency == sa.bindparam("class"))
    .order_by(TASK.c.id)
    .limit(sa.bindparam("most"))
)


def count_waiting(connection: sa.Connection) -> dict[TaskClass, int]:
    return {TaskClass(row[0]): row[1] for row in connection.execute(COUNTED)}


@dataclass(frozen=True, slots=True)
class Applicant:
    """A worker that could take a task."""

    name: str
    lacks: frozenset[str] = frozenset()  # languages that are not on its machine
    avoids: frozenset[int] = frozenset()  # tasks that failed on it
    by_hand: bool | None = None  # whether it takes only matches in which a person plays, or only others; None: all


def next_tasks(
    connection: sa.Connection, task_class: TaskClass, most: int, worker: Applicant | None = None
) -> Sequence[Any]:
    """Returns the tasks of a class that have waited longest, as far as a worker can do them."""
    chosen = NEXT if worker is None else next_for(worker.lacks, worker.by_hand)
    return connection.execute(chosen, {"class": int(task_class), "most": most}).all()


@lru_cache
def next_for(lacks: frozenset[str], by_hand: bool | None) -> sa.Select[Any]:
    chosen = NEXT
    if lacks:
        chosen = chosen.where(~in_languages(sorted(lacks)))
    if by_hand is not None:
        played_by_hand = sa.exists().where(SEAT.c.match == TASK.c.match, SEAT.c.person.is_not(None))
        chosen = chosen.where(played_by_hand if by_hand else ~played_by_hand)
    return chosen


def in_languages(languages: Collection[str]) -> sa.ColumnElement[bool]:
    """Whether a task has to do with a version in one of these languages: that is built, checked, or plays."""
    spoken = VERSION.c.language.in_(languages)
    tried = sa.exists().where(VERSION.c.id == TASK.c.version, spoken)
    plays = sa.exists().where(SEAT.c.match == TASK.c.match, SEAT.c.version == VERSION.c.id, spoken)
    return sa.or_(tried, plays)


def take_back_overdue(connection: sa.Connection, held: Collection[int], now_ms: int) -> int:
    """Takes back leases whose time is over and of which nobody knows any more; `held` are the fences of all others."""
    lost = [lease for lease in leases(connection, ended_by=now_ms) if lease.fence not in held]
    for lease in lost:
        record_failure(connection, lease, "its lease is over, and nobody is at it", now_ms)
    return len(lost)
