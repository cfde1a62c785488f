"""Films: every board and every word of a game comes out of one again, and they are small."""

from __future__ import annotations

import gzip
import json
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from botyard.games import OWN_GAMES, load
from botyard.match.filming import film_of
from botyard.render.film import BLOCK, Film
from botyard.testing.picture_laws import check_film
from botyard.testing.random_games import house_replay, random_replay, sample_settings

TICKS = 500
BAR, BAR_OF_MANY, BAR_OF_A_BEGINNING = 40_000, 64_000, 20_000  # bytes
MANY = 15  # seats


def sent(film: Film) -> Film:
    """A film as somebody else has it, who got its bytes."""
    told = json.loads(gzip.decompress(film.to_bytes()))
    return Film(told["head"], told["blocks"])


@pytest.mark.parametrize("game", OWN_GAMES)
@settings(max_examples=8)
@given(seed=st.integers(0, 2**64 - 1), ticks=st.integers(0, 2 * BLOCK + 20), small=st.booleans(), data=st.data())
def test_a_film_that_was_sent_shows_every_position(
    game: str, seed: int, ticks: int, small: bool, data: st.DataObject
) -> None:
    book = load(game)
    chosen = sample_settings(book) if small else book.settings().seated(book.facts.usual_seats)
    replay = random_replay(book, chosen, ticks, seed)
    seat = data.draw(st.none() | st.integers(0, len(replay.names) - 1))
    check_film(sent(film_of(replay, seat)), replay, seat)


@cache
def film_of_house_bots(game: str, seats: int, seat: int | None = None) -> Film:
    book = load(game)
    return film_of(house_replay(book, book.settings().seated(seats), TICKS), seat)


def crowds() -> list[tuple[str, int, int]]:
    """Each game with a number of seats, and the size its films may have."""
    usual = [(game, load(game).facts.usual_seats, BAR) for game in OWN_GAMES]
    return [*usual, *((game, MANY, BAR_OF_MANY) for game in OWN_GAMES if load(game).facts.seats_max >= MANY)]


@pytest.mark.parametrize(("game", "seats", "bar"), crowds())
def test_a_film_is_small(game: str, seats: int, bar: int) -> None:
    for seat in (None, 0):
        film = film_of_house_bots(game, seats, seat)
        head = len(Film(film.head).to_bytes())
        assert head + (len(film.to_bytes()) - head) * TICKS // film.head["last"] <= bar  # some games end before
        assert len(Film(film.head, film.blocks[:1]).to_bytes()) <= BAR_OF_A_BEGINNING


@pytest.mark.parametrize("game", OWN_GAMES)
def test_a_film_is_cut_into_blocks_that_begin_with_a_whole_board(game: str) -> None:
    film = film_of_house_bots(game, load(game).facts.usual_seats)
    last = film.head["last"]
    assert [block["at"] for block in film.blocks] == list(range(0, last + 1, BLOCK))
    assert sum(1 + len(block["ticks"]) for block in film.blocks) == last + 1
    for block in film.blocks:
        assert sum(block["grid"][1::2]) == film.head["rows"] * film.head["cols"]


def test_a_film_tells_nothing_of_seed_and_orders() -> None:
    book = load("hive")
    replay = random_replay(book, book.settings(), 9, seed=987_654_321_987_654_321)
    film = film_of(replay)
    assert str(replay.seed) not in film.to_json()
    assert not {"seed", "orders", "ticks"} & film.head.keys()


def test_a_piece_that_comes_back_is_told_from_the_corner() -> None:
    """A piece that was not there one tick before has no place to be counted from."""
    book = load("snakebattle")
    film = sent(film_of_house_bots("snakebattle", book.facts.usual_seats))
    orders = [tick[1] for block in film.blocks for tick in block["ticks"] if len(tick) > 1 and tick[1] != 0]
    assert orders, "nobody came or went"
    check_film(film, house_replay(book, book.settings().seated(book.facts.usual_seats), TICKS))
