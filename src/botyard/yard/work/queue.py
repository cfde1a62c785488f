"""This module reads what waits for a worker: in which order, why, and for about how long."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from botyard.yard.data.statements import among
from botyard.yard.data.tables import (
    BOT,
    ENDED,
    FAULT,
    LADDER,
    LEASED,
    MATCH,
    MATCH_TASK,
    PAIR,
    SEAT,
    TASK,
    VERSION,
    WAITING,
    WORKER,
)  # fmt: skip
from botyard.yard.data.times import HOUR
from botyard.yard.work.hands_here import CALLED

RECENT = 60  # tasks that were done last, from which the time of the next ones is estimated

# Written down once: building a query takes longer than asking it, and every page has these.
IS_OPEN = among(TASK.c.state, WAITING, LEASED)
COUNTED = sa.select(TASK.c.state, sa.func.count().label("tasks")).where(IS_OPEN).group_by(TASK.c.state)
ABLE = (
    sa.select(sa.func.count())
    .select_from(WORKER)
    .where(among(WORKER.c.state, "idle", "busy"), WORKER.c.name.not_like(f"{CALLED} %"))
)
LAST_DONE = (
    sa.select(TASK.c.begun_ms, TASK.c.ended_ms)
    .where(TASK.c.state == ENDED, TASK.c.begun_ms.is_not(None), TASK.c.ended_ms.is_not(None))
    .order_by(TASK.c.id.desc())
    .limit(RECENT)
)
QUEUED = (
    sa.select(
        TASK, VERSION.c.number, VERSION.c.bot, BOT.c.name, BOT.c.owner, LADDER.c.slug, LADDER.c.title,
        PAIR.c.why.label("pair_why"),
    )
    .outerjoin(VERSION, TASK.c.version == VERSION.c.id)
    .outerjoin(BOT, VERSION.c.bot == BOT.c.id)
    .outerjoin(MATCH, TASK.c.match == MATCH.c.id)
    .outerjoin(PAIR, MATCH.c.pair == PAIR.c.id)
    .outerjoin(LADDER, PAIR.c.ladder == LADDER.c.id)
    .where(IS_OPEN)
    .order_by(sa.case((TASK.c.state == LEASED, 0), else_=1), TASK.c.urgency, TASK.c.id)
    .limit(sa.bindparam("limit", type_=sa.Integer))
)  # fmt: skip
QUEUED_ON = QUEUED.where(PAIR.c.ladder == sa.bindparam("ladder"))
PLAYERS = (
    sa.select(SEAT.c.match, SEAT.c.name, BOT.c.owner)
    .outerjoin(VERSION, SEAT.c.version == VERSION.c.id)
    .outerjoin(BOT, VERSION.c.bot == BOT.c.id)
    .where(SEAT.c.match.in_(sa.bindparam("matches", expanding=True)))
    .order_by(SEAT.c.match, SEAT.c.place)
)
BY_URGENCY = (
    sa.select(
        TASK.c.state, TASK.c.urgency, sa.func.count().label("tasks"), sa.func.min(TASK.c.asked_ms).label("oldest")
    )
    .where(IS_OPEN)
    .group_by(TASK.c.state, TASK.c.urgency)
    .order_by(TASK.c.urgency)
)
LAST_FAULT = sa.select(FAULT.c.at_ms, FAULT.c.worker, FAULT.c.reason).order_by(FAULT.c.id.desc()).limit(1)
FAULTS_SINCE = sa.select(sa.func.count()).select_from(FAULT).where(FAULT.c.at_ms > sa.bindparam("since"))
DONE_SINCE = (
    sa.select(sa.func.count())
    .select_from(MATCH)
    .where(
        MATCH.c.game.in_(sa.select(LADDER.c.game)),  # matches are found by their game and time
        MATCH.c.done_ms > sa.bindparam("since"),
    )
)
LAST_ENDED = (
    sa.select(TASK.c.ended_ms)
    .where(TASK.c.state == ENDED, TASK.c.kind == MATCH_TASK)
    .order_by(TASK.c.id.desc())
    .limit(1)
)
WORKERS = (
    sa.select(WORKER, TASK.c.id, TASK.c.kind, TASK.c.match, TASK.c.begun_ms)
    .outerjoin(TASK, (TASK.c.worker == WORKER.c.name) & (TASK.c.state == LEASED))
    .order_by(WORKER.c.name)
)


@dataclass(frozen=True, slots=True)
class QueuedTask:
    """A task that waits or is being done."""

    id: int
    kind: str
    urgency: int
    state: str
    why: str
    worker: str
    asked_ms: int
    begun_ms: int | None
    match: int | None
    bot: int | None  # that is built or checked
    version: int | None  # its number
    names: tuple[str, ...]  # of the players, or of the bot
    ladder: str  # slug
    ladder_title: str
    pair_why: str  # why these bots were asked
    mine: bool


@dataclass(frozen=True, slots=True)
class QueueLine:
    """How long the queue is, and where somebody stands in it."""

    waiting: int
    running: int
    mine: int | None  # the place of the first own task, from 1
    seconds: int | None  # until that one begins, or until all that waits now is done, as far as one can tell
    workers: int  # that take tasks


@dataclass(frozen=True, slots=True)
class WorkerShown:
    name: str
    state: str
    seen_ms: int
    task: int | None
    task_kind: str
    task_match: int | None
    begun_ms: int | None
    machine: str  # where it runs, if that is another machine
    refused: str  # why it gets no work though it is there


@dataclass(frozen=True, slots=True)
class Overview:
    """How the yard is doing."""

    workers: tuple[WorkerShown, ...]
    waiting: dict[int, tuple[int, int]]  # by urgency: how many tasks wait, and since when the oldest does
    running: int
    done_in_hour: int
    last_done_ms: int | None
    last_fault: tuple[int, str, str] | None  # when, worker, reason
    faults_in_hour: int

    @property
    def able(self) -> int:
        """Returns how many workers take tasks; those that only serve people beside a cluster are not counted."""
        return sum(worker.state in ("idle", "busy") and not worker.name.startswith(CALLED) for worker in self.workers)


def queued_tasks(
    connection: sa.Connection, person: int | None, *, ladder: int | None = None, limit: int = 60
) -> list[QueuedTask]:
    """Returns what is being done and then what comes next, in its order."""
    wanted = {"limit": limit, "ladder": ladder}
    rows = list(connection.execute(QUEUED if ladder is None else QUEUED_ON, wanted))
    players = players_of(connection, [row.match for row in rows if row.match is not None])
    return [task_of(row, players[row.match] if row.match else [], person) for row in rows]


def players_of(connection: sa.Connection, matches: Sequence[int]) -> dict[int, list[tuple[str, int | None]]]:
    """Returns names and owners of those who play in each match."""
    found: dict[int, list[tuple[str, int | None]]] = defaultdict(list)
    for row in connection.execute(PLAYERS, {"matches": list(matches)}) if matches else ():
        found[row.match].append((row.name, row.owner))
    return found


def task_of(row: sa.Row[Any], players: list[tuple[str, int | None]], person: int | None) -> QueuedTask:
    names = tuple(name for name, _ in players) or ((row.name,) if row.name else ())
    owners = {row.owner, row.person, *(owner for _, owner in players)}
    return QueuedTask(
        row.id, row.kind, row.urgency, row.state, row.why, row.worker, row.asked_ms, row.begun_ms, row.match, row.bot,
        row.number, names, row.slug or "", row.title or "", row.pair_why or "", person is not None and person in owners,
    )  # fmt: skip


def queue_line(connection: sa.Connection, person: int | None) -> QueueLine:
    numbers: dict[str, int] = {row.state: row.tasks for row in connection.execute(COUNTED)}
    waiting = numbers.get(WAITING, 0)
    place = None if person is None or not waiting else first_own(connection, person)
    workers = connection.execute(ABLE).scalar_one()
    seconds = None
    if workers and (each := usual_seconds(connection)) is not None:
        seconds = round(each * (waiting if place is None else place) / workers)
    return QueueLine(waiting, numbers.get(LEASED, 0), place, seconds, workers)


def first_own(connection: sa.Connection, person: int) -> int | None:
    """Returns the place of a person's first waiting task in the queue."""
    playing = sa.select(SEAT.c.match).join(VERSION, SEAT.c.version == VERSION.c.id).join(BOT, VERSION.c.bot == BOT.c.id)
    built = sa.select(VERSION.c.id).join(BOT, VERSION.c.bot == BOT.c.id).where(BOT.c.owner == person)
    own = (
        (TASK.c.person == person)
        | TASK.c.version.in_(built)
        | TASK.c.match.in_(playing.where(BOT.c.owner == person, SEAT.c.match == TASK.c.match).correlate(TASK))
    )
    waits = TASK.c.state == WAITING
    asked = sa.select(TASK.c.urgency, TASK.c.id).where(waits, own).order_by(TASK.c.urgency, TASK.c.id).limit(1)
    row = connection.execute(asked).one_or_none()
    if row is None:
        return None
    earlier = (TASK.c.urgency < row.urgency) | ((TASK.c.urgency == row.urgency) & (TASK.c.id < row.id))
    return 1 + int(connection.execute(sa.select(sa.func.count()).select_from(TASK).where(waits, earlier)).scalar_one())


