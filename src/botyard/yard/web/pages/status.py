"""How the yard is doing: for people, and as JSON for what watches over it."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from starlette.responses import JSONResponse, Response

from botyard import __version__
from botyard.yard.data.database import DatabaseAway
from botyard.yard.data.times import SECOND
from botyard.yard.web.routing import get
from botyard.yard.web.visit import Visit
from botyard.yard.web.words import URGENCIES, queue_words
from botyard.yard.work.queue import Overview, overview, queue_line

LATE_MS = 60 * SECOND  # somebody who waits so long while no worker is there should know


async def status(visit: Visit) -> Response:
    def read(connection: sa.Connection) -> dict[str, Any]:
        return {
            "seen": overview(connection, visit.yard.clock()),
            "queue": queue_words(queue_line(connection, visit.caller.person)),
        }

    return visit.page(
        "status.html", **await visit.ask(read), urgencies=URGENCIES, version=__version__, stopped=stopped(visit)
    )


def stopped(visit: Visit) -> str:
    """Returns why nothing is played at all; empty: something is."""
    return "" if visit.steward is not None else "nobody hands out work: the steward is not running"


async def health(visit: Visit) -> Response:
    """Answers 200 if the database answers and work is done, 503 otherwise."""
    try:
        seen: Overview = await visit.ask(overview, visit.yard.clock())
    except DatabaseAway as error:
        return JSONResponse({"ok": False, "database": error.message, "botyard": __version__}, 503)
    trouble = stopped(visit) or ("" if seen.able else "no worker takes tasks")
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
