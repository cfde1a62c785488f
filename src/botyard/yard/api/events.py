"""Events: what happened, in order and without a gap, as lines of JSON and over a socket; and matches while they are
played."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import Query
from pydantic import AfterValidator
from starlette.requests import HTTPConnection
from starlette.responses import Response, StreamingResponse
from starlette.websockets import WebSocket

from botyard.kernel.errors import quoted
from botyard.links.viewing.sockets import ignore, until_gone
from botyard.links.web.pace import STREAM
from botyard.yard.api.fields import Told, one_line
from botyard.yard.api.following import EventWatch, Following
from botyard.yard.api.routing import Call, Section, SocketDoor, get
from botyard.yard.data.events import Event
from botyard.yard.people.registry import count_events
from botyard.yard.refusals import Refusal
from botyard.yard.web.pages.show import watch
from botyard.yard.web.pages.versions import LINES
from botyard.yard.web.visit import LARGEST, Visit

MOST_KINDS = 20
MOST_BACK = 1000

After = Annotated[
    int,
    Query(
        ge=-MOST_BACK,
        le=LARGEST,
        description="The number of the last event that you know; below 0: how far to go back from the latest",
    ),
]
Kinds = Annotated[
    list[Annotated[str, AfterValidator(one_line)]],
    Query(max_length=MOST_KINDS, description="Only of these kinds, such as match.done"),
]


class EventAnswer(Told):
    """Something that happened."""

    number: int
    at_ms: int
    kind: str
    subject: str
    """What it is about, such as bot/3."""
    person: int | None
    """Who did it."""
    public: bool
    body: dict[str, Any]


def line_of(event: Event | None) -> bytes:
    return b"\n" if event is None else EventAnswer.model_validate(event).model_dump_json().encode() + b"\n"


async def events(
    call: Call,
    after: After = 0,
    kinds: Kinds = [],  # noqa: B006
    limit: Annotated[int, Query(ge=1, le=1000)] = 200,
    follow: bool = False,
) -> Response:
    """Lists events that you may know of, one JSON object a line. With `follow` the answer goes on as long as it is
    read, for a quarter of an hour at most; then ask again after the last number. An empty line says that nothing has
    happened for a while."""
    known = after if after >= 0 else max(0, await call.ask(count_events) + after)
    wanted = Following(call.caller, known, tuple(kinds))
    if not follow:
        found, _ = await call.ask(wanted.read, known, limit)
        return Response(b"".join(map(line_of, found)), media_type=LINES)
    watching = watch_of(call.request)
    watching.need_place(call.caller)

    async def told() -> AsyncIterator[bytes]:
        async with contextlib.aclosing(watching.follow(wanted)) as coming:
            async for event in coming:
                yield line_of(event)

    return StreamingResponse(told(), media_type=LINES)


def watch_of(connection: HTTPConnection) -> EventWatch:
    watching = connection.app.state.watch
    assert isinstance(watching, EventWatch)
    return watching


async def live(socket: WebSocket, visit: Visit) -> None:
    """Tells a socket events as they come or, with `match`, how the film of a match grows."""
    match = number_word(socket, "match", 0)
    if match:
        await watch(socket, visit, match)
        return
    latest = await visit.ask(count_events)
    wanted = Following(visit.caller, number_word(socket, "after", latest))
    watching = watch_of(socket)
    watching.need_place(visit.caller)
    await socket.accept()
    await until_gone(socket, ignore, tell_events(socket, watching, wanted))


async def tell_events(socket: WebSocket, watching: EventWatch, wanted: Following) -> None:
    async with contextlib.aclosing(watching.follow(wanted)) as coming:
        async for event in coming:
            if event is not None:  # the server itself asks whether a socket is still there
                await socket.send_text(line_of(event).decode().rstrip())
    await socket.close()


def number_word(socket: WebSocket, name: str, default: int) -> int:
    """Returns a number that stands in the query of a socket's address."""
    given = socket.query_params.get(name, "")
    if not given:
        return default
    if not (given.isascii() and given.isdigit() and int(given[:20]) <= LARGEST and len(given) <= 20):
        raise Refusal(f"{name} = {quoted(given)}", hint="it is a number")
    return int(given)


SECTION = Section.of(
    "Events",
    "Everything that happens, in order and without a gap. A WebSocket at /api/v1/live tells events as they come, after "
    "the event `after` if named; with `match` it tells how the film of that match grows while it is played. "
    "Soon after you sign out or your token is ended, your sockets are closed with the code 4401, and streams end.",
    get("/events", events, gives=LINES, pace=STREAM),
    sockets=(SocketDoor("/live", live),),
)
