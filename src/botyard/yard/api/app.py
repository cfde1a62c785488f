"""The API of a yard as one ASGI app, which `botyard serve` mounts at `/api/v1` behind the guard.

It offers what the pages do, by the same functions: no operation has SQL of its own. FastAPI describes it (OpenAPI);
doors, problems and the page of documentation are our own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp

from botyard import __version__
from botyard.yard.api import (
    admin_people,
    admin_rooms,
    admin_work,
    bots,
    challenges,
    contests,
    docs,
    entrance,
    events,
    games,
    ladders,
    matches,
    me,
    people,
    rooms,
    versions,
    viewing,
    work,
)
from botyard.yard.api.following import EventWatch
from botyard.yard.api.problems import HANDLERS, Problem
from botyard.yard.api.routing import DoorRoute, Operation, Section, SocketDoor, door_route
from botyard.yard.caller import Caller
from botyard.yard.site import Yard
from botyard.yard.web.cookies import cookie_name
from botyard.yard.web.showroom import Showroom
from botyard.yard.web.sorted_routes import Addressed, SortedRoutes
from botyard.yard.web.visit import Visit

if TYPE_CHECKING:
    from botyard.yard.work.steward import Steward

PREFIX = "/api/v1"
SECTIONS: tuple[Section, ...] = (
    entrance.SECTION, me.SECTION, bots.SECTION, versions.SECTION, challenges.SECTION, ladders.SECTION,
    contests.SECTION, rooms.SECTION, matches.SECTION, games.SECTION, viewing.SECTION, people.SECTION, work.SECTION,
    events.SECTION, admin_people.SECTION, admin_work.SECTION, admin_rooms.SECTION, docs.SECTION,
)  # fmt: skip
ABOUT = """
Everything that the pages of this site do. Programs send a token, `Authorization: Bearer botyard_…`, made on the page
/me or by POST /login; each is good for some scopes. Pages of this site use their session instead. Times are
milliseconds since 1970 (UTC). Lists come in parts: send `next` of one part as `cursor` for the part after it.
"""
TOKEN = {"type": "http", "scheme": "bearer", "description": "A token with the scope that is needed"}
SESSION = {"type": "apiKey", "in": "cookie", "description": "The session of a browser, for pages of this site alone"}


def all_operations() -> list[Operation]:
    """Returns every operation of the API, those that the schema does not list included."""
    return [operation for section in SECTIONS for operation in section.operations]


def all_doors() -> list[SocketDoor]:
    return [door for section in SECTIONS for door in section.sockets]


def api_app(yard: Yard, steward: Steward | None = None, showroom: Showroom | None = None) -> ASGIApp:
    """Returns the API of a yard. `showroom` is that of its pages, so that films are made once."""
    shared = showroom or Showroom(yard)

    def welcome(connection: HTTPConnection) -> Visit:
        caller = connection.scope.get("state", {}).get("caller", Caller())
        return Visit(connection, yard, caller, steward, shared)

    routes: list[Addressed] = [
        *(DoorRoute(operation, welcome) for operation in all_operations()),
        *(door_route(door, welcome) for door in all_doors()),
    ]
    app = FastAPI(
        title=f"The API of {yard.config.title}",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        routes=[SortedRoutes(routes)],
        exception_handlers=HANDLERS,
        redirect_slashes=False,
    )
    app.state.watch = EventWatch(yard)
    app.openapi = lambda: schema_of(app, routes, cookie_name(yard.config))  # type: ignore[method-assign]
    return app


def schema_of(app: FastAPI, routes: Sequence[Addressed], cookie: str) -> dict[str, Any]:
    """Returns the description of the API; it is made once."""
    if app.openapi_schema is None:
        tags = [{"name": section.title, "description": section.about} for section in SECTIONS if listed(section)]
        made = get_openapi(
            title=app.title, version=app.version, description=" ".join(ABOUT.split()), routes=routes, tags=tags,
            servers=[{"url": PREFIX}],
        )  # fmt: skip
        parts = made.setdefault("components", {})
        parts["securitySchemes"] = {"token": TOKEN, "session": {**SESSION, "name": cookie}}
        for name, part in problem_schemas().items():
            parts.setdefault("schemas", {})[name] = part
        app.openapi_schema = made
    return app.openapi_schema


def listed(section: Section) -> bool:
    return any(operation.listed for operation in section.operations)


def problem_schemas() -> dict[str, Any]:
    """Returns the schemas of a problem, which every operation refers to."""
    made = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
    return {**made.pop("$defs"), "Problem": made}
