"""What goes wrong is told as `application/problem+json` (RFC 9457): the title says what, the detail what to do."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from botyard.kernel.errors import YardError, quoted
from botyard.kernel.plain import clean
from botyard.links.viewing.screening import NothingToShow
from botyard.yard.refusals import NotSignedIn, TooMuch, status_of
from botyard.yard.web.app import forget

KIND = "application/problem+json"
MOST_NAMED = 20  # fields with mistakes
SECRETS = ("password", "secret")  # fields whose values no answer repeats
WORDS = {
    400: "the request cannot be read",
    404: "there is no such address in the API",
    405: "this cannot be done with that address",
    413: "the request is too large",
}


class FieldProblem(BaseModel):
    """A mistake in one field."""

    field: str
    value: str  # as it came, cut short
    remedy: str


class Problem(BaseModel):
    """Why a request was not carried out. It changed nothing."""

    title: str
    status: int
    detail: str  # what to do about it; may be empty
    errors: list[FieldProblem] = []


PROBLEMS: dict[int | str, dict[str, Any]] = {
    code: {"description": words, "content": {KIND: {"schema": {"$ref": "#/components/schemas/Problem"}}}}
    for code, words in (("4XX", "Refused; nothing was changed"), ("5XX", "Our fault, or not now"))
}


def problem(status: int, title: str, detail: str = "", errors: Sequence[FieldProblem] = ()) -> Response:
    told = Problem(title=title, status=status, detail=detail, errors=list(errors))
    return JSONResponse(told.model_dump(exclude_defaults=not errors), status, media_type=KIND)


async def explain(_: Request, error: Exception) -> Response:
    """Answers a refusal of the yard."""
    assert isinstance(error, YardError)
    return explained(error)


def explained(error: YardError) -> Response:
    status = 404 if isinstance(error, NothingToShow) else status_of(error)
    answer = problem(status, error.message, error.hint)
    if isinstance(error, TooMuch):
        answer.headers["Retry-After"] = str(error.retry_after_s)
    if isinstance(error, NotSignedIn):
        answer.headers["WWW-Authenticate"] = "Bearer"
    return answer


async def refuse(_: Request, error: Exception) -> Response:
    """Answers what the framework itself refuses."""
    assert isinstance(error, HTTPException)
    title = WORDS.get(error.status_code, error.detail)
    detail = "see /api/v1/docs for what there is" if error.status_code in (404, 405) else error.detail
    answer = problem(error.status_code, title, detail)
    answer.headers.update(error.headers or {})
    return answer


async def correct(_: Request, error: Exception) -> Response:
    """Answers a request with fields that cannot be taken: names each with its value and the remedy."""
    assert isinstance(error, RequestValidationError)
    named = [field_problem(told) for told in error.errors()[:MOST_NAMED]]
    title = " and ".join(f"{one.field} = {one.value}" if one.value else one.field for one in named[:3])
    remedies = "; ".join(f"{one.field}: {one.remedy}" for one in named[:3])
    return problem(422, f"{title} cannot be taken", remedies, named)


def field_problem(told: dict[str, Any]) -> FieldProblem:
    place = [str(part) for part in told["loc"] if part not in ("query", "path", "body")]
    name = clean(".".join(place)[:100]) or "the body"
    secret = any(word in name for word in SECRETS) or name == "the body"
    remedy = told["msg"].removeprefix("Value error, ")
    return FieldProblem(field=name, value="" if secret else quoted(told.get("input")), remedy=remedy)


async def fail(_: Request, __: Exception) -> Response:
    """Answers when we failed; the error itself goes on to the log."""
    return problem(500, "the server failed at this", "nothing was changed; try again, and tell an admin if it lasts")


HANDLERS: dict[int | type[Exception], Callable[[Request, Any], Coroutine[Any, Any, Response]]] = {
    YardError: explain,
    HTTPException: refuse,
    RequestValidationError: correct,
    ClientDisconnect: forget,
    Exception: fail,
}
