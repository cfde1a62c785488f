"""The description of the API: as OpenAPI for programs, and as pages for people, made from the same schema."""

from __future__ import annotations

from typing import Any

from starlette.responses import JSONResponse, Response

from botyard.kernel.errors import quoted
from botyard.yard.api.fields import Told
from botyard.yard.api.reference import SectionDoc, coded, sections_of
from botyard.yard.api.routing import JSON, Call, Section, get
from botyard.yard.refusals import NotThere


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


def sections(call: Call) -> dict[str, SectionDoc]:
    """Returns the sections, which are the same for everybody, so that they are made once."""
    state = call.request.app.state
    if not hasattr(state, "sections"):
        state.sections = sections_of(schema(call))
    made: dict[str, SectionDoc] = state.sections
    return made


async def page(call: Call) -> Response:
    """Describes the API for people: its sections, and all operations in a line each."""
    told = {"about": schema(call)["info"]["description"], "sections": sections(call).values(), "coded": coded}
    return call.page("api_docs.html", **told, origin=call.request.scope.get("state", {}).get("origin", ""))


async def section_page(call: Call, section: str) -> Response:
    """Describes a section of the API for people."""
    found = sections(call).get(section)
    if found is None:
        raise NotThere(f"the API has no section {quoted(section)}", hint="/api/v1/docs lists them")
    return call.page("api_section.html", section=found, coded=coded)


SECTION = Section.of(
    "Description",
    "The API describes itself.",
    get("/", index, listed=False),
    get("/openapi.json", openapi, listed=False, gives=JSON),
    get("/docs", page, listed=False, gives="text/html"),
    get("/docs/{section}", section_page, listed=False, gives="text/html"),
)
