"""axe on every page of the table of doors, as visitors of every kind see it, and on a yard where nothing is yet.

In both themes, and on a phone, where no page may be wider than the screen, and on a desk.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from starlette.types import ASGIApp, Receive, Scope, Send

from botyard.games import GAMES
from botyard.links.web.server import listen, serving
from botyard.yard.config import YardConfig
from botyard.yard.data.database import Database
from botyard.yard.data.tables import ADMIN
from botyard.yard.data.times import MINUTE
from botyard.yard.serving import yard_app
from botyard.yard.site import Yard
from botyard.yard.web.cookies import cookie_name
from tests.pages.places import beside
from tests.pages.test_axe import AXE, LOOK, SCHEMES, WIDTHS
from tests.render.pages import PATIENCE_MS, chromium
from tests.yard.conftest import Hands
from tests.yard.residents import PASSWORD, resident, session_of
from tests.yard.route_bodies import address_of
from tests.yard.test_routes import ROWS
from tests.yard.town import Town

pytestmark = pytest.mark.long

FURTHER = (
    "/bots/{bot}/versions/2", "/bots/{bot}/versions/3", "/bots/{benched_bot}", "/matches/{half}", "/matches/{running}",
    "/matches/{half}/board", "/embed/{running}", "/ladders/{slug}?page=9", "/matches?game={game}", "/nix", "/bots/9999",
    "/admin/people?name=nobody", "/admin/events?kind=nothing", "/people/Rita", "/play/{game}?players=2",
)  # fmt: skip
"""Pages in other states than those of the table: not built, waiting, half a pair, nothing found, not there."""


@dataclass(frozen=True)
class Opened:
    """A yard that is served, and what somebody's browser shows there."""

    address: str
    paths: dict[str, list[str]]  # by visitor
    cookies: dict[str, str]  # by visitor, as headers have them


@dataclass
class Ticking:
    """An app before which the clock goes on, so that nobody asks too often."""

    app: ASGIApp
    hands: Hands

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.hands.pass_ms(MINUTE)
        await self.app(scope, receive, send)


@contextlib.asynccontextmanager
async def opened(app: ASGIApp, hands: Hands) -> AsyncIterator[str]:
    door = listen("127.0.0.1", 0)
    async with serving(Ticking(app, hands), door):
        yield f"http://127.0.0.1:{door.getsockname()[1]}"


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    """A yard with something at every address."""
    town = Town(tmp_path_factory.mktemp("full"))
    paths = {
        who: [
            *(
                address_of("GET", row.template, town)
                for row in ROWS
                if row.method == "GET" and row.statuses[who] == 200
            ),
            *(path.format(**town.places) for path in FURTHER),
        ]
        for who in ("nobody", "admin")
    }
    paths["owner"] = [path for path in paths["nobody"] if path.startswith(("/bots", "/matches", "/me", "/ladders"))]
    paths["owner"] += ["/me", "/me/delete", "/bots/new", f"/play/{town.places['game']}"]
    cookies = {who: town.visitors[who].headers.get("cookie", "") for who in paths}
    with beside(opened(town.app, town.hands)) as address:
        yield Opened(address, paths, cookies)
    town.close()


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    """A yard with one admin and nothing else."""
    folder, hands = tmp_path_factory.mktemp("empty"), Hands()
    database = Database.in_file(folder / "yard.db")
    database.create()
    yard = Yard(YardConfig(folder), database, hands)
    cookie = f"{cookie_name(yard.config)}={session_of(yard, resident(yard, 'Root', ADMIN))}"
    plain = [row.template for row in ROWS if row.method == "GET" and "{" not in row.template]
    paths = {"nobody": plain, "admin": [*plain, f"/games/{min(GAMES)}", f"/play/{min(GAMES)}", "/people/Root"]}
    with beside(opened(yard_app(yard), hands)) as address:
        yield Opened(address, paths, {"nobody": "", "admin": cookie})
    yard.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as opened_browser:
        yield opened_browser


def look_at_all(browser: Any, site: Opened, who: str, scheme: str, width: int) -> list[str]:
    """What axe finds on every page that is HTML, which pages are too wide, and what their own policy forbids them."""
    context = browser.new_context(viewport={"width": width, "height": 800}, **SCHEMES[scheme])
    if site.cookies[who]:
        name, _, value = site.cookies[who].partition("=")
        context.add_cookies([{"name": name, "value": value, "url": site.address}])
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    told: list[str] = []
    page.on("console", lambda message: told.append(message.text))
    found, seen = [], 0
    for path in dict.fromkeys(site.paths[who]):
        answer = context.request.get(site.address + path, max_redirects=0)
        if not answer.headers.get("content-type", "").startswith("text/html") or answer.status in (303, 307):
            continue
        seen += 1
        told.clear()  # of the page before; axe is refused things, too
        page.goto(site.address + path)
        if page.locator("#viewer[data-film]").count():
            page.locator(".by-seat, .by-notice").first.wait_for(state="attached")
        page.evaluate("async () => { await globalThis.viewer?.ready; }")
        found += [f"{path}: {text}" for text in told if "Content Security Policy" in text]
        found += complaints(page, path)
    assert seen > 10
    context.close()
    return found


def complaints(page: Any, path: str) -> list[str]:
    page.evaluate(AXE)
    found = [f"{path}: {line}" for line in page.evaluate(LOOK)]
    if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
        found.append(f"{path}: wider than the screen")
    return found


LOOKS = list(product(("light", "dark"), WIDTHS))


@pytest.mark.parametrize(("scheme", "width"), LOOKS)
@pytest.mark.parametrize("who", ["nobody", "owner", "admin"])
def test_axe_finds_nothing_on_any_page_of_a_full_yard(
    browser: Any, full: Opened, who: str, scheme: str, width: int
) -> None:
    assert look_at_all(browser, full, who, scheme, width) == []


@pytest.mark.parametrize(("scheme", "width"), LOOKS)
@pytest.mark.parametrize("who", ["nobody", "admin"])
def test_axe_finds_nothing_on_any_page_of_an_empty_yard(
    browser: Any, empty: Opened, who: str, scheme: str, width: int
) -> None:
    assert look_at_all(browser, empty, who, scheme, width) == []


@pytest.mark.parametrize(("scheme", "width"), LOOKS)
def test_axe_finds_nothing_on_forms_that_were_filled_in_wrong(
    browser: Any, full: Opened, tmp_path: Path, scheme: str, width: int
) -> None:
    context = browser.new_context(viewport={"width": width, "height": 800}, **SCHEMES[scheme])
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(f"{full.address}/register")
    for label, text in (("Name", "Ada"), ("Password", "short"), ("Password, again", "other")):
        page.get_by_label(label, exact=True).fill(text)
    page.get_by_role("button", name="Register").click()
    page.locator("[aria-invalid=true]").first.wait_for()
    found = complaints(page, "/register")
    page.goto(f"{full.address}/login")
    page.get_by_label("Name", exact=True).fill("Olga")
    page.get_by_label("Password", exact=True).fill(PASSWORD[::-1])
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("alert").wait_for()
    found += complaints(page, "/login")
    name, _, value = full.cookies["owner"].partition("=")
    context.add_cookies([{"name": name, "value": value, "url": full.address}])
    page.goto(f"{full.address}/bots/new")
    page.get_by_label("Game").select_option(index=1)
    page.get_by_role("button", name="Upload").click()
    page.get_by_text("No file was chosen").wait_for()
    found += complaints(page, "/bots/new")
    assert found == []
    context.close()
