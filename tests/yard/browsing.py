"""A client for the pages of a yard, in this process and without a network."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from starlette.types import ASGIApp

from botyard.yard.caller import Caller
from tests.waiting import finished


@dataclass(frozen=True)
class Reply:
    status: int
    headers: dict[str, str]  # names in lower case
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()


class Client:
    """Asks an app for pages, as somebody. `state` is what a guard before the app would have noted of the request."""

    def __init__(self, app: ASGIApp, caller: Caller | None = None, **state: Any) -> None:
        self._app, self._state = app, {"caller": caller or Caller(), **state}

    def get(self, address: str, headers: Mapping[str, str] | None = None) -> Reply:
        return finished(self.ask("GET", address, headers))

    def post(self, address: str, fields: Mapping[str, str] | Iterable[tuple[str, str]] = ()) -> Reply:
        """Sends a form."""
        pairs = fields.items() if isinstance(fields, Mapping) else fields
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        return finished(self.ask("POST", address, kind, urlencode(list(pairs)).encode()))

    def send(self, address: str, headers: Mapping[str, str], body: bytes) -> Reply:
        return finished(self.ask("POST", address, headers, body))

    async def ask(
        self, method: str, address: str, headers: Mapping[str, str] | None = None, body: bytes = b""
    ) -> Reply:
        path, _, query = address.partition("?")
        named = {"host": "yard.test", "content-length": str(len(body)), **(headers or {})}
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "root_path": "",
            "query_string": query.encode(),
            "headers": [(name.lower().encode(), value.encode()) for name, value in named.items()],
            "client": ("127.0.0.1", 1),
            "server": ("yard.test", 80),
            "state": dict(self._state),
        }
        messages: list[Any] = []
        sent = False

        async def receive() -> dict[str, Any]:
            nonlocal sent
            if sent:
                await asyncio.Event().wait()
            sent = True
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Any) -> None:
            messages.append(message)

        await self._app(scope, receive, send)
        start = messages[0]
        told = {name.decode().lower(): value.decode() for name, value in start["headers"]}
        return Reply(start["status"], told, b"".join(part.get("body", b"") for part in messages[1:]))
