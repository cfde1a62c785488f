"""Pages of rooms and the projector, as people see them: with scripts, without, and in the office."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from botyard.links.viewing.sockets import GONE
from botyard.links.web.server import serving
from botyard.yard.config import YardConfig
from botyard.yard.data.database import Database
from botyard.yard.people.accounts import register
from botyard.yard.people.sessions import open_session
from botyard.yard.rooms.caretaker import Caretaker
from botyard.yard.rooms.members import join_room, own_code
from botyard.yard.rooms.rooms import RoomPlan, create_room, room_games, room_named
from botyard.yard.serving import yard_app
from botyard.yard.site import Yard
from botyard.yard.web.cookies import cookie_name
from tests.pages.places import Place, beside
from tests.pages.test_axe import SCHEMES, check
from tests.render.pages import chromium
from tests.waiting import wait_until
from tests.yard.browser import Browser
from tests.yard.residents import HERE
from tests.yard.test_looks import open_at

BOOK = room_games()[0]
GAME, BOT = BOOK.facts.name, next(iter(BOOK.bots.HOUSE_BOTS))
QUICK = {"tick_ms": 50, "rounds_time": 20, "rounds_time_before_start": 2, "rounds_per_match": 1}
PUBLIC = (
    "/rooms", "/rooms/den", "/rooms/den/boards", "/rooms/den/leaders", "/rooms/den/settings", "/rooms/den/rounds",
    "/rooms/den/rounds/1", "/rooms/den/rounds/1/board?tick=3", "/tv",
)  # fmt: skip


def signed_in(yard: Yard, name: str, role: str = "player") -> tuple[int, dict[str, str]]:
    with yard.database.writing() as connection:
        person = register(connection, name, "", yard.clock(), role=role).id
        return person, {cookie_name(yard.config): open_session(connection, person, HERE, yard.clock())}


def opened(yard: Yard, slug: str, **plan: Any) -> int:
    with yard.database.writing() as connection:
        return create_room(connection, RoomPlan(slug, GAME, **plan), yard.clock(), by=None)


# Without a network


def test_an_admin_opens_a_room_and_a_person_joins_finds_the_code_and_renews_it(one_yard: Yard) -> None:
    app = yard_app(one_yard)
    _, office = signed_in(one_yard, "Root", "admin")
    _, cookies = signed_in(one_yard, "Ada")
    admin, ada = Browser(app, cookies=office), Browser(app, cookies=cookies)
    form = {"slug": "Den", "game": GAME, "title": "The den", "preset": "document", "house": f"{BOT}, {BOT}"}
    assert admin.post("/admin/rooms", {**form, "house": "nobody"}).status == 400
    assert admin.post("/admin/rooms", {**form, "door": "accounts"}).goes_to == "/admin/rooms/den"
    assert "The den" in ada.get("/rooms").words
    assert ada.post("/rooms/den/join", {"name": "house"}).goes_to == "/rooms/den/mine"
    first = ada.get("/rooms/den/mine")
    assert first.headers["cache-control"] == "no-store"
    ada.post("/rooms/den/renew")
    assert ada.get("/rooms/den/mine").text != first.text
    assert "/codenjoy-contest/board/player/" in first.text
    assert "house" in admin.get("/admin/rooms/den").words
    assert "The den" in ada.get("/").words, "the front page names rooms that are open"
    assert "Your rooms" in ada.get("/me").words
    assert '"/rooms/den/mine"' in ada.get("/me").text
    assert [room["slug"] for room in json.loads(ada.get("/api/v1/me/rooms").body)["items"]] == ["den"]
    assert "Your rooms" not in admin.get("/me").words
    assert Browser(app).get("/rooms/den/mine").goes_to.startswith("/login")


def test_settings_that_do_not_fit_are_shown_again_with_the_reason(one_yard: Yard) -> None:
    opened(one_yard, "den")
    admin = Browser(yard_app(one_yard), cookies=signed_in(one_yard, "Root", "admin")[1])
    page = admin.post("/admin/rooms/den/settings", {"apple_score": "many", "gold_score": "12"})
    assert page.status == 400
    assert "apple_score" in page.words
    assert 'value="12"' in page.text
    assert admin.post("/admin/rooms/den/settings", {"apple_score": "7"}).status == 303
    with one_yard.database.reading() as connection:
        assert room_named(connection, "den").settings["apple_score"] == 7
    assert admin.post("/admin/rooms/den/reset", {"sure": "yes"}).status == 400
    assert admin.post("/admin/rooms/den/reset", {"sure": "den"}).status == 303
    assert admin.post("/admin/rooms/den/close").status == 303
    assert "closed" in Browser(admin.app).get("/rooms/den").words


def test_a_code_is_shown_to_its_owner_alone(one_yard: Yard) -> None:
    opened(one_yard, "den")
    person, cookies = signed_in(one_yard, "Ada")
    _, office = signed_in(one_yard, "Root", "admin")
    with one_yard.database.writing() as connection:
        join_room(connection, "den", person, "Ada", one_yard.clock())
        code = own_code(connection, "den", person)[2]
    app = yard_app(one_yard)
    assert code in Browser(app, cookies=cookies).get("/rooms/den/mine").text
    public = [path for path in PUBLIC if "rounds/1" not in path]
    for path in (*public, "/admin/rooms/den", "/api/v1/rooms/den/leaders", "/api/v1/admin/rooms/den/members"):
        assert code not in Browser(app, cookies=office).get(path).text, path


# In a browser


@contextlib.asynccontextmanager
async def served(yard: Yard) -> AsyncIterator[str]:
    rooms = Caretaker(yard)
    await rooms.follow_all()
    with socket.create_server(("127.0.0.1", 0)) as door:
        async with serving(yard_app(yard, rooms=rooms), door):
            ticking = asyncio.create_task(rooms.run())
            try:
                yield f"http://127.0.0.1:{door.getsockname()[1]}"
            finally:
                ticking.cancel()
                await asyncio.gather(ticking, return_exceptions=True)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("site")
    database = Database.in_file(folder / "yard.db")
    database.create()
    yard = Yard(YardConfig(folder), database)
    opened(yard, "den", settings=QUICK, house=[BOT, BOT, BOT])
    with beside(served(yard)) as address:
        yield address
    yard.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as running:
        yield running


@pytest.mark.long
def test_the_wall_follows_its_fields_and_goes_on_when_they_change(browser: Any, site: str) -> None:
    page, troubles = open_at(browser, f"{site}/rooms/den", 1280)
    first = page.locator(".field").first.get_attribute("data-field")
    page.locator(".board-slot canvas").first.wait_for()
    wait_until(lambda: page.locator(".field").first.get_attribute("data-field") != first)
    page.locator(".board-slot canvas").first.wait_for()
    assert troubles == []
    page.close()


CLOSED_WITH = """(address) => new Promise((tell) => {
    new WebSocket(address).onclose = ({ code, reason }) => tell([code, reason]);
})"""
FILM_OF = """async (address) => {
    const { liveFilm } = await import(new URL("live.js", document.querySelector('script[src*="wall"]').src));
    const patience = new Promise((give) => setTimeout(() => give("it tries again and again"), 10000));
    return Promise.race([liveFilm(address, null), patience]);
}"""


@pytest.mark.long
def test_a_field_that_is_over_is_no_trouble_of_its_page(browser: Any, site: str) -> None:
    page, troubles = open_at(browser, f"{site}/rooms/den", 1280)
    over = f"{site.replace('http', 'ws')}/rooms/den/live/999999"
    assert page.evaluate(CLOSED_WITH, over) == [GONE, "this field is not being played on"]
    assert page.evaluate(FILM_OF, over) is None
    refused: list[str] = []

    def refuse_once(line: Any) -> None:
        if refused:
            line.connect_to_server()
        else:
            refused.append(line.url)
            line.close(code=GONE)

    page.route_web_socket("**/live/*", refuse_once)
    page.goto(f"{site}/rooms/den")
    page.locator(".board-slot canvas").first.wait_for()
    assert refused
    assert troubles == []
    page.close()


@pytest.mark.long
def test_the_projector_shows_a_room_where_no_match_is_played(browser: Any, site: str) -> None:
    page, troubles = open_at(browser, f"{site}/tv", 1280)
    page.locator(".by-board canvas").first.wait_for()
    assert "Room den" in page.locator("#title").inner_text()
    page.get_by_role("button", name="Full screen").click()
    wait_until(lambda: page.evaluate("document.fullscreenElement !== null"))
    assert troubles == []
    page.close()


@pytest.mark.long
@pytest.mark.parametrize("path", PUBLIC)
def test_axe_finds_nothing_and_no_page_of_rooms_is_too_wide(browser: Any, site: str, path: str) -> None:
    if "rounds/1" in path:
        page, _ = open_at(browser, f"{site}/rooms/den/rounds", 360)
        wait_until(lambda: bool(page.reload()) and page.locator("td a").count() > 0)
        page.close()
    page, _ = open_at(browser, site + path, 360)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
    page.close()
    check(browser, Place(site + path, "h1"), *SCHEMES)
