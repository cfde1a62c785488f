"""What learners are told: within its ranges, from views alone, and the same however often it is asked for."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from botyard.games import OWN_GAMES, load
from botyard.games.game import Game
from botyard.kernel.errors import BadRecord
from botyard.kernel.rule import INTERPRETED
from botyard.kernel.rulebook import Rulebook
from botyard.kernel.senses import CODE
from botyard.match.clock import LoopClock
from botyard.match.in_process import HousePlayer
from botyard.testing.random_games import SEED, random_game, sample_settings
from tests.games.numbers import mask_of
from tests.games.sensed import Learner, fields_of, worth_of

interpreted = pytest.mark.skipif(not INTERPRETED, reason="senses are compiled in the loop of a drill only")

CHANGES = 6  # changed bytes of each field of a position
SPACING = 6  # ticks between two positions
TICKS = 40


def house_game(book: Rulebook, ticks: int) -> Iterator[Game]:
    """Yields a game of all house bots in turn before each tick."""
    settings = sample_settings(book)
    game, bots = Game(book, settings, SEED), list(book.bots.HOUSE_BOTS)
    players = [HousePlayer(book, settings, bots[seat % len(bots)], LoopClock()) for seat in range(game.seats)]
    for seat, player in enumerate(players):
        player.wake(SEED, seat)
    while not game.over and ticks:
        yield game
        game.step_orders({seat: players[seat].decide(game.view(seat)) for seat in game.asked})
        ticks -= 1


# Ranges


@interpreted
@pytest.mark.parametrize("name", OWN_GAMES)
@pytest.mark.parametrize("played", [house_game, random_game], ids=["house bots", "random"])
def test_codes_and_numbers_stay_within_what_the_game_says_of_them(
    name: str, played: Callable[[Rulebook, int], Iterator[Game]]
) -> None:
    book, learner = load(name), None
    for game in played(book, TICKS):
        learner = learner or Learner(game, 0)
        if 0 in game.asked:
            check(learner.look())
    assert learner is not None
    assert np.array_equal(learner.codes, learner.codes)


def check(learner: Learner) -> None:
    """All is within its range, and to sense changes nothing."""
    before, numbers = learner.memories.tobytes(), learner.numbers
    for number in learner.senses.NUMBERS:
        assert number.low <= numbers[number.name] <= number.high, number
    assert learner.codes.max() < len(learner.senses.CODES)
    assert (learner.numbers, learner.memories.tobytes()) == (numbers, before)


@pytest.mark.parametrize("name", OWN_GAMES)
def test_codes_and_numbers_are_told_of_in_words(name: str) -> None:
    senses = load(name).senses
    assert len(set(senses.CODES)) == len(senses.CODES) <= np.iinfo(CODE).max + 1
    assert len({number.name for number in senses.NUMBERS}) == len(senses.NUMBERS)
    assert all(number.low < number.high and number.about for number in senses.NUMBERS)


@interpreted
@pytest.mark.parametrize("name", OWN_GAMES)
def test_at_the_end_the_first_has_not_less_than_the_last(name: str) -> None:
    *_, game = random_game(load(name), 5000)
    assert game.outcome is not None
    groups = game.outcome.groups
    assert worth_of(game, groups[0][0]) >= worth_of(game, groups[-1][-1])


# What a seat may know


@interpreted
@pytest.mark.parametrize("name", OWN_GAMES)
def test_which_orders_make_sense_depends_on_the_view_alone(name: str) -> None:
    """Single bytes of the state are changed; where no game can be in such a state, its orders mean nothing."""
    book, dice = load(name), random.Random(SEED)
    seen = 0
    for tick, game in enumerate(random_game(book)):
        if tick % SPACING == 0 and not game.over:
            for field, places in fields_of(book.layouts(game.settings).state).items():
                for _ in range(CHANGES):
                    seen += differences(game, changed(game, dice.choice(places), dice), field)
    assert seen, "no change made a difference"


def changed(game: Game, place: int, dice: random.Random) -> Game:
    """A copy of the game with another byte in one place."""
    other = game.copy()
    other.arrays[1].view(np.uint8)[place] ^= dice.choice((1, 2, 3, 128, dice.randrange(1, 256)))
    return other


def differences(game: Game, other: Game, field: str) -> int:
    """Counts the seats to which other orders make sense in the other game; they see a difference, or it cannot be."""
    found = 0
    for seat in game.asked:
        try:
            if seat not in other.asked or mask_of(other, seat) == mask_of(game, seat):
                continue
            unseen = view_of(game, seat) == view_of(other, seat)
        except (IndexError, OverflowError):  # an impossible state
            return found
        if unseen and is_possible(other):
            pytest.fail(f"{field} cannot be seen, but decides which orders make sense to seat {seat}:\n{game}")
        found += 1
    return found


def is_possible(game: Game) -> bool:
    try:
        game.book.layout.validate(game.arena, game.state)
    except (BadRecord, IndexError, OverflowError, ValueError):
        return False
    return True


def view_of(game: Game, seat: int) -> bytes:
    return game.view(seat).array.tobytes()
