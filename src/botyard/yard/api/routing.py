"""Operations of the API say what they need, so that one table holds every door and a test can try them all.

A door is kept before anything else: who may not pass has nothing read of what they sent. What belongs to one person is
decided behind the door.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Annotated, Any

from fastapi import Depends
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import WebSocketRoute
from starlette.types import Message, Receive
from starlette.websockets import WebSocket, WebSocketState

from botyard.kernel.errors import YardError
from botyard.links.web.pace import PAGE, Pace, keep_pace
from botyard.yard.api.problems import PROBLEMS, explained
from botyard.yard.caller import ADMINISTER, PLAY, READ, UPLOAD, Caller
from botyard.yard.web.visit import Visit

BODY_BYTES = 64 * 1024  # of what is sent as JSON
DONE = {200: "As it was asked for", 201: "Made", 202: "Accepted; it is done later", 204: "Done"}
JSON = "application/json"
FILE = {"type": "string", "format": "binary"}
VISIT = "botyard.visit"  # where the scope of a request holds it


class Need(StrEnum):
    """What is needed to pass a door. A session is good for everything, a token for its scopes."""

    NOTHING = "nothing"
    READ = READ
    UPLOAD = UPLOAD
    PLAY = PLAY
    ADMIN = ADMINISTER
    SESSION = "session"  # what concerns the account itself

    def keep(self, caller: Caller) -> Caller:
        """Refuses who may not pass; returns who passes.

        Where anybody may look, the bearer of a token that is not good for reading is nobody in particular.
        """
        if self is Need.SESSION:
            caller.need_session()
        elif self is Need.ADMIN:
            caller.need_admin()
        elif self is not Need.NOTHING:
            caller.need(self.value)
        elif READ not in caller.scopes:
            return Caller(address=caller.address)
        return caller


@dataclass(frozen=True, slots=True)
class Operation:
    """One thing that the API does. Its documentation is the docstring of what answers."""

    method: str
    path: str
    answer: Callable[..., Any]
    need: Need = Need.NOTHING
    status: int = 200
    pace: Pace = PAGE
    body_bytes: int = BODY_BYTES
    gives: str = ""  # the type of what comes back, if it is no JSON
    also: tuple[int, ...] = ()  # further statuses with which that comes
    takes: dict[str, Any] = field(default_factory=dict)  # the schema of a body that is no JSON
    listed: bool = True  # in the schema
    section: str = ""

    @property
    def words(self) -> tuple[str, str]:
        """Returns its first sentence, and what is to be said besides."""
        told = " ".join((self.answer.__doc__ or "").split())
        first, _, rest = told.partition(". ")
        return first.removesuffix("."), rest


def get(path: str, answer: Callable[..., Any], need: Need = Need.NOTHING, **more: Any) -> Operation:
    return Operation("GET", path, answer, need, **more)


def post(path: str, answer: Callable[..., Any], need: Need, **more: Any) -> Operation:
    return Operation("POST", path, answer, need, **more)


def put(path: str, answer: Callable[..., Any], need: Need, **more: Any) -> Operation:
    return Operation("PUT", path, answer, need, **more)


def remove(path: str, answer: Callable[..., Any], need: Need, **more: Any) -> Operation:
    return Operation("DELETE", path, answer, need, **more)


@dataclass(frozen=True, slots=True)
class SocketDoor:
    """Where a program or a page opens a WebSocket. A refusal before it is accepted is told as HTTP."""

    path: str
    answer: Callable[[WebSocket, Visit], Coroutine[Any, Any, None]]
    need: Need = Need.NOTHING


@dataclass(frozen=True, slots=True)
class Section:
    """Operations that belong together."""

    title: str
    about: str
    operations: tuple[Operation, ...]
    sockets: tuple[SocketDoor, ...] = ()

    @classmethod
    def of(cls, title: str, about: str, *operations: Operation, sockets: tuple[SocketDoor, ...] = ()) -> Section:
        return cls(title, about, tuple(replace(operation, section=title) for operation in operations), sockets)


class DoorRoute(APIRoute):
    """An operation as FastAPI knows it, behind its door."""

    def __init__(self, operation: Operation, welcome: Callable[[HTTPConnection], Visit]) -> None:
        self.operation, self._welcome = operation, welcome
        summary, description = operation.words
        raw: dict[str, Any] = {"response_class": Response} if operation.gives else {}
        super().__init__(
            operation.path,
            operation.answer,
            methods=[operation.method],
            status_code=operation.status,
            tags=[operation.section],
            summary=summary,
            description=description,
            response_description=DONE[operation.status],
            operation_id=operation_id(operation),
            include_in_schema=operation.listed,
            responses=PROBLEMS | given(operation),
            openapi_extra=demanded(operation),
            **raw,
        )

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        answer, operation = super().get_route_handler(), self.operation

        async def answered(request: Request) -> Response:
            keep_pace(request.scope, operation.pace)
            visit = self._welcome(request)
            visit.caller = operation.need.keep(visit.caller)
            request.scope[VISIT] = visit
            return await answer(Request(request.scope, bounded(request.receive, operation.body_bytes)))

        return answered


def door_route(door: SocketDoor, welcome: Callable[[HTTPConnection], Visit]) -> WebSocketRoute:
    """Returns the route of a socket, behind its door."""

    async def answered(socket: WebSocket) -> None:
        visit = welcome(socket)
        try:
            visit.caller = door.need.keep(visit.caller)
            await door.answer(socket, visit)
        except YardError as error:
            if socket.client_state is not WebSocketState.CONNECTING:
                raise
            await explained(error)(socket.scope, socket.receive, socket.send)

    return WebSocketRoute(door.path, answered)


def bounded(receive: Receive, most: int) -> Receive:
    """Returns a way to receive a body that refuses to go on when it gets too large."""
    total = 0

    async def counted() -> Message:
        nonlocal total
        message = await receive()
        total += len(message.get("body", b""))
        if total > most:  # FastAPI lets nothing but its own exception through while a body is read
            raise HTTPException(413, f"a body may have {most >> 10} KiB")
        return message

    return counted


async def visit_of(request: Request) -> Visit:
    visit = request.scope[VISIT]
    assert isinstance(visit, Visit)
    return visit


def wake(visit: Visit) -> None:
    """Has the steward look at once, because something was asked for."""
    if visit.steward is not None:
        visit.steward.wake()


Call = Annotated[Visit, Depends(visit_of)]
"""The request that an operation answers."""


def operation_id(operation: Operation) -> str:
    """Returns the name under which generated clients know an operation."""
    words = [word.strip("{}").partition(":")[0] for word in operation.path.split("/") if word]
    return "_".join([operation.method.lower(), *words]).replace("-", "_").replace(".", "_")


def given(operation: Operation) -> dict[int | str, dict[str, Any]]:
    """Returns how the schema describes what comes back, where it is no JSON."""
    if not operation.gives:
        return {}
    schema = {} if operation.gives == JSON else FILE
    content = {operation.gives: {"schema": schema}}
    return {status: {"description": DONE[200], "content": content} for status in (operation.status, *operation.also)}


def demanded(operation: Operation) -> dict[str, Any]:
    """Returns what the schema says of who may call, and of a body that is no JSON."""
    told: dict[str, Any] = {"x-needs": operation.need.value}
    if operation.need is not Need.NOTHING:
        told["security"] = [{"session": []}] if operation.need is Need.SESSION else [{"token": []}, {"session": []}]
    if operation.takes:
        told["requestBody"] = {"required": True, "content": {"multipart/form-data": {"schema": operation.takes}}}
    return told
