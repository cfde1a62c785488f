"""The page about what learners sense is what the games say of themselves."""

from __future__ import annotations

import runpy
from pathlib import Path

from botyard.games import OWN_GAMES, load
from botyard.games.senses_page import senses_page

ROOT = Path(__file__).parents[2]


def test_the_page_is_the_one_that_the_games_make() -> None:
    made = runpy.run_path(str(ROOT / "tools/senses_page.py"))["page"]()
    assert (ROOT / "docs/research-senses.md").read_text(encoding="utf-8") == made, "`make senses` writes it anew"


def test_every_code_and_number_is_in_the_section_of_its_game() -> None:
    for book in map(load, OWN_GAMES):
        section = senses_page(book)
        assert all(f"| {meaning} |" in section for meaning in book.senses.CODES)
        assert all(f"`{number.name}` | {number.low} | {number.high} |" in section for number in book.senses.NUMBERS)
