"""Routes that are sorted by their first word take what they would take in a list; what is kept is escaped."""

from __future__ import annotations

from typing import Any

import pytest
from markupsafe import Markup
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import BaseRoute, Mount, Route

from botyard.yard.web.rendering import environment
from botyard.yard.web.sorted_routes import SortedRoutes
from tests.waiting import finished


def routes() -> list[Route]:
    def told(name: str) -> Any:
        async def answer(request: Request) -> PlainTextResponse:
            return PlainTextResponse(f"{name} {request.path_params}")

        return answer

    paths = ["/", "/bots", "/bots/new", "/bots/{bot:int}", "/{any}/last", "/bots/last", "/{any}", "/news/{rest:path}"]
    return [Route(path, told(f"GET {path}")) for path in paths] + [Route("/bots", told("POST"), methods=["POST"])]


def answer_of(inside: list[BaseRoute], method: str, path: str, prefix: str) -> tuple[int, bytes, bytes]:
    app = Starlette(routes=[Mount(prefix, app=Starlette(routes=inside))] if prefix else inside)
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request"}

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"host", b"here")]
    scope = {"type": "http", "method": method, "path": prefix + path, "query_string": b"", "headers": headers}
    finished(app(scope | {"scheme": "http", "server": ("here", 80)}, receive, send))
    told: dict[bytes, bytes] = dict(sent[0]["headers"])
    return sent[0]["status"], told.get(b"location") or told.get(b"allow") or b"", sent[1]["body"]


@pytest.mark.parametrize("prefix", ["", "/api/v1"])
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_sorted_routes_take_the_same_as_a_list(prefix: str, method: str) -> None:
    for path in [
        "/",
        "/bots",
        "/bots/",
        "/bots/7",
        "/bots/x",
        "/bots/last",
        "/elsewhere/last",
        "/what",
        "/news/a/b",
        "//",
    ]:
        listed = answer_of(list(routes()), method, path, prefix)
        assert answer_of([SortedRoutes(routes())], method, path, prefix) == listed, path


def test_what_is_kept_of_markup_is_not_given_for_the_same_text() -> None:
    parts = environment().from_string('{% import "parts.html" as parts %}{{ parts.bot(7, name) }}')
    assert "<b>x</b>" in parts.render(name=Markup("<b>x</b>"))
    assert "&lt;b&gt;x&lt;/b&gt;" in parts.render(name="<b>x</b>")
