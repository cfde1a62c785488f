"""Every door of the table against a real browser: what pages of other origins send is refused, and ours works.

A page of another site, one on another port of our own machine, to which browsers send our cookie, and one without any
origin try forms, requests of scripts, sockets and frames. The same requests from a page of ours over plain http, on the
name of a machine in a network, get what the table says: so it is the page that decides.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.responses import HTMLResponse
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

from botyard.links.web.server import listen, serving
from botyard.yard.data.times import MINUTE
from botyard.yard.web.cookies import cookie_name
from tests.pages.places import beside
from tests.render.pages import PATIENCE_MS
from tests.waiting import wait_until
from tests.yard.route_bodies import address_of, body_of
from tests.yard.route_rows import SOCKETS
from tests.yard.test_guard_in_chromium import EVIL_NAME, LAN_NAME, OPEN_SOCKET, browser
from tests.yard.test_routes import ROWS, UNSAFE, Row
from tests.yard.town import FORM, JSON, Town, packed

__all__ = ["browser"]  # a fixture

pytestmark = pytest.mark.long

SEND = """async ([address, method, kind, body, mode]) => {
    const headers = kind ? { "Content-Type": kind } : {};
    const redirect = mode === "no-cors" ? "follow" : "manual"; // without cors, browsers send nothing else
    const options = { method, mode, headers, body: body || undefined, credentials: "include", redirect };
    await fetch(address, options).catch(() => {});
}"""
# Each form has a frame of its own: one whose last answer is still on its way may drop what is sent to it.
SUBMIT = """([address, enctype, fields]) => {
    const target = `frame${window.submitted = (window.submitted ?? 0) + 1}`;
    document.body.replaceChildren(Object.assign(document.createElement("iframe"), { name: target }));
    const form = document.createElement("form");
    Object.assign(form, { method: "post", action: address, enctype, target });
    for (const [name, value] of fields) {
        const field = document.createElement("textarea");
        Object.assign(field, { name, value });
        form.append(field);
    }
    document.body.append(form);
    form.submit();
    form.remove();
}"""
FRAME = """(src) => document.body.replaceChildren(Object.assign(document.createElement("iframe"), { src }))"""
STRANGE = "<!doctype html><title>x</title><body></body>"
SANDBOX = {"Content-Security-Policy": "sandbox allow-scripts allow-forms"}  # such a page has the origin null


@dataclass
class Ledger:
    """The app of a town, which notes every answer; the clock goes on, so that nobody asks too often."""

    town: Town
    answers: list[tuple[str, str, int, dict[str, str]]] = field(default_factory=list)
    cookies: set[str] = field(default_factory=set)  # methods of requests that came with one

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def noting(message: Message) -> None:
            if message["type"].endswith("response.start"):
                head = {name.decode().lower(): value.decode() for name, value in message["headers"]}
                self.answers.append((scope.get("method", "socket"), scope["path"], message["status"], head))
            await send(message)

        if scope["type"] == "http" and any(name == b"cookie" for name, _ in scope["headers"]):
            self.cookies.add(scope["method"])
        self.town.hands.pass_ms(MINUTE)
        await self.town.app(scope, receive, noting)


@dataclass
class Street:
    """The town and a stranger's server, side by side."""

    ledger: Ledger
    port: int
    strange_port: int

    @property
    def address(self) -> str:
        return f"http://{LAN_NAME}:{self.port}"

    def cookie(self) -> dict[str, str]:
        name = cookie_name(self.ledger.town.yard.config)
        value = self.ledger.town.visitors["admin"].headers["cookie"].partition("=")[2]
        return {"name": name, "value": value, "url": self.address, "sameSite": "Lax"}


@contextlib.asynccontextmanager
async def street_of(town: Town) -> AsyncIterator[Street]:
    ledger = Ledger(town)
    stranger = Starlette(
        routes=[
            Route("/", lambda _: HTMLResponse(STRANGE)),
            Route("/nowhere", lambda _: HTMLResponse(STRANGE, headers=SANDBOX)),
        ]
    )
    door, other = listen("127.0.0.1", 0), listen("127.0.0.1", 0)
    async with serving(ledger, door), serving(stranger, other):
        yield Street(ledger, door.getsockname()[1], other.getsockname()[1])


@pytest.fixture(scope="module")
def street(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Street]:
    town = Town(tmp_path_factory.mktemp("street"), hosts=(LAN_NAME,))
    with beside(street_of(town)) as found:
        yield found
    town.close()


PLACES = {
    "another site": f"http://{EVIL_NAME}",
    "another port": f"http://{LAN_NAME}",
    "no origin": f"http://{EVIL_NAME}",
}


@pytest.fixture(params=PLACES)
def strange(request: pytest.FixtureRequest, browser: Any, street: Street) -> Iterator[Any]:
    """A page of somebody else's, in the browser of an admin."""
    context = browser.new_context()
    context.add_cookies([street.cookie()])
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    path = "nowhere" if request.param == "no origin" else ""
    page.goto(f"{PLACES[request.param]}:{street.strange_port}/{path}")
    street.ledger.answers.clear()
    street.ledger.cookies.clear()
    yield page
    if request.param == "another port":
        assert "POST" in street.ledger.cookies, "then this proves nothing"
    context.close()


