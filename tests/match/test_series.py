"""House bots: compiled all the way, and the same games as through the match loop."""

from __future__ import annotations

import asyncio

import pytest

from botyard.games import GAMES, load
from botyard.games.game import Game
from botyard.match.clock import LoopClock
from botyard.match.in_process import HousePlayer
from botyard.match.loop import RULES_FAILED, play_game
from botyard.match.series import SeriesGame, house_result, play_house, seeds_from


@pytest.mark.parametrize("name", GAMES)
def test_compiled_games_are_the_games_of_the_match_loop(name: str) -> None:
    book = load(name)
    house = list(book.bots.HOUSE_BOTS)
    bots = [house[at % len(house)] for at in range(min(book.facts.seats_max, 3))]
    settings = book.settings().seated(len(bots))
    seeds = seeds_from(2**64 - 3, 6)
    assert seeds[3] == 0
    compiled = list(play_house(book, settings, bots, seeds))
    for seed, quick in zip(seeds, compiled, strict=True):
        players = [HousePlayer(book, settings, bot, LoopClock()) for bot in bots]
        slow = SeriesGame.of(asyncio.run(play_game(Game(book, settings, seed), players)))
        assert (quick.seed, quick.winner, quick.scores) == (slow.seed, slow.winner, slow.scores)


def test_a_void_game_counts_for_nobody() -> None:
    book = load("hive")
    game = Game(book, book.settings(), 1)
    game.state.fault = 1
    arenas, states = game.arrays
    void = house_result(book, arenas, states, 1, 2)
    assert (void.void, void.winner, void.scores) == (True, None, (0, 0))
    assert house_result(book, arenas, states, 1, 2) == SeriesGame(1, 2, trouble=RULES_FAILED)
