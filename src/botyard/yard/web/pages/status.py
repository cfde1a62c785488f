"""How the yard is doing: for people, and as JSON for what watches over it."""

from __future__ import annotations

import sqlalchemy as sa
from starlette.responses import JSONResponse, Response

from botyard import __version__
from botyard.jail.levels import holding
from botyard.yard.data.database import DatabaseAway
from botyard.yard.data.times import SECOND
from botyard.yard.web.rendering import distance
from botyard.yard.web.routing import get
from botyard.yard.web.visit import Visit
from botyard.yard.web.words import URGENCIES, queue_words
from botyard.yard.work.queue import Overview, overview, queue_line

SILENT_MS = 5 * SECOND  # the steward notes every two seconds what workers do
SENTENCE = 200  # characters of a reason


async def status(visit: Visit) -> Response:
    def read(connection: sa.Connection) -> tuple[Overview, str]:
        return overview(connection, visit.yard.clock()), queue_words(queue_line(connection, visit.caller.person))

    seen, queue = await visit.ask(read)
    return visit.page(
        "status.html",
        seen=seen,
        queue=queue,
        urgencies=URGENCIES,
        version=__version__,
        holding=holding(),
        trouble=trouble_of(visit, seen),
        fault=seen.last_fault and told_fault(seen.last_fault),
    )


def trouble_of(visit: Visit, seen: Overview) -> str:
    """Returns why nothing is built and played; empty: it is."""
    if visit.steward is None:
        return "nobody hands out work: the steward is not running"
    if not seen.able:
        sentences = {worker.refused for worker in seen.workers if worker.refused}
        return f"no worker takes tasks: {'; '.join(sorted(sentences)) or 'all of them are stopped, or still to come'}"
    if visit.steward.pausing:
        return "workers die one after the other, and work is handed out again within a minute"
    silent_ms = visit.yard.clock() - max(worker.seen_ms for worker in seen.workers)
    return f"nothing was heard of the workers for {distance(silent_ms)}" if silent_ms > SILENT_MS else ""


def told_fault(fault: tuple[int, str, str]) -> tuple[int, str, str]:
    """Returns a fault as everybody may read it: its last line, without where in our code it happened."""
    at_ms, worker, reason = fault
    lines = reason.strip().splitlines() or [""]
    return at_ms, worker, lines[-1][:SENTENCE]


async def health(visit: Visit) -> Response:
    """Answers 200 if the database answers and work is done, 503 otherwise."""
    try:
        seen: Overview = await visit.ask(overview, visit.yard.clock())
    except DatabaseAway as error:
        return JSONResponse({"ok": False, "database": error.message, "botyard": __version__}, 503)
    trouble = trouble_of(visit, seen)
    told = {
        "ok": not trouble,
        "trouble": trouble,
        "database": "ok",
        "botyard": __version__,
        "workers": seen.able,
        "waiting": sum(count for count, _ in seen.waiting.values()),
        "running": seen.running,
        "games_last_hour": seen.done_in_hour,
        "faults_last_hour": seen.faults_in_hour,
    }
    return JSONResponse(told, 503 if trouble else 200)


PAGES = [get("/status", status), get("/health", health)]
