"""The live page of contests as an ASGI app, and the thread in which it is served while a contest runs."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Iterator
from html import escape
from importlib import resources
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from botyard.contest.live.snapshot import LivePage
from botyard.kernel.plain import clean
from botyard.links.viewing.app import base_of, refuse
from botyard.links.viewing.server import viewing
from botyard.links.web.security_headers import SecurityHeaders
from botyard.render.page import web_file, web_names

FILES = ("contest.js", "boards.js", "contest.css")
KINDS = {".js": "text/javascript", ".css": "text/css"}
# The report brings a policy of its own, which knows its script by its hash.
REPORT_HEADERS = {"Content-Security-Policy": "frame-ancestors 'none'"}


class LiveDoor:
    """What the address of the live page opens."""

    def __init__(self, page: LivePage) -> None:
        self._page = page
        self._folder = resources.files(__package__) / "web"
        self._html = (self._folder / "contest.html").read_text(encoding="utf-8")

    def app(self) -> ASGIApp:
        return Starlette(
            routes=[
                Route("/", self.front),
                Route("/snapshot", self.snapshot),
                Route("/report/{number:int}", self.report),
                Route("/web/{file}", self.file),
            ],
            middleware=[Middleware(SecurityHeaders)],
            exception_handlers={HTTPException: refuse},
        )

    async def front(self, request: Request) -> Response:
        title = self._page.contests[0].plan.title
        page = self._html.replace("$base", escape(base_of(request))).replace("$title", escape(clean(title)))
        return HTMLResponse(page)

    async def snapshot(self, request: Request) -> Response:
        return Response(await asyncio.to_thread(self._page.snapshot), media_type="application/json")

    async def report(self, request: Request) -> Response:
        number = request.path_params["number"]
        path = self._page.contests[number].report if number < len(self._page.contests) else None
        if path is None or not path.is_file():
            raise HTTPException(404, "there is no report yet")
        return FileResponse(path, media_type="text/html", headers=REPORT_HEADERS)

    async def file(self, request: Request) -> Response:
        name = request.path_params["file"]
        if name not in FILES and name not in web_names():
            raise HTTPException(404, "there is no such file")
        text = (self._folder / name).read_text(encoding="utf-8") if name in FILES else web_file(name)
        return Response(text, media_type=KINDS[name[name.rfind(".") :]])


class Serving:
    """A server in a thread of its own: a contest runs several event loops one after another, and the page outlives
    all of them."""

    def __init__(self, page: LivePage, port: int) -> None:
        self._page, self._port = page, port
        self.address, self._trouble = "", None  # type: str, BaseException | None
        self._ready = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._end: asyncio.Event | None = None
        self._thread = threading.Thread(target=self._run, name="botyard page", daemon=True)

    def start(self) -> str:
        self._thread.start()
        self._ready.wait()
        if self._trouble is not None:
            raise self._trouble
        return self.address

    def stop(self) -> None:
        if self._loop is not None and self._end is not None:
            with contextlib.suppress(RuntimeError):  # it has ended by itself
                self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join()

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as error:
            self._trouble = error
        finally:
            self._ready.set()

    async def _serve(self) -> None:
        self._loop, self._end = asyncio.get_running_loop(), asyncio.Event()
        async with viewing(self._port) as guard:
            self.address = guard.address(guard.open_door(LiveDoor(self._page).app()))
            self._ready.set()
            await self._end.wait()


@contextlib.contextmanager
def shown(page: LivePage, port: int = 0) -> Iterator[str]:
    """While inside, the page is there under the address that this gives; afterwards nothing of it is left."""
    serving: Any = Serving(page, port)
    address = serving.start()
    try:
        yield address
    finally:
        serving.stop()
        page.close()