def usual_seconds(connection: sa.Connection) -> float | None:
    """Returns how long a task takes, by those that were done last; None if none was."""
    times = [row.ended_ms - row.begun_ms for row in connection.execute(LAST_DONE)]
    return sum(times) / len(times) / 1000 if times else None


def overview(connection: sa.Connection, now_ms: int) -> Overview:
    """Returns how the yard is doing: workers, what waits, and the last trouble of our own."""
    rows, hour = list(connection.execute(BY_URGENCY)), {"since": now_ms - HOUR}
    fault = connection.execute(LAST_FAULT).one_or_none()
    return Overview(
        workers=workers_shown(connection),
        waiting={row.urgency: (row.tasks, row.oldest) for row in rows if row.state == WAITING},
        running=sum(row.tasks for row in rows if row.state == LEASED),
        done_in_hour=connection.execute(DONE_SINCE, hour).scalar_one(),
        last_done_ms=connection.execute(LAST_ENDED).scalar_one_or_none(),
        last_fault=fault and (fault.at_ms, fault.worker, fault.reason),
        faults_in_hour=connection.execute(FAULTS_SINCE, hour).scalar_one(),
    )


def workers_shown(connection: sa.Connection) -> tuple[WorkerShown, ...]:
    found = {}
    for row in connection.execute(WORKERS):
        about = json.loads(row.about)
        found[row.name] = WorkerShown(
            row.name, row.state, row.seen_ms, row.id, row.kind or "", row.match, row.begun_ms,
            about.get("machine", ""), about.get("refused", ""),
        )  # fmt: skip
    return tuple(found.values())
