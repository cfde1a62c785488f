"""What the viewer shows is what the rules say: every cell, in pixels and in words, in whatever order ticks are visited.

The boards come from playing a replay again in Python. A few are looked at always, all that were asked for in long runs.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from botyard.games import OWN_GAMES, load
from botyard.match.filming import film_of
from botyard.match.replay import Replay
from botyard.render.page import film_page
from botyard.testing.random_games import house_replay, random_replay, sample_settings
from tests.render.cells import WRONG_CELLS, WRONG_WORDS, boards, stacks, told_cells
from tests.render.pages import THEMES, Opened, open_film

REPLAYS = 20  # of every game
TICKS = 10  # of every replay, at random
LONGEST = 230  # ticks: more than two blocks of a film
SHORT = 110  # more than one


def some_replay(game: str, number: int, ticks: int = LONGEST) -> Replay:
    """House bots and random orders by turns, small boards and usual ones by turns."""
    book = load(game)
    settings = sample_settings(book) if number % 4 < 2 else book.settings().seated(book.facts.usual_seats)
    make = house_replay if number % 2 else random_replay
    return make(book, settings, ticks, seed=random.Random(f"{game} {number}").getrandbits(64))


def to_and_fro(last: int, count: int, dice: random.Random) -> list[int]:
    """Some ticks in any order; one of them at least lies before another that was visited earlier."""
    ticks = [dice.randrange(last + 1) for _ in range(count)]
    if ticks == sorted(ticks):
        ticks.reverse()
    return ticks


def look_at(opened: Opened, replay: Replay, count: int, themes: tuple[str, ...], dice: random.Random) -> None:
    """Fails unless a page shows the truth, of everything and of what every seat saw."""
    board = film_of(replay)  # whose palette and names every seat's film has
    for seat in (None, *range(len(replay.names))):
        opened.run("(viewer, seat) => viewer.show(seat)", seat)
        ticks = to_and_fro(len(replay.ticks), count, dice)
        truth = boards(replay, seat, ticks)
        opened.run("(viewer) => { viewer.setText(false); viewer.setTheme('light'); }")
        for tick in ticks:
            opened.run("(viewer, tick) => viewer.seek(tick)", tick)
            assert opened.run(WRONG_CELLS, stacks(truth[tick])) == [], f"pixels, seat {seat}, tick {tick} of {ticks}"
        opened.run("(viewer) => viewer.setText(true)")
        for theme in themes:  # words are the same in every theme, so all but the first are looked at once
            opened.run("(viewer, theme) => viewer.setTheme(theme)", theme)
            for tick in ticks if theme == themes[0] else ticks[:1]:
                opened.run("(viewer, tick) => viewer.seek(tick)", tick)
                wrong = opened.run(WRONG_WORDS, told_cells(board, truth[tick]))
                assert wrong == [], f"words, {theme}, seat {seat}, tick {tick} of {ticks}"


def open_replay(browser: Any, folder: Path, replay: Replay) -> Opened:
    path = folder / "film.html"
    seats = tuple(film_of(replay, seat) for seat in range(len(replay.names)))
    path.write_text(film_page(film_of(replay), seats), encoding="utf-8")
    return open_film(browser, path, width=700, height=500, device_scale_factor=1, color_scheme="light")


@pytest.mark.parametrize("game", sorted(OWN_GAMES)[1:4:2])
def test_a_page_shows_what_the_rules_say(browser: Any, tmp_path: Path, game: str) -> None:
    replay = some_replay(game, 1, SHORT)
    opened = open_replay(browser, tmp_path, replay)
    look_at(opened, replay, 3, THEMES[:2], random.Random(game))
    assert opened.troubles == []
    opened.page.close()


@pytest.mark.long
@pytest.mark.parametrize("number", range(REPLAYS))
@pytest.mark.parametrize("game", OWN_GAMES)
def test_every_page_shows_what_the_rules_say(browser: Any, tmp_path: Path, game: str, number: int) -> None:
    replay = some_replay(game, number)
    opened = open_replay(browser, tmp_path, replay)
    look_at(opened, replay, TICKS, THEMES, random.Random(f"{game} {number}"))
    assert opened.troubles == []
    opened.page.close()


@pytest.mark.long
def test_a_wrong_cell_is_noticed(browser: Any, tmp_path: Path) -> None:
    """Neither a wrong picture nor a wrong word would pass."""
    replay = some_replay("hive", 1)
    tick = len(replay.ticks) // 2
    opened = open_replay(browser, tmp_path, replay)
    [truth] = boards(replay, None, [tick]).values()
    opened.run("(viewer, tick) => viewer.seek(tick)", tick)
    cells = stacks(truth)
    odd = next(cell for cell, stack in enumerate(cells) if len(stack) > 1)
    cells[odd] = cells[odd][:1]
    assert opened.run(WRONG_CELLS, cells) == [odd]
    opened.run("(viewer) => viewer.setText(true)")
    words = told_cells(film_of(replay), truth)
    [shown] = [list(words[2][3])]
    words[2][3][1] += "!"
    assert opened.run(WRONG_WORDS, words) == [shown]
    opened.page.close()
