"""The description of the API: as OpenAPI for programs, and as a page for people, made from the same schema."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup
from starlette.responses import JSONResponse, Response

from botyard.yard.api.fields import Told
from botyard.yard.api.reference import reference
from botyard.yard.api.routing import JSON, Call, Section, get
from botyard.yard.web.rendering import rendered


class IndexAnswer(Told):
    """Where the description of the API lies."""

    docs: str
    openapi: str


async def index() -> IndexAnswer:
    """Tells where the description of the API lies."""
    return IndexAnswer(docs="/api/v1/docs", openapi="/api/v1/openapi.json")


def schema(call: Call) -> dict[str, Any]:
    described: dict[str, Any] = call.request.app.openapi()
    return described


async def openapi(call: Call) -> Response:
    """Describes the API for programs."""
    return JSONResponse(schema(call))


async def page(call: Call) -> Response:
    """Describes the API for people."""
    state, described = call.request.app.state, schema(call)
    if not hasattr(state, "reference"):
        state.reference = Markup(rendered("api_reference.html", {"docs": reference(described)}))
    return call.page("api_docs.html", about=described["info"]["description"], reference=state.reference)


SECTION = Section.of(
    "Description",
    "The API describes itself.",
    get("/", index, listed=False),
    get("/openapi.json", openapi, listed=False, gives=JSON),
    get("/docs", page, listed=False, gives="text/html"),
)
