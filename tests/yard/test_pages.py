"""Public pages: with nothing in the tables, with a little, with much, and with names that mean harm."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from starlette.types import ASGIApp

from botyard.games import OWN_GAMES, load
from botyard.yard.caller import Caller
from botyard.yard.config import YardConfig
from botyard.yard.data.database import Database
from botyard.yard.site import Yard
from botyard.yard.web.app import PageServer
from botyard.yard.web.pages import contests, files, front, games, ladders, matches, show, status, view
from tests.yard.browsing import Client
from tests.yard.conftest import Hands
from tests.yard.living import LivingYard

PAGE_BYTES = 100_000
MODULES = (contests, files, front, games, ladders, matches, show, status, view)
MARKUP = '<img src=x onerror="harmed=1">'
REVERSED = "\u202egnp.eno"
TWO, MANY = (next(name for name in OWN_GAMES if (load(name).facts.usual_seats > 2) == more) for more in (False, True))
"""A game of two seats, and one of more."""


def pages_of(yard: Yard) -> ASGIApp:
    return PageServer(yard).app([page for module in MODULES for page in module.PAGES], show.SOCKETS)


def new_yard(folder: Path) -> Yard:
    database = Database.in_file(folder / "yard.db")
    database.create()
    return Yard(YardConfig(folder, contact="ada@example.org"), database, Hands())


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LivingYard]:
    """A yard with many bots, games that were played, are played, and wait."""
    living = LivingYard(new_yard(tmp_path_factory.mktemp("busy")))
    living.open(TWO, MANY)
    for number, name in enumerate([MARKUP, REVERSED, *(f"Bot {at}" for at in range(52))]):
        living.bot(living.person(f"{name} owner {number}"), TWO, name)
    for name in ("Asp", "Boa", "Cobra", "Dasypeltis", "Eryx"):
        living.bot(living.person(f"owner of {name}"), MANY, name)
    for _ in range(3):
        living.play(TWO, MARKUP, REVERSED)
    living.play(MANY, *("Asp", "Boa", "Cobra", "Dasypeltis", "Eryx")[: load(MANY).facts.usual_seats])
    first, _ = living.ask(TWO, "Bot 1", "Bot 2", why=f"{MARKUP} waited")
    living.begin(first)
    living.end(first)
    second, _ = living.ask(TWO, "Bot 3", "Bot 4")
    living.begin(second)
    living.ask(TWO, MARKUP, "Bot 5")
    yield living
    living.yard.close()


class Reader(HTMLParser):
    """Reads a page, and notes what no page of ours may have."""

    def __init__(self) -> None:
        super().__init__()
        self.troubles: list[str] = []
        self.tags: Counter[str] = Counter()
        self.ids: Counter[str] = Counter()
        self.words: list[str] = []
        self.links: list[str] = []
        self._script = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        self.tags[tag] += 1
        self.ids.update([told["id"] or ""] if "id" in told else [])
        self.links += [told["href"] or ""] if tag == "a" else []
        self._script = tag == "script"
        self.troubles += [f"<{tag} {name}>" for name in told if name == "style" or name.startswith("on")]
        if tag == "style" or (tag == "script" and "src" not in told):
            self.troubles.append(f"inline <{tag}>")
        if tag == "img" and told.get("src") == "x":
            self.troubles.append("a stranger's picture")

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def read(text: str) -> Reader:
    reader = Reader()
    reader.feed(text)
    reader.close()
    reader.troubles += [f"two things are called {name}" for name, count in reader.ids.items() if count > 1]
    return reader


def check_page(client: Client, address: str) -> Reader:
    answer = client.get(address)
    assert answer.status == 200, f"{address}: {answer.text[:300]}"
    assert len(answer.body) <= PAGE_BYTES, f"{address} has {len(answer.body)} bytes"
    reader = read(answer.text)
    assert not reader.troubles, f"{address}: {reader.troubles}"
    assert reader.tags["h1"] == 1, f"{address} has {reader.tags['h1']} headings of the first order"
    assert reader.tags["main"] == 1
    return reader


EVERYWHERE = ["/", "/ladders", "/matches", "/games", "/status", "/view"]


def test_a_fresh_yard_says_everywhere_what_to_do_next(tmp_path: Path) -> None:
    yard = new_yard(tmp_path)
    client = Client(pages_of(yard))
    for address in EVERYWHERE:
        check_page(client, address)
    assert "No ladder is open yet" in client.get("/").text
    assert "No game has been played yet" in client.get("/").text
    assert "There is no ladder" in client.get("/ladders").text
    assert "No such match has been played yet" in client.get("/matches").text
    yard.close()


def test_a_ladder_without_players_shows_the_house_bots_and_how_to_come_in(tmp_path: Path) -> None:
    yard = new_yard(tmp_path)
    LivingYard(yard).open(TWO)
    client = Client(pages_of(yard))
    words = client.get(f"/ladders/{TWO}").text
    for name in load(TWO).bots.HOUSE_BOTS:
        assert name in words
    assert f"/bots/new?game={TWO}" in words
    assert "No match has been played here yet" in client.get(f"/ladders/{TWO}/matches").text
    assert "Nothing waits on this ladder" in client.get(f"/ladders/{TWO}/queue").text
    yard.close()


def test_every_page_of_a_busy_yard_is_small_and_sound(busy: LivingYard) -> None:
    client = Client(pages_of(busy.yard))
    of_ladder = [f"/ladders/{slug}{part}" for slug in (TWO, MANY) for part in ("", "?page=2", "/matches", "/queue")]
    some = [f"/matches?game={TWO}", f"/matches?ladder={MANY}", "/matches/1", "/matches/7", "/matches/8", "/matches/12"]
    for address in [*EVERYWHERE, *of_ladder, *some, "/embed/1", f"/ladders/{TWO}?page=999999999999"]:
        check_page(client, address)


def test_names_are_shown_and_do_no_harm(busy: LivingYard) -> None:
    client = Client(pages_of(busy.yard))
    for address in (f"/ladders/{TWO}", "/matches", "/matches/1", f"/ladders/{TWO}/queue", "/embed/1"):
        text = client.get(address).text
        assert "\u202e" not in text
        assert MARKUP not in text
        assert MARKUP in "".join(read(text).words)


def test_the_table_needs_no_script_and_says_what_its_columns_mean(busy: LivingYard) -> None:
    page = check_page(Client(pages_of(busy.yard)), f"/ladders/{TWO}")
    assert page.tags["tr"] == 1 + 50
    assert page.tags["abbr"] >= 7
    words = " ".join(page.words)
    assert "3 of 10 pairs played" in words
    assert "the steady ladder" not in words
    assert "waiting" in words


def test_your_own_bot_stands_out_and_the_queue_line_names_its_place(busy: LivingYard) -> None:
    own = Client(pages_of(busy.yard), Caller(person=1, name="one"))
    text = own.get(f"/ladders/{TWO}?page=2").text
    assert "show it in the table" in text
    words = " ".join(read(text).words)
    assert "yours is third" in words, words


def test_whatever_is_not_there_is_a_page_too(busy: LivingYard) -> None:
    client = Client(pages_of(busy.yard))
    for address in ("/nix", "/ladders/nix", "/matches/999", "/games/nix", "/view/nix", "/embed/999"):
        answer = client.get(address)
        assert answer.status == 404
        assert read(answer.text).tags["h1"] == 1
    assert client.get(f"/games/{TWO}/starters/cobol.zip").status == 404


def test_lists_go_on_to_the_last_match(busy: LivingYard) -> None:
    client = Client(pages_of(busy.yard))
    assert "Older ones" not in client.get("/matches").text
    assert 'href="/matches/1"' in client.get("/matches?before=2").text
    assert 'href="/matches/2"' not in client.get("/matches?before=2").text
    assert client.get("/matches?before=x&game=nix").status == 200
