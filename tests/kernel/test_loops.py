"""Loops: one game, many games and games among house bots are the same games, told the same way."""

from __future__ import annotations

import numpy as np
import pytest

import botyard
from botyard import Batch
from botyard.games import load
from botyard.games.game import Game
from botyard.kernel.arrays import ORDER, make_arrays
from botyard.kernel.devices import Cpu
from botyard.kernel.rule import INTERPRETED, opened
from botyard.kernel.rulebook import Rulebook
from botyard.kernel.settings import Settings, seed_word
from botyard.match.clock import LoopClock
from botyard.match.in_process import HousePlayer
from botyard.match.series import final_game, play_house


def quick(game: str) -> tuple[Rulebook, Settings]:
    """A game that takes little time: on a small board if rules are interpreted, else the one that is compiled first."""
    book = load(game)
    return book, book.settings.read(book.samples.golden) if INTERPRETED else book.settings()


def bots_of(book: Rulebook, settings: Settings) -> list[str]:
    """A house bot for every seat."""
    names = list(book.bots.HOUSE_BOTS)
    return [names[at % len(names)] for at in range(book.layout.seats(settings))]


# One game and many


@pytest.mark.parametrize("game", ["hive", "snakepit"])  # the second one clears its states by itself
def test_a_game_that_begins_again_is_as_good_as_new(game: str) -> None:
    _, settings = quick(game)
    games = Batch(game, settings, 2)
    games.race(3)
    games.reset(9)
    assert games.states.tobytes() == Batch(game, settings, 2, seed=9).states.tobytes()


def test_a_game_and_a_batch_tell_the_same_scores() -> None:
    book, settings = quick("battlebots")
    games, alone = Batch("battlebots", settings, 2, seed=9), Game(book, settings, 9)
    assert tuple(games.scores[0]) == alone.scores != (0, 0)
    games.stray()
    alone.step_orders(dict(enumerate(games.orders[0].tolist())))
    games.step(games.orders)
    assert tuple(games.scores[0]) == alone.scores


def test_random_play_looks_at_every_tick_before_it_moves() -> None:
    raced, stepped = Batch("hive", None, 3, autoreset="off"), Batch("hive", None, 3, autoreset="off")
    raced.race(3)
    for tick in range(2):
        stepped.stray(salt=tick)
        stepped.step(stepped.orders)
    assert stepped.views.tobytes() == raced.views.tobytes()


def test_a_seat_that_is_not_asked_is_told_nothing() -> None:
    game = botyard.new("hive", seed=7)
    assert game.asked == (0,)
    assert any(game.view(0).array.tobytes())
    assert not any(game.view(1).array.tobytes())
    game.step("move E")
    assert any(game.view(1).array.tobytes())


def test_a_seat_has_orders_that_do_something_and_others() -> None:
    game = botyard.new("hive", seed=7)
    assert 0 < len(game.orders()) < len(game.book.facts.orders)


def test_who_leaves_is_away_until_it_joins_again() -> None:
    book, settings = quick("snakebattle")
    game = Game(book, settings, 9)
    positions = [game.bytes()]
    for change in ("leave", "join"):
        game.change(change, 0)
        positions.append(game.bytes())
    assert positions[0] != positions[1] != positions[2]


def test_who_forfeits_leaves_the_game_to_the_other() -> None:
    for seat in range(2):
        game = botyard.new("hive", seed=7)
        game.change("forfeit", seat)
        assert game.outcome is not None
        assert game.outcome.winner == 1 - seat


# House bots


def played_by_turns(book: Rulebook, settings: Settings, bots: list[str], seed: int) -> Game:
    """A game among house bots, each asked by itself."""
    game = Game(book, settings, seed)
    players = [HousePlayer(book, settings, bots[game.entrant(seat)], LoopClock()) for seat in range(game.seats)]
    for seat, player in enumerate(players):
        player.wake(seed, seat)
    while not game.over:
        game.step_orders({seat: players[seat].decide(game.view(seat)) for seat in game.asked})
    return game


@pytest.mark.parametrize(("game", "seeds"), [("hive", [5, 2**64 - 1]), ("snakepit", [5])])
def test_house_bots_play_the_same_game_in_a_series_and_by_turns(game: str, seeds: list[int]) -> None:
    """In one game a seat moves at a time, in the other all of them."""
    book, settings = quick(game)
    bots = bots_of(book, settings)
    for result in play_house(book, settings, bots, seeds, keep_states=True):
        by_turns = played_by_turns(book, settings, bots, result.seed)
        assert final_game(book, settings, result).bytes() == by_turns.bytes()


def test_house_bots_remember_nothing_of_the_game_before() -> None:
    book, settings = quick("battlebots")
    kinds, seats = book.layouts(settings), book.layout.seats(settings)
    book.prepare(settings, "house")
    arrays = make_arrays(book, settings, 1)
    entrants = np.array([book.bot_number(bot) for bot in bots_of(book, settings)], ORDER)
    memories, blank_memory = np.zeros((1, seats), kinds.memory), np.zeros(1, kinds.memory)
    ends = []
    for rest in (0, 1):
        memories.view(np.uint8)[:] = rest
        Cpu(book).launch("play", arrays, memories, entrants, blank_memory)
        ends.append(arrays.states.tobytes() + memories.tobytes())
    assert ends[0] == ends[1]


def test_a_house_bot_has_a_chance_of_its_own_made_of_seed_and_seat() -> None:
    book, settings = quick("hive")
    words = []
    for seat in range(2):
        memories = np.zeros(1, book.layouts(settings).memory)
        book.loops.wake_at(opened(memories), seed_word(0x89ABCDEF01234567), seat)
        words.append(memories["chance"]["word"][0].tolist())
    assert words == [[1713461243, 4031852056], [922033456, 2853873222]]
