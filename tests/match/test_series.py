"""Series: seeds, and what counts of a game. That house bots play the same games compiled is a law of every game."""

from __future__ import annotations

import pytest

import botyard
from botyard.games import load
from botyard.games.game import Game
from botyard.match import series
from botyard.match.loop import RULES_FAILED
from botyard.match.series import SeriesGame, following_seed, house_result, play_house, seed_after, seeds_from


def test_seeds_are_counted_up_and_wrap_round() -> None:
    assert seeds_from(2**64 - 3, 6) == [2**64 - 3, 2**64 - 2, 2**64 - 1, 0, 1, 2]


def test_a_void_game_counts_for_nobody() -> None:
    book = load("hive")
    game = Game(book, book.settings(), 1)
    game.state.fault = 1
    arenas, states = game.arrays
    void = house_result(book, arenas, states, 1, 2)
    assert (void.void, void.winner, void.scores) == (True, None, (0, 0))
    assert house_result(book, arenas, states, 1, 2) == SeriesGame(1, 2, trouble=RULES_FAILED)


def test_games_of_house_bots_are_played_in_shares_that_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    book = load("snakepit")
    settings = book.settings.read({"snakes": 2, "width": 12, "height": 12})
    whole = list(play_house(book, settings, ["beeline", "beeline"], range(3, 8), keep_states=True))
    assert [game.seed for game in whole] == [3, 4, 5, 6, 7]
    assert not any(game.void for game in whole)
    monkeypatch.setattr(series, "SHARE", 2)
    assert list(play_house(book, settings, ["beeline", "beeline"], range(3, 8), keep_states=True)) == whole


def test_the_next_game_has_the_next_seed_or_goes_on_from_the_draws_of_this_one() -> None:
    own = botyard.new("snakepit", seed=5)
    assert following_seed(own) == 6
    going_on = botyard.new("snakepit", seed=5, rng_per_game=False)
    assert following_seed(going_on) == seed_after(going_on.arrays[1][0]) != 6
