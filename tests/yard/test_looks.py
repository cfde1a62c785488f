"""Public pages in a browser: axe has nothing to say, nothing is wider than the window, and films run.

A few of them in every run, all of them in the long one.
"""

from __future__ import annotations

import contextlib
import socket
from collections.abc import AsyncIterator, Iterator
from itertools import product
from typing import Any

import pytest
import sqlalchemy as sa

from botyard.links.web.server import serving
from botyard.yard.contests.changing import begin_contest
from botyard.yard.contests.contests import Announcement, announce
from botyard.yard.contests.entrants import enter_contest
from botyard.yard.contests.running import tend_contest
from botyard.yard.contests.starting_files import starting_file
from botyard.yard.data.tables import BOT, VERSION
from botyard.yard.web.guard import YardGuard
from tests.pages.places import Place, beside
from tests.pages.test_axe import SCHEMES, check
from tests.render.pages import PATIENCE_MS, chromium
from tests.waiting import wait_until
from tests.yard.living import LivingYard
from tests.yard.test_pages import MARKUP, TWO, new_yard, pages_of

ADDRESSES = {
    "front": "/", "ladders": "/ladders", "ladder": f"/ladders/{TWO}", "matches of a ladder": f"/ladders/{TWO}/matches",
    "queue": f"/ladders/{TWO}/queue", "matches": "/matches", "match": "/matches/1", "half a pair": "/matches/3",
    "waiting": "/matches/4", "embedded": "/embed/1",
    "text": "/matches/1/board?tick=3", "games": "/games", "game": f"/games/{TWO}",
    "languages": "/languages", "status": "/status", "view": "/view",
    "contests": "/contests", "contest": "/contests/spring", "games of a contest": "/contests/spring/games",
    "missing": "/nix",
}  # fmt: skip


@contextlib.asynccontextmanager
async def served(living: LivingYard) -> AsyncIterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as door:
        async with serving(YardGuard(pages_of(living.yard), living.yard), door):
            yield f"http://127.0.0.1:{door.getsockname()[1]}"


def hold_contest(living: LivingYard) -> None:
    """A contest that goes on, with a bot whose name means harm."""
    now_ms, organiser = living.yard.clock(), living.person("Olga", "organiser")
    file = starting_file(TWO).replace("guests_leave = 2", "guests_leave = 0")
    with living.yard.database.writing() as connection:
        contest = announce(connection, organiser, Announcement(file, "spring", predictable=True), now_ms)
        row = connection.execute(sa.select(BOT).where(BOT.c.name == MARKUP)).one()
        version = connection.execute(sa.select(VERSION.c.id).where(VERSION.c.bot == row.id)).scalar_one()
        enter_contest(connection, contest.slug, row.owner, row.id, version, now_ms)
        begin_contest(connection, contest.id, organiser, now_ms)
        tend_contest(connection, contest.id, now_ms)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A small site: a pair that was played, half a pair, and one that waits."""
    living = LivingYard(new_yard(tmp_path_factory.mktemp("site")))
    living.open(TWO)
    for name in (MARKUP, "Bob"):
        living.bot(living.person(f"owner of {name}"), TWO, name)
    living.play(TWO, MARKUP, "Bob")
    first = living.ask(TWO, MARKUP, "Bob")[0]
    living.begin(first)
    living.end(first)
    hold_contest(living)
    with beside(served(living)) as address:
        yield address
    living.yard.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as opened:
        yield opened


def open_at(browser: Any, address: str, width: int, **options: Any) -> tuple[Any, list[str]]:
    page = browser.new_page(viewport={"width": width, "height": 800}, **options)
    page.set_default_timeout(PATIENCE_MS)
    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", lambda line: troubles.append(line.text) if line.type in ("error", "warning") else None)
    page.goto(address)
    return page, troubles


def test_axe_finds_nothing_on_the_page_of_a_match(browser: Any, site: str) -> None:
    check(browser, Place(f"{site}/matches/1", "h1"), "light")


@pytest.mark.long
@pytest.mark.parametrize("path", ADDRESSES.values(), ids=list(ADDRESSES))
def test_axe_finds_nothing_on_any_page(browser: Any, site: str, path: str) -> None:
    check(browser, Place(site + path, "h1"), *SCHEMES)


def test_a_film_runs_on_the_page_of_its_match_and_nothing_is_complained_about(browser: Any, site: str) -> None:
    page, troubles = open_at(browser, f"{site}/matches/1", 360)
    page.locator(".by-headline").wait_for()
    page.get_by_role("button", name="Play").click()
    wait_until(lambda: page.evaluate("globalThis.viewer.tick") > 2)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate("globalThis.harmed") is None
    assert troubles == []
    page.close()


def test_a_match_that_was_over_before_it_could_be_watched_is_shown(browser: Any, site: str) -> None:
    page, _ = open_at(browser, f"{site}/matches/1", 1280)
    page.locator(".by-headline").wait_for()
    page.route(
        "**/matches/1", lambda route: route.fulfill(body=as_if_live(route.fetch().text()), content_type="text/html")
    )
    page.reload()
    page.locator(".by-headline").wait_for()
    assert page.evaluate("globalThis.viewer.last") > 2
    page.close()


def as_if_live(page: str) -> str:
    """The page of a match as it was a moment before the match was over."""
    assert "data-live" not in page
    return page.replace('data-film="1"', 'data-film="1" data-live="yes"')


def test_the_table_is_there_without_a_script(browser: Any, site: str) -> None:
    page, _ = open_at(browser, f"{site}/ladders/{TWO}", 360, java_script_enabled=False)
    assert page.get_by_role("row").count() > 3
    assert MARKUP in page.locator("main").inner_text()
    page.close()


@pytest.mark.long
@pytest.mark.parametrize("path", ADDRESSES.values(), ids=list(ADDRESSES))
def test_no_page_is_wider_than_its_window(browser: Any, site: str, path: str) -> None:
    for width, scheme in product((360, 768, 1920), ("light", "dark")):
        page, _ = open_at(browser, site + path, width, color_scheme=scheme)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{path} at {width} px"
        page.close()
