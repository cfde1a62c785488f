"""What admins see of the work: tasks with the reason why they wait, workers, ladders and trouble; and what they do
about it."""

from __future__ import annotations

import json
from dataclasses import dataclass

import sqlalchemy as sa

from botyard.yard.data.blobs import BlobReader
from botyard.yard.data.events import note_event
from botyard.yard.data.tables import (
    ASKED,
    BEGUN,
    BOT,
    CANCELLED,
    ENTRY,
    FAILED,
    FAULT,
    LADDER,
    LEASED,
    MATCH,
    PAIR,
    RETIRED,
    TASK,
    VERSION,
    VOID,
    WAITING,
    WORKER,
)
from botyard.yard.data.times import DAY
from botyard.yard.ladders.again import AGAIN, ask_void_again
from botyard.yard.refusals import InTheWay, NotThere
from botyard.yard.work.tasks import ask_again

MOST_SHOWN = 100


@dataclass(frozen=True, slots=True)
class TaskLine:
    """A task as the list shows it."""

    id: int
    kind: str
    urgency: int
    state: str
    worker: str
    progress: int
    attempts: int
    why: str
    asked_ms: int
    begun_ms: int | None
    bot: int | None
    bot_name: str
    version: int | None  # its number among the versions of its bot
    match: int | None
    again: bool  # whether it can be tried again


@dataclass(frozen=True, slots=True)
class WorkerLine:
    name: str
    state: str
    about: str  # JSON
    seen_ms: int

    @property
    def words(self) -> str:
        """Returns what is known about it, in words."""
        told = json.loads(self.about)
        spoken = ", ".join(one["title"] for one in told.get("languages", ()) if not one["trouble"])
        parts = [told.get("refused"), told.get("machine"), f"Botyard {told.get('botyard', '')}", spoken]
        return "; ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class LadderLine:
    """A ladder as the list shows it, without its secrets."""

    slug: str
    title: str
    game: str
    state: str
    season: int
    recorded: int
    bots: int
    waiting: int


@dataclass(frozen=True, slots=True)
class FaultLine:
    """Trouble of our own."""

    id: int
    at_ms: int
    worker: str
    reason: str
    task: int | None
    match: int | None  # that went otherwise when it was played again
    replay: str | None  # of that other game


def tasks_in(connection: sa.Connection, states: tuple[str, ...], limit: int = MOST_SHOWN) -> list[TaskLine]:
    """Returns tasks in the order in which they are done; those that are over, the latest first."""
    joined = sa.outerjoin(TASK, VERSION, TASK.c.version == VERSION.c.id).outerjoin(BOT, VERSION.c.bot == BOT.c.id)
    joined = joined.outerjoin(MATCH, TASK.c.match == MATCH.c.id).outerjoin(PAIR, MATCH.c.pair == PAIR.c.id)
    void = sa.and_(PAIR.c.state == VOID, PAIR.c.kind.in_(AGAIN)).label("void")
    wanted = TASK, VERSION.c.number.label("number"), BOT.c.id.label("bot"), BOT.c.name.label("bot_name"), void
    running = set(states) <= {WAITING, LEASED}
    order = (TASK.c.state, TASK.c.urgency, TASK.c.id) if running else (TASK.c.id.desc(),)
    rows = connection.execute(
        sa.select(*wanted).select_from(joined).where(TASK.c.state.in_(states)).order_by(*order).limit(limit)
    )
    return [
        TaskLine(
            row.id,
            row.kind,
            row.urgency,
            row.state,
            row.worker,
            row.progress,
            row.attempts,
            row.why,
            row.asked_ms,
            row.begun_ms,
            row.bot,
            row.bot_name or "",
            row.number,
            row.match,
            bool(row.void) if row.state == CANCELLED else row.state == FAILED,
        )
        for row in rows
    ]


def count_tasks(connection: sa.Connection, state: str) -> int:
    return connection.execute(sa.select(sa.func.count()).select_from(TASK).where(TASK.c.state == state)).scalar_one()


def workers(connection: sa.Connection) -> list[WorkerLine]:
    rows = connection.execute(sa.select(WORKER).order_by(WORKER.c.name))
    return [WorkerLine(row.name, row.state, row.about, row.seen_ms) for row in rows]


def latest_faults(connection: sa.Connection, limit: int = 20) -> list[FaultLine]:
    rows = connection.execute(sa.select(FAULT).order_by(FAULT.c.id.desc()).limit(limit))
    return [FaultLine(row.id, row.at_ms, row.worker, row.reason, row.task, row.match, row.replay) for row in rows]


def replay_of_fault(connection: sa.Connection, blobs: BlobReader, fault: int) -> bytes:
    """Returns the replay of a match that went otherwise when it was played again."""
    digest = connection.scalars(sa.select(FAULT.c.replay).where(FAULT.c.id == fault)).one_or_none()
    if digest is None:
        raise NotThere(f"there is no replay of fault {fault}")
    return blobs.read(connection, digest)


def faults_today(connection: sa.Connection, now_ms: int) -> int:
    lately = sa.select(sa.func.count()).select_from(FAULT).where(FAULT.c.at_ms > now_ms - DAY)
    return connection.execute(lately).scalar_one()


def ladder_lines(connection: sa.Connection) -> list[LadderLine]:
    """Returns all ladders with how many bots play on them; house bots are not counted."""
    playing = (ENTRY.c.ladder == LADDER.c.id) & ENTRY.c.bot.is_not(None) & (ENTRY.c.state != RETIRED)
    bots = sa.select(sa.func.count()).select_from(ENTRY).where(playing).scalar_subquery().label("bots")
    open_ones = (PAIR.c.ladder == LADDER.c.id) & PAIR.c.state.in_((ASKED, BEGUN))
    flying = sa.select(sa.func.count()).select_from(PAIR).where(open_ones).scalar_subquery()
    rows = connection.execute(sa.select(LADDER, bots, flying.label("flying")).order_by(LADDER.c.slug))
    return [
        LadderLine(row.slug, row.title, row.game, row.state, row.season, row.recorded, row.bots, row.flying)
        for row in rows
    ]


# What an admin does about a task


def again_by_admin(connection: sa.Connection, task: int, now_ms: int, *, by: int) -> None:
    """Has a task that was given up wait again, or the games of a pair that an admin has cancelled."""
    over = TASK.c.state.in_((FAILED, CANCELLED))
    match = sa.select(TASK.c.match).where(TASK.c.id == task, over, TASK.c.match.is_not(None))
    if (number := connection.execute(match).scalar_one_or_none()) is not None:
        ask_void_again(connection, number, now_ms)
    elif not ask_again(connection, task, now_ms):
        raise InTheWay(f"task {task} cannot be tried again", hint=f"only what has {FAILED} can")
    note_event(connection, now_ms, "task.again", f"task/{task}", person=by)
