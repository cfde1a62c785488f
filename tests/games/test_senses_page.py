"""What the page of a game tells of codes and numbers is what the game says of itself."""

from __future__ import annotations

import pytest

from botyard.games import OWN_GAMES, load
from botyard.games.senses_page import with_senses


@pytest.mark.parametrize("name", OWN_GAMES)
def test_the_page_of_a_game_explains_its_codes_and_numbers(name: str) -> None:
    book = load(name)
    page = (book.folder / "README.md").read_text(encoding="utf-8")
    assert page == with_senses(page, book), "`make senses` writes it anew"
    assert all(f"| {meaning} |" in page for meaning in book.senses.CODES)
    assert all(f"`{number.name}` | {number.low} | {number.high} |" in page for number in book.senses.NUMBERS)


def test_what_stood_there_before_is_replaced() -> None:
    book = load("hive")
    page = with_senses("# A game\n\nOurs.\n", book)
    assert page.startswith("# A game\n\nOurs.\n\n### Codes and numbers\n")
    assert with_senses(page + "| 99 | a code that is no more |\n", book) == page
