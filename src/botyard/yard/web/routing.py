"""Routes of the yard say who may ask, so that one table holds every door and a test can try them all."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum

from starlette.responses import Response
from starlette.websockets import WebSocket

from botyard.links.web.pace import PAGE, Pace
from botyard.yard.web.visit import Visit


class Access(StrEnum):
    """Who may pass a door. What belongs to one person is decided behind it."""

    ANYBODY = "anybody"
    PERSON = "person"
    ADMIN = "admin"


Handler = Callable[[Visit], Awaitable[Response]]
SocketHandler = Callable[[WebSocket, Visit], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Page:
    """A page, or the target of a form."""

    method: str  # GET or POST
    path: str
    answer: Handler
    access: Access = Access.ANYBODY
    pace: Pace = PAGE


@dataclass(frozen=True, slots=True)
class Socket:
    """Where a page opens a WebSocket. A refusal that its handler raises before it accepts is told as HTTP."""

    path: str
    answer: SocketHandler
    access: Access = Access.ANYBODY


def get(path: str, answer: Handler, access: Access = Access.ANYBODY, pace: Pace = PAGE) -> Page:
    return Page("GET", path, answer, access, pace)


def post(path: str, answer: Handler, access: Access = Access.PERSON, pace: Pace = PAGE) -> Page:
    return Page("POST", path, answer, access, pace)
