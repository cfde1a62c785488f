"""What people do on the pages of contests: announce one, its file checked on the page; enter, release, take home."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from botyard.yard.site import Yard
from botyard.yard.web.app import PageServer
from botyard.yard.web.pages import contests
from tests.waiting import finished
from tests.yard.browser import Page
from tests.yard.browsing import Client
from tests.yard.town import CONTEST_FILE, GAME, MULTIPART, Town


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    town = Town(tmp_path_factory.mktemp("town"))
    yield town
    town.close()


def ask(town: Town, who: str, path: str, body: Any = None, **options: Any) -> Page:
    return finished(town.ask(who, "GET" if body is None else "POST", path, body, **options))


def test_a_file_is_checked_on_the_page_and_every_mistake_is_named_with_its_line(town: Town) -> None:
    broken = CONTEST_FILE.replace('kind = "round_robin"', 'kind = "swis"').replace("house:", "py:", 1)
    page = ask(town, "organiser", "/contests", {"file": broken, "deed": "check"})
    assert page.status == 400
    assert "line 7, bots.one" in page.text
    assert "unknown format" in page.text
    assert "py:" in page.text, "what was typed is still there"
    page = ask(town, "organiser", "/contests", {"file": CONTEST_FILE, "deed": "check"})
    assert (page.status, "No mistake in the file" in page.text) == (200, True)
    assert "Spring" not in ask(town, "organiser", "/contests").text.replace(">Spring<", "", 1), "nothing was announced"


def test_the_form_is_filled_in_for_a_game_and_a_format(town: Town) -> None:
    page = ask(town, "organiser", f"/contests/new?game={GAME}&kind=swiss")
    assert "kind = &#34;swiss&#34;" in page.text


def test_its_page_shows_the_table_to_everybody_and_what_is_the_organisers_to_them_alone(town: Town) -> None:
    address = f"/contests/{town.places['contest']}"
    nobody, organiser = ask(town, "nobody", address).text, ask(town, "organiser", address).text
    assert "Standings" in nobody
    assert "lost.csv" in organiser
    for private in ("lost.csv", "What you decide", "The contest file"):
        assert private not in nobody
    assert ask(town, "nobody", f"{address}/files/lost.csv").status == 403
    assert ask(town, "organiser", f"{address}/files/lost.csv").status == 200
    assert ask(town, "organiser", f"{address}/files/nothing.csv").status == 404


def test_what_is_not_released_is_nowhere(town: Town) -> None:
    address = f"/contests/{town.places['contest']}"
    assert ask(town, "organiser", f"{address}/release", {"release": "nothing"}, kept=True).status == 303
    page = ask(town, "rival", address)
    assert "not released" in page.text
    assert "Who beat whom" not in page.text
    assert ask(town, "rival", f"{address}/files/standings.csv").status == 403
    assert ask(town, "rival", f"/api/v1{address}/standings").status == 403
    town.restore()


def test_a_refusal_stands_on_the_page_where_it_was_asked(town: Town) -> None:
    address = f"/contests/{town.places['contest']}"
    page = ask(town, "rival", f"{address}/enter", {"bot": "none"})
    assert (page.status, "No bot was chosen" in page.text) == (400, True)
    page = ask(town, "organiser", f"{address}/submissions", [("accounts", "no")], kind=MULTIPART)
    assert (page.status, "No file came" in page.text) == (400, True)


def test_an_empty_site_says_who_announces_contests(one_yard: Yard) -> None:
    client = Client(PageServer(one_yard).app(contests.PAGES))
    assert "an admin of this site makes organisers" in client.get("/contests").text
