"""Series: seeds, and what counts of a game. That house bots play the same games compiled is a law of every game."""

from __future__ import annotations

from botyard.games import load
from botyard.games.game import Game
from botyard.match.loop import RULES_FAILED
from botyard.match.series import SeriesGame, house_result, seeds_from


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
