"""A browser without a screen: it asks an app in this process, keeps its cookies, and sends forms as browsers do."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import unescape
from typing import Any
from urllib.parse import urlencode, urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message

from tests.waiting import finished

Fields = Mapping[str, str] | Sequence[tuple[str, str]]


@dataclass
class Page:
    """What came back."""

    status: int
    headers: Headers
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def words(self) -> str:
        """What a person reads."""
        return " ".join(unescape(re.sub(r"<[^>]*>", " ", self.text)).split())

    @property
    def goes_to(self) -> str:
        assert self.status == 303, self.words
        return self.headers["location"]


@dataclass
class Browser:
    """Somebody's browser, at a yard."""

    app: ASGIApp
    origin: str = "http://localhost:8000"
    address: str = "127.0.0.1"
    cookies: dict[str, str] = field(default_factory=dict)

    def get(self, path: str, **headers: str | None) -> Page:
        return self.ask("GET", path, b"", headers)

    def post(self, path: str, fields: Fields = (), **headers: str | None) -> Page:
        """Sends a form of a page of ours; a header that is None is left out."""
        said = {"origin": self.origin, "content_type": "application/x-www-form-urlencoded", **headers}
        pairs = list(fields.items()) if isinstance(fields, Mapping) else list(fields)
        return self.ask("POST", path, urlencode(pairs).encode(), said)

    def ask(self, method: str, path: str, body: bytes, headers: Mapping[str, str | None]) -> Page:
        said = {
            "host": urlsplit(self.origin).netloc,
            "accept": "text/html",
            "content_length": str(len(body)),
            **headers,
        }
        if self.cookies:
            said.setdefault("cookie", "; ".join(f"{name}={value}" for name, value in self.cookies.items()))
        page = finished(asked(self.app, self.scope("http", path, said, method=method), body))
        self._keep(page.headers.getlist("set-cookie"))
        return page

    def socket(self, path: str, **headers: str | None) -> str:
        """Opens a WebSocket; returns `accept` and the headers that came with it, or the status of a refusal."""
        said = {"host": urlsplit(self.origin).netloc, **headers}
        if self.cookies:
            said.setdefault("cookie", "; ".join(f"{name}={value}" for name, value in self.cookies.items()))
        return finished(opened(self.app, self.scope("websocket", path, said)))

    def scope(self, kind: str, path: str, headers: Mapping[str, str | None], **more: Any) -> dict[str, Any]:
        plain, _, query = path.partition("?")
        listed = [
            (name.replace("_", "-").encode(), said.encode()) for name, said in headers.items() if said is not None
        ]
        scheme = urlsplit(self.origin).scheme.replace("http", "ws" if kind == "websocket" else "http")
        return {
            "type": kind,
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "scheme": "http" if kind == "http" else scheme,
            "path": plain,
            "raw_path": plain.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": listed,
            "client": (self.address, 50000),
            "server": ("127.0.0.1", 8000),
            "extensions": {"websocket.http.response": {}},
            **more,
        }

    def _keep(self, lines: list[str]) -> None:
        for line in lines:
            name, _, value = line.partition(";")[0].partition("=")
            if "max-age=0" in line.lower():
                self.cookies.pop(name, None)
            else:
                self.cookies[name] = value


async def asked(app: ASGIApp, scope: dict[str, Any], body: bytes) -> Page:
    """One request and its whole answer."""
    told: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]
    heard: list[Message] = []

    async def receive() -> Message:
        if not told:
            await asyncio.Event().wait()  # the browser stays
        return told.pop()

    async def send(message: Message) -> None:
        heard.append(message)

    await app(scope, receive, send)
    raw = [(name.lower(), value) for name, value in heard[0]["headers"]]
    return Page(heard[0]["status"], Headers(raw=raw), b"".join(part.get("body", b"") for part in heard[1:]))


async def opened(app: ASGIApp, scope: dict[str, Any]) -> str:
    heard: list[Message] = []
    told: list[Message] = [{"type": "websocket.disconnect", "code": 1000}, {"type": "websocket.connect"}]

    async def receive() -> Message:
        return told.pop()

    async def send(message: Message) -> None:
        heard.append(message)

    await app(scope, receive, send)
    first = heard[0]
    if first["type"] != "websocket.accept":
        return str(first.get("status", first["type"]))
    return " ".join(["accept", *(value.decode() for _, value in first.get("headers", ()) if value)])