def everything(town: Town) -> list[str]:
    """All rows of the database, but for when somebody was seen."""
    with town.yard.database.engine.connect() as connection:
        lying: Any = connection.connection.driver_connection
        return [line for line in lying.iterdump() if not line.startswith('INSERT INTO "session"')]


def check_refused(street: Street, before: list[str], doors: list[Row]) -> None:
    unsafe = [answer for answer in street.ledger.answers if answer[0] not in ("GET", "HEAD", "OPTIONS")]
    assert not {address(row, street) for row in doors} - {path for _, path, _, _ in unsafe}
    assert {status for _, _, status, _ in unsafe} == {403}
    for method, path, _, head in street.ledger.answers:
        opened = [name for name in head if name.startswith("access-control-")]
        assert not opened, f"{method} {path} lets other origins in: {opened}"
    assert everything(street.ledger.town) == before


def address(row: Row, street: Street) -> str:
    return address_of(row.method, row.template, street.ledger.town).partition("?")[0]


def message(row: Row, street: Street) -> tuple[str, str, str]:
    """Where a request goes, its kind and its body as text."""
    town = street.ledger.town
    body, kind = body_of(row.method, row.template, town)
    return street.address + address_of(row.method, row.template, town), kind, packed(body, kind).decode()


def test_scripts_of_other_origins_bring_nothing_about(strange: Any, street: Street) -> None:
    before = everything(street.ledger.town)
    for row in UNSAFE:
        to, kind, body = message(row, street)
        plain = kind if kind == FORM or kind.startswith("multipart/") else "text/plain"
        if row.method == "POST":  # what a browser sends without asking first
            strange.evaluate(SEND, [to, row.method, plain, body, "no-cors"])
        strange.evaluate(SEND, [to, row.method, kind, body, "cors"])
    check_refused(street, before, [row for row in UNSAFE if row.method == "POST"])
    asked_first = {path for method, path, _, _ in street.ledger.answers if method == "OPTIONS"}
    assert asked_first >= {address(row, street) for row in UNSAFE if row.method != "POST"}


def test_forms_of_other_origins_bring_nothing_about(strange: Any, street: Street) -> None:
    before = everything(street.ledger.town)
    posted = [row for row in UNSAFE if row.method == "POST"]
    for count, row in enumerate(posted, 1):
        to, kind, text = message(row, street)
        body, _ = body_of(row.method, row.template, street.ledger.town)
        fields = [[text, ""]] if kind == JSON else list(body.items() if isinstance(body, dict) else body or [])
        strange.evaluate(SUBMIT, [to, "text/plain" if kind == JSON else kind.partition(";")[0], fields])
        wait_until(lambda: len(posts(street)) == count, lambda: f"{to}: {street.ledger.answers[-1]}")  # noqa: B023
    check_refused(street, before, posted)


def heads_of(street: Street, path: str) -> list[dict[str, str]]:
    return [head for _, answered, _, head in street.ledger.answers if answered == path]


def posts(street: Street) -> list[Any]:
    return [answer for answer in street.ledger.answers if answer[0] == "POST"]


def test_sockets_and_frames_of_other_origins_are_refused(strange: Any, street: Street) -> None:
    town = street.ledger.town
    for path in SOCKETS:
        place = path.replace("{number:int}", town.places["running"]).replace("{seat:int}", "0")
        assert strange.evaluate(OPEN_SOCKET, f"ws://{LAN_NAME}:{street.port}{place}") == "refused"
        assert street.ledger.answers[-1][:3] == ("socket", place, 403)
    framed = [row for row in ROWS if row.method == "GET" and not row.template.startswith("/embed/")]
    for row in framed:
        strange.evaluate(FRAME, message(row, street)[0])
        wait_until(lambda: heads_of(street, address(row, street)), lambda: row.template)  # noqa: B023
        head = heads_of(street, address(row, street))[-1]
        assert head["x-frame-options"] == "DENY", row.template
        assert "frame-ancestors 'none'" in head["content-security-policy"], row.template
    strange.evaluate(SEND, [street.address + "/logout", "POST", FORM, "", "no-cors"])


def test_the_same_requests_from_our_own_page_on_a_lan_get_what_the_table_says(browser: Any, street: Street) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(f"{street.address}/languages")
    wrong = []
    for row in UNSAFE:
        context.clear_cookies()
        context.add_cookies([street.cookie()])
        to, kind, body = message(row, street)
        page.evaluate(SEND, [to, row.method, kind, body, "same-origin"])
        method, path, status, _ = street.ledger.answers[-1]
        if (method, path, status) != (row.method, address(row, street), row.statuses["admin"]):
            wrong.append(f"{row.method} {row.template}: {method} {path} {status}")
        street.ledger.town.restore()
    assert not wrong
    context.close()
