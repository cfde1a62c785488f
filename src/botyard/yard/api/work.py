"""The work of the yard: what waits and why, and how the yard is doing."""

from __future__ import annotations

from typing import Annotated

import sqlalchemy as sa
from fastapi import Query
from starlette.responses import Response

from botyard import __version__
from botyard.yard.api.fields import Told
from botyard.yard.api.routing import JSON, Call, Section, get
from botyard.yard.web.pages import status as pages
from botyard.yard.web.words import queue_words
from botyard.yard.work.queue import Overview, overview, queue_line, queued_tasks

MOST_TASKS = 100


class QueuedAnswer(Told):
    """A task that waits or is being done."""

    id: int
    kind: str
    """`build`, `check`, `match` or `film`."""
    state: str
    why: str
    urgency: int
    """0 builds and checks, 1 challenges and test games, 2 settling, 3 contests, 4 the steady ladder."""
    asked_ms: int
    begun_ms: int | None
    worker: str
    match: int | None
    bot: int | None
    version: int | None
    names: list[str]
    ladder: str
    pair_why: str
    """Why these bots were asked."""
    mine: bool


class QueueAnswer(Told):
    """What is being done and then what comes next, in its order."""

    words: str
    """The queue in a sentence."""
    waiting: int
    running: int
    mine: int | None
    """The place of your first task, from 1."""
    seconds: int | None
    """Until that one begins, or until all that waits now is done, as far as one can tell."""
    workers: int
    tasks: list[QueuedAnswer]


class WorkerAnswer(Told):
    """A worker."""

    name: str
    state: str
    seen_ms: int
    begun_ms: int | None
    task: int | None
    task_kind: str
    task_match: int | None
    machine: str
    """Where it runs, if that is another machine."""
    refused: str
    """Why it gets no work though it is there, such as that it runs another Botyard."""


class WaitingAnswer(Told):
    """How much waits of one urgency."""

    urgency: int
    tasks: int
    oldest_ms: int


class StatusAnswer(Told):
    """How the yard is doing."""

    botyard: str
    trouble: str
    """Why nothing is built and played; empty: it is."""
    words: str
    workers: list[WorkerAnswer]
    waiting: list[WaitingAnswer]
    running: int
    games_last_hour: int
    faults_last_hour: int
    last_done_ms: int | None
    last_fault_ms: int | None
    last_fault: str


def tell_queue(connection: sa.Connection, person: int | None, ladder: int | None, limit: int) -> QueueAnswer:
    line = queue_line(connection, person)
    tasks = queued_tasks(connection, person, ladder=ladder, limit=limit)
    return QueueAnswer(
        words=queue_words(line), waiting=line.waiting, running=line.running, mine=line.mine, seconds=line.seconds,
        workers=line.workers, tasks=[QueuedAnswer.model_validate(task) for task in tasks],
    )  # fmt: skip


async def queue(call: Call, limit: Annotated[int, Query(ge=1, le=MOST_TASKS)] = 60) -> QueueAnswer:
    """Tells what waits, in its order, and why."""
    return await call.ask(tell_queue, call.caller.person, None, limit)


async def status(call: Call) -> StatusAnswer:
    """Tells how the yard is doing: workers, waiting times, the last trouble of its own."""

    def read(connection: sa.Connection) -> tuple[Overview, str]:
        line = queue_line(connection, call.caller.person)
        return overview(connection, call.yard.clock()), queue_words(line)

    seen, words = await call.ask(read)
    at_ms, _, reason = pages.told_fault(seen.last_fault) if seen.last_fault else (None, "", "")
    return StatusAnswer(
        botyard=__version__,
        trouble=pages.trouble_of(call, seen),
        words=words,
        workers=[WorkerAnswer.model_validate(worker) for worker in seen.workers],
        waiting=[
            WaitingAnswer(urgency=urgency, tasks=count, oldest_ms=oldest)
            for urgency, (count, oldest) in seen.waiting.items()
        ],
        running=seen.running,
        games_last_hour=seen.done_in_hour,
        faults_last_hour=seen.faults_in_hour,
        last_done_ms=seen.last_done_ms,
        last_fault_ms=at_ms,
        last_fault=reason,
    )


async def health(call: Call) -> Response:
    """Answers 200 if the database answers and work is done, 503 otherwise, with a few figures."""
    return await pages.health(call)


SECTION = Section.of(
    "Work",
    "Whatever waits says why, and how the yard is doing.",
    get("/queue", queue),
    get("/status", status),
    get("/health", health, gives=JSON, also=(503,)),
)
