"""One request to a page: who asks, and how it is answered."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

import sqlalchemy as sa
from starlette.datastructures import FormData
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from botyard.yard.caller import Caller
from botyard.yard.refusals import NotThere, Refusal, TooLarge
from botyard.yard.site import Yard
from botyard.yard.web.rendering import rendered

if TYPE_CHECKING:
    from botyard.yard.web.showroom import Showroom
    from botyard.yard.work.steward import Steward

FORM_BYTES = 64 * 1024  # of a form without files
LENGTH_DIGITS = 18
FIELD_COUNT = 100
LARGEST = (1 << 63) - 1  # number that a database knows

P = ParamSpec("P")
T = TypeVar("T")


class Visit:
    """A request to a page of the yard."""

    def __init__(
        self,
        connection: HTTPConnection,
        yard: Yard,
        caller: Caller,
        steward: Steward | None,
        showroom: Showroom | None = None,
    ) -> None:
        self._connection, self.yard, self.caller, self.steward = connection, yard, caller, steward
        self._showroom = showroom

    @property
    def showroom(self) -> Showroom:
        assert self._showroom is not None, "refusals show nothing"
        return self._showroom

    @property
    def request(self) -> Request:
        assert isinstance(self._connection, Request), "a socket has no form and no page"
        return self._connection

    async def ask(self, question: Callable[Concatenate[sa.Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.yard.ask(question, *args, **kwargs)

    async def change(self, act: Callable[Concatenate[sa.Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.yard.change(act, *args, **kwargs)

    def number(self, name: str) -> int:
        """Returns a number that is part of the path."""
        number = int(self.request.path_params[name])
        if number > LARGEST:
            raise NotThere("there is nothing with this number")
        return number

    def word(self, name: str, default: str = "") -> str:
        """Returns what stands in the query of the address."""
        return self.request.query_params.get(name, default)

    async def form(self, files: int = 0) -> FormData:
        """Returns the fields of a form, which is small, its files included; how many those may be is said here."""
        length = self.request.headers.get("content-length", "")
        if not (length.isascii() and length.isdigit()):
            raise Refusal("the form does not say how long it is", hint="send it with a Content-Length")
        if len(length) > LENGTH_DIGITS or int(length) > FORM_BYTES:
            raise TooLarge("a form of this size is not read", hint=f"it may have {FORM_BYTES >> 10} KiB")
        try:
            return await self.request.form(max_files=files, max_fields=FIELD_COUNT)
        except ValueError:  # such as an encoding that does not exist or cannot hold what was sent
            raise Refusal("the form cannot be read", hint="send it again as UTF-8") from None

    def page(self, template: str, status: int = 200, **values: Any) -> Response:
        """Returns a page made of a template, which finds the yard and the caller beside these values."""
        told = {
            "yard": self.yard.config,
            "caller": self.caller,
            "me": self.caller,
            "path": self.request.url.path,
            **values,
        }
        told["now_ms"] = self.yard.clock()
        told["unread"] = self.request.scope.get("state", {}).get("unread", 0)  # notices, counted by the guard
        return HTMLResponse(rendered(template, told), status)

    def go(self, path: str) -> Response:
        """Returns the way to another page, after a form was carried out."""
        return RedirectResponse(path, status_code=303)
