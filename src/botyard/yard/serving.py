"""Puts a yard together and serves it: guard, pages, API and sockets on one port, and what works beside them.

One process does all of it but the work of bots: the steward gives that to workers in processes of their own.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Any

from starlette.responses import Response
from starlette.routing import Mount, Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from botyard.kernel.errors import OurFault, YardError
from botyard.links.codenjoy.addresses import CONTEXT
from botyard.links.codenjoy.app import contest_app
from botyard.links.web.garbage import collect_rarely
from botyard.links.web.server import raise_file_limit, serving
from botyard.yard.api.app import PREFIX as API
from botyard.yard.api.app import api_app
from botyard.yard.api.problems import problem
from botyard.yard.data.times import HOUR, SECOND
from botyard.yard.keeping import locks
from botyard.yard.keeping.sweeping import sweep
from botyard.yard.rooms.caretaker import Caretaker
from botyard.yard.rooms.reception import YardReception
from botyard.yard.site import Yard
from botyard.yard.web.app import PageServer
from botyard.yard.web.doors import all_pages, all_sockets
from botyard.yard.web.guard import YardGuard

if TYPE_CHECKING:
    from botyard.yard.work.steward import Steward

SWITCH_S = 0.0001
"""How long a thread may keep the interpreter while others want it. A room sends hundreds of boards in a tick, and after
each one waits for its turn: with the usual 5 ms one busy thread would make a tick last for seconds, and with half a
millisecond somebody who signs in is felt."""
SWEEP_EVERY_S = 6 * HOUR / SECOND

log = logging.getLogger("botyard.yard")

Beside = Callable[[], Coroutine[Any, Any, None]]
"""Something that goes on beside the pages until it is cancelled."""


def yard_app(yard: Yard, steward: Steward | None = None, rooms: Caretaker | None = None) -> ASGIApp:
    """Returns all that a yard serves as one app: pages, the API, and its rooms for clients of Codenjoy."""
    pages = PageServer(yard, steward, rooms)
    caretaker = pages.showroom.rooms
    site = pages.app(all_pages(), all_sockets())
    inside = [
        Mount(CONTEXT, contest_app(caretaker.lobby, YardReception(caretaker))),
        Mount(API, api_app(yard, steward, pages.showroom)),
        Route("/api/{rest:path}", no_api, methods=None),
        Mount("/", site),
    ]
    return YardGuard(Router(inside, default=nowhere(site)), yard)


def nowhere(site: ASGIApp) -> ASGIApp:
    """Returns what answers at addresses that no route takes, such as those with line breaks in them."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        outside = scope["type"] == "http" and scope["path"].startswith("/api/")
        await (await no_api(None) if outside else site)(scope, receive, send)

    return answer


async def no_api(_: object) -> Response:
    return problem(404, "there is no such address in the API", f"{API}/docs describes all of it")


async def serve(
    app: ASGIApp, doors: Sequence[socket.socket], beside: Sequence[Beside], ended: asyncio.Event,
    begun: Callable[[], None],
) -> None:  # fmt: skip
    """Serves until `ended` is set, or until something beside the pages fails, which is raised then."""
    raise_file_limit()
    sys.setswitchinterval(SWITCH_S)
    async with serving(app, *doors), going_on(beside, ended) as failed:
        collect_rarely()
        begun()
        await ended.wait()
    for error in failed:
        raise error


@contextlib.asynccontextmanager
async def going_on(beside: Sequence[Beside], ended: asyncio.Event) -> AsyncIterator[list[BaseException]]:
    """While inside, these go on; one that fails ends the serving, because half a yard is none. Yields the failures."""
    failed: list[BaseException] = []

    def note(task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            failed.append(error)
            ended.set()

    tasks = [asyncio.create_task(begin()) for begin in beside]
    for task in tasks:
        task.add_done_callback(note)
    try:
        yield failed
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def tend(steward: Steward) -> None:
    """Has the steward serve the yard. When this is cancelled, it gives back what is at work and ends its workers."""
    serving_it = asyncio.create_task(steward.run())
    try:
        await asyncio.shield(serving_it)
    except asyncio.CancelledError:
        steward.end()
        await serving_it
        raise


async def sweep_regularly(yard: Yard) -> None:
    """Sweeps away what nobody names, now and every few hours. If it cannot be done now, it is done the next time."""
    while True:
        try:
            await asyncio.to_thread(sweep_alone, yard)
        except (YardError, OurFault, OSError) as error:
            log.warning("nothing was swept: %s", error)
        await asyncio.sleep(SWEEP_EVERY_S)


def sweep_alone(yard: Yard) -> None:
    with locks.keeping(yard.config):
        sweep(yard.database, yard.blobs, yard.clock())
