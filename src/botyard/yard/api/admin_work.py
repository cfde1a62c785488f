"""What admins do about the work: tasks, workers, ladders, trouble of our own, and everything that happened."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from fastapi import Query
from pydantic import Field
from starlette.responses import Response

from botyard.yard.api.fields import Asked, Cursor, Limit, ListPart, Number, Told, Wanted, Word, number_in, part_of
from botyard.yard.api.routing import Call, Need, Section, get, post, put, wake
from botyard.yard.data.tables import CANCELLED, ENDED, FAILED, LEASED, WAITING
from botyard.yard.people.registry import Happened, events_before
from botyard.yard.web.pages import admin as pages
from botyard.yard.work.cancelling import REASON_MAX, cancel_by_admin
from botyard.yard.work.overview import (
    MOST_SHOWN,
    again_by_admin,
    ladder_lines,
    latest_faults,
    tasks_in,
    workers,
)
from botyard.yard.work.workers import drain_worker

STATES = {"open": (LEASED, WAITING), "over": (FAILED, CANCELLED, ENDED)}


class TaskAnswer(Told):
    """A task: a build, a check, a match or a film."""

    id: int
    kind: str
    state: str
    why: str
    urgency: int
    attempts: int
    progress: int
    worker: str
    asked_ms: int
    begun_ms: int | None
    match: int | None
    bot: int | None
    bot_name: str
    version: int | None
    again: bool
    """Whether it can be tried again."""


class WorkerLineAnswer(Told):
    """A worker, and what it has to work with."""

    name: str
    state: str
    seen_ms: int
    about: dict[str, Any]


class FaultAnswer(Told):
    """Trouble of our own; it is never in standings."""

    id: int
    at_ms: int
    task: int | None
    worker: str
    reason: str
    match: int | None
    """A match that went otherwise when it was played again elsewhere."""
    replay: str | None
    """The SHA-256 of the replay of that other game."""


class AdminLadderAnswer(Told):
    """A ladder, and how much is going on in it."""

    slug: str
    game: str
    title: str
    state: str
    season: int
    bots: int
    recorded: int
    waiting: int


class HappenedAnswer(Told):
    """An event, with the name of who did it."""

    number: int
    at_ms: int
    kind: str
    subject: str
    who: str
    public: bool
    body: dict[str, Any]


class DrainForm(Wanted):
    drained: bool


class CancelForm(Wanted):
    reason: Annotated[str, Field(min_length=1, max_length=REASON_MAX)]
    """Why; everybody reads it whom the task concerns."""


async def list_tasks(
    call: Call, state: Literal["open", "over"] = "open", limit: Annotated[int, Query(ge=1, le=MOST_SHOWN)] = 100
) -> ListPart[TaskAnswer]:
    """Lists tasks in the order in which they are done; those that are over, the latest first."""
    found = await call.ask(tasks_in, STATES[state], limit)
    return ListPart(items=[TaskAnswer.model_validate(task) for task in found])


async def cancel_task(call: Call, task: Number, form: CancelForm) -> None:
    """Cancels what waits or is at work: of a match its whole pair, which counts for nobody (of a contest that game
    alone); a version that is built or checked is withdrawn, and may be tried again. Those whom it concerns are told the
    reason."""
    await call.change(cancel_by_admin, task, form.reason, call.yard.clock(), by=call.caller.need_admin())
    wake(call)


async def try_task_again(call: Call, task: Number) -> None:
    """Has a task that was given up wait again."""
    await call.change(again_by_admin, task, call.yard.clock(), by=call.caller.need_admin())
    wake(call)


async def list_workers(call: Call) -> ListPart[WorkerLineAnswer]:
    """Lists the workers."""
    found = await call.ask(workers)
    return ListPart(
        items=[
            WorkerLineAnswer(name=one.name, state=one.state, seen_ms=one.seen_ms, about=json.loads(one.about))
            for one in found
        ]
    )


async def drain(call: Call, name: Word, form: DrainForm) -> None:
    """Has a worker end its work and get no more, or get some again."""
    await call.change(drain_worker, name, form.drained, call.caller.need_admin(), call.yard.clock())
    wake(call)


async def list_faults(call: Call, limit: Limit = 20) -> ListPart[FaultAnswer]:
    """Lists trouble of our own, the latest first."""
    return ListPart(items=[FaultAnswer.model_validate(fault) for fault in await call.ask(latest_faults, limit)])


async def fault_replay(call: Call, fault: Number) -> Response:
    """Gives the replay of a match that went otherwise when it was played again elsewhere."""
    return await pages.fault_replay(call)


async def list_admin_ladders(call: Call) -> ListPart[AdminLadderAnswer]:
    """Lists the ladders with how much is going on in them."""
    return ListPart(items=[AdminLadderAnswer.model_validate(line) for line in await call.ask(ladder_lines)])


async def list_happened(
    call: Call, kind: Asked = "", subject: Asked = "", cursor: Cursor = "", limit: Limit = 50
) -> ListPart[HappenedAnswer]:
    """Lists what happened, the latest first. With `kind` only what begins so, with `subject` only about that."""
    found = await call.ask(events_before, number_in(cursor) or 0, kind, subject, limit + 1)
    return part_of(found, limit, tell_happened, lambda event: event.number)


def tell_happened(event: Happened) -> HappenedAnswer:
    return HappenedAnswer(
        number=event.number,
        at_ms=event.at_ms,
        kind=event.kind,
        subject=event.subject,
        who=event.who,
        public=event.public,
        body=json.loads(event.body),
    )


SECTION = Section.of(
    "Administration: work",
    "For admins alone; everything that they do is an event.",
    get("/admin/tasks", list_tasks, Need.ADMIN),
    post("/admin/tasks/{task}/cancel", cancel_task, Need.ADMIN, status=204),
    post("/admin/tasks/{task}/again", try_task_again, Need.ADMIN, status=204),
    get("/admin/workers", list_workers, Need.ADMIN),
    put("/admin/workers/{name}/drained", drain, Need.ADMIN, status=204),
    get("/admin/faults", list_faults, Need.ADMIN),
    get("/admin/faults/{fault}/replay", fault_replay, Need.ADMIN, gives="application/octet-stream"),
    get("/admin/ladders", list_admin_ladders, Need.ADMIN),
    get("/admin/events", list_happened, Need.ADMIN),
)
