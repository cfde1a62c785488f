"""How long a request may take, part by part; every route has one of these paces, and may name another.

One deadline for everything would cut off whoever watches a board for an hour or sends a large file over a slow line,
and a long one would let anybody hold a connection for nothing. So a body must come at some rate, an answer must be
taken at some rate, and only where neither goes on is there an end. The head of a request has a short time in any case,
and so has the pause between two requests: `http` sees to all of it.

A route says `Paced(UPLOAD, app)`, or its function `keep_pace(request.scope, STREAM)`, before it reads or sends.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from starlette.types import ASGIApp, Receive, Scope, Send

HEAD_S = 10.0  # for the head of a request, from its first byte, and for the first byte of a connection
IDLE_S = 15.0  # between two requests
LINGER_S = 1.0  # before a connection is cut, for what was sent last to be read
EXTENSION = "botyard.pace"  # where the server offers to change the pace of the request being served


@dataclass(frozen=True, slots=True)
class Pace:
    """What one request may take. Time in which we do not read counts for nobody."""

    body_s: float = 12.0  # for all of the body, however fast it comes
    answer_s: float = 15.0  # from then on until the answer is complete; inf: as long as it is read
    patience_s: float = 10.0  # how long nothing may come or be taken
    least_rate: int = 1024  # bytes a second that come or are taken


PAGE = Pace()  # what is not said otherwise: a page, a form, a few figures
UPLOAD = Pace(body_s=600.0, answer_s=60.0)  # a body that lives by its progress
STREAM = Pace(answer_s=math.inf)  # an answer that lives while it is read: events, a film, a large file


def keep_pace(scope: Scope, pace: Pace) -> None:
    """From now on the request of this scope has this pace; another server, which has no paces, ignores it."""
    change: Callable[[Pace], None] | None = scope.get("extensions", {}).get(EXTENSION)
    if change is not None:
        change(pace)


class Paced:
    """An app, or one route of it, whose requests have a pace of their own."""

    def __init__(self, pace: Pace, app: ASGIApp) -> None:
        self._pace, self._app = pace, app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        keep_pace(scope, self._pace)
        await self._app(scope, receive, send)
