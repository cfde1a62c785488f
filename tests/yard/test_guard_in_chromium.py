"""The guard against a real browser: our own pages on a LAN work, and those of other origins bring nothing about."""

from __future__ import annotations

import contextlib
import re
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.responses import HTMLResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from botyard.links.web.server import listen, serving
from botyard.yard.data.tables import ADMIN
from botyard.yard.people.sessions import sessions_of
from botyard.yard.site import Yard
from botyard.yard.web.app import PageServer
from botyard.yard.web.doors import all_pages, all_sockets
from botyard.yard.web.guard import YardGuard
from tests.pages.places import beside
from tests.render.pages import PATIENCE_MS, chromium
from tests.yard.residents import PASSWORD, browser_of, resident

LAN_NAME, EVIL_NAME = "teacher", "evil.example"  # a plain name on a network, and another site
SEND_EACH = """async (routes) => {
    for (const [address, method] of routes)
        await fetch(address, { method, mode: "no-cors", credentials: "include", body: "" }).catch(() => {});
}"""
OPEN_SOCKET = """(address) => new Promise((told) => {
    const socket = new WebSocket(address);
    socket.onopen = () => told("open");
    socket.onerror = () => told("refused");
})"""


@dataclass
class Journal:
    """Notes what an app answers."""

    app: ASGIApp
    answers: list[tuple[str, str, int]] = field(default_factory=list)
    heads: dict[str, dict[str, str]] = field(default_factory=dict)  # of the latest request that changes something

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def noting(message: Message) -> None:
            if message["type"].endswith("response.start"):
                self.answers.append((scope.get("method", "socket"), scope["path"], message["status"]))
            await send(message)

        if scope.get("method") == "POST":
            self.heads[scope["path"]] = {name.decode(): value.decode() for name, value in scope["headers"]}
        await self.app(scope, receive, noting)


@dataclass
class Town:
    """A yard and a stranger's server, both running."""

    journal: Journal
    port: int
    strange_port: int

    def at(self, name: str) -> str:
        return f"http://{name}:{self.port}"


@contextlib.asynccontextmanager
async def town_of(yard: Yard) -> AsyncIterator[Town]:
    journal = Journal(YardGuard(PageServer(yard).app(all_pages(), all_sockets()), yard))
    stranger = Starlette(routes=[Route("/", lambda _: HTMLResponse("<!doctype html><title>x</title>"))])
    door, other = listen("127.0.0.1", 0), listen("127.0.0.1", 0)
    async with serving(journal, door), serving(stranger, other):
        yield Town(journal, door.getsockname()[1], other.getsockname()[1])


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium(f"--host-resolver-rules=MAP {LAN_NAME} 127.0.0.1, MAP {EVIL_NAME} 127.0.0.1") as opened:
        yield opened


@pytest.fixture
def town(one_yard: Yard) -> Iterator[Town]:
    one_yard.config = replace(one_yard.config, hosts=(LAN_NAME,))
    with beside(town_of(one_yard)) as found:
        yield found


def test_our_own_forms_work_over_plain_http_on_a_lan_and_without_scripts(browser: Any, town: Town) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(f"{town.at(LAN_NAME)}/register?to=/me")
    page.fill("#name", "Ada")
    page.fill("#password", PASSWORD)
    page.fill("#password_again", PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(f"{town.at(LAN_NAME)}/me")  # the form's own address ends on /me, too
    assert page.inner_text("h1") == "Ada"
    said = town.journal.heads["/register"]
    assert said["origin"] == town.at(LAN_NAME)
    assert "sec-fetch-site" not in said, "then that alone would do, and this proves nothing"
    cookie = context.cookies()[0]
    assert (cookie["httpOnly"], cookie["sameSite"]) == (True, "Lax")
    page.get_by_role("button", name="Sign out", exact=True).first.click()
    page.wait_for_url(town.at(LAN_NAME) + "/")
    assert context.cookies() == []
    context.close()


@pytest.mark.parametrize("name", [EVIL_NAME, LAN_NAME])
def test_pages_of_other_origins_bring_nothing_about(browser: Any, town: Town, one_yard: Yard, name: str) -> None:
    """A page on another port of the same host is the harder one: browsers send it our cookie."""
    root = resident(one_yard, "Root", ADMIN)
    admin = browser_of(one_yard, root)
    context = browser.new_context()
    held = [{"name": key, "value": value, "url": town.at(LAN_NAME)} for key, value in admin.cookies.items()]
    context.add_cookies(held)
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(f"http://{name}:{town.strange_port}/")
    unsafe = [each for each in all_pages() if each.method not in ("GET", "HEAD")]
    routes = [(town.at(LAN_NAME) + re.sub(r"\{\w+(:int)?\}", "1", each.path), each.method) for each in unsafe]
    page.evaluate(SEND_EACH, routes)
    answered = [status for method, _, status in town.journal.answers if method == "POST"]
    assert len(unsafe) > 20
    assert answered == [403] * len(unsafe)
    if name == LAN_NAME:
        assert "cookie" in town.journal.heads["/logout"], "then this proves nothing"

    assert page.evaluate(OPEN_SOCKET, f"ws://{LAN_NAME}:{town.port}/show/live/1") == "refused"
    assert town.journal.answers[-1] == ("socket", "/show/live/1", 403)
    with page.expect_event("requestfailed") as framed:
        page.evaluate(f"document.body.innerHTML = '<iframe src=\"{town.at(LAN_NAME)}/me\"></iframe>'")
    assert framed.value.failure == "net::ERR_BLOCKED_BY_RESPONSE", framed.value.url
    page.evaluate(
        f"document.body.innerHTML = '<form method=post action=\"{town.at(LAN_NAME)}/logout\"></form>';"
        "document.forms[0].submit()"
    )
    page.wait_for_url("**/logout")
    assert "not from a page of this yard" in page.inner_text("main")
    with one_yard.database.reading() as connection:
        assert len(sessions_of(connection, root.id, one_yard.clock())) == 1, "nobody was signed out"
    context.close()
