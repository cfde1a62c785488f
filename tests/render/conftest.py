"""What the tests of the viewer share: a browser, and the page of a game."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from botyard.games import GAMES
from botyard.render.film import Film
from tests.render.pages import GAME, chromium, filmed, page_file


@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    for game in GAMES:
        filmed(game)
    with chromium() as opened:
        yield opened


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The page of a game with two lost turns."""
    told = filmed(GAME)
    film = Film(copy.deepcopy(told.film.head), told.film.blocks)
    film.head["marks"] += [[2, 0, "turn", "late: 120 of 100 ms"], [4, 1, "turn", "late: 130 of 100 ms"]]
    film.head["marks"].sort()
    return page_file(tmp_path, film, told.seat_films)
