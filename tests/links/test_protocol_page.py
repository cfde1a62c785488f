"""docs/protocol.md says what is so. Bots out there rely on it: what must be changed in it is a new version."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from botyard.games import OWN_GAMES, load
from botyard.games.game import Game
from botyard.kernel.outcome import Outcome
from botyard.links.json_protocol import (
    ANSWER_BYTES,
    LINE_BYTES,
    MOST_BRACKETS,
    MOST_DIGITS,
    START_MS,
    VERSION,
    JsonSession,
)
from botyard.links.view_json import FieldNames

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text()


def section(title: str) -> str:
    found = re.search(rf"^### {title}\n(.*?)(?=^##|\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found, f"no section {title}"
    return found[1]


def names_in(text: str) -> list[str]:
    """The names in the first column of a section's table."""
    rows = re.findall(r"^\| (`[^|]*`) \|", text, re.MULTILINE)
    return [name for row in rows for name in re.findall(r"`(\w+)`", row)]


def table_of_fields(game: str) -> str:
    """The table on the page of a game whose first column is headed `field`."""
    page = (load(game).folder / "README.md").read_text()
    found = re.search(r"^\| field.*\n((?:\|.*\n)+)", page, re.MULTILINE)
    assert found, f"the page of {game} has no table of fields"
    return found[1]


def test_the_fields_of_every_game_are_described_on_its_page(game: str) -> None:
    book = load(game)
    settings = book.settings.read()
    told = FieldNames(book, settings).of(Game(book, settings, 1).view(0))
    assert sorted(names_in(table_of_fields(game))) == sorted(told)


@pytest.mark.parametrize("game", OWN_GAMES)
def test_the_page_leads_to_every_game(game: str) -> None:
    assert f"games/{game}/README.md#the-fields-of-a-view" in PAGE


def test_every_key_of_hello_is_described() -> None:
    book = load("hive")
    hello = json.loads(JsonSession(book, book.settings.read(), 0).greet())
    assert set(names_in(section("hello"))) == set(hello) - {"type"}
    assert all(f"`{limit}`" in section("hello") for limit in hello["limits"])


def test_the_conversation_takes_place_as_it_is_shown() -> None:
    lines = re.findall(r"^    ([<>]) (.*)$", PAGE, re.MULTILINE)
    book = load("battlebots")
    settings = book.settings.read()
    game, session = Game(book, settings, 1), JsonSession(book, settings, 0)
    said = [line.encode() + b"\n" for sign, line in lines if sign == "<"]
    hello, first, second, goodbye = (line for sign, line in lines if sign == ">")
    assert hello.endswith("…")
    assert session.greet().decode().startswith(hello.removesuffix("…"))
    assert session.introduce(said[0]) == "mybot"
    for shown, answer in ((first, said[1]), (second, said[2])):
        assert json.loads(session.ask(game.view(0))) == json.loads(shown)
        order = session.receive(answer)
        assert isinstance(order, int)
        game.step({0: order, 1: "NO"})
    assert session.closing(Outcome(((0,), (1,)), (10, 0))).decode() == f"{goodbye}\n"


def test_the_limits_are_those_of_the_code() -> None:
    assert f"This is version {VERSION}" in PAGE
    assert f"{START_MS // 1000} seconds" in PAGE
    for limit in (f"more than {LINE_BYTES} bytes", f"more than {ANSWER_BYTES} bytes", f"more than {MOST_DIGITS} digits",
                  f"more than {MOST_BRACKETS} brackets"):  # fmt: skip
        assert limit in PAGE
