"""A drill does what its description says: step by step, it is compared with one in plain Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DataObject

import botyard
from botyard.games import GAMES, load
from botyard.kernel.loop_modes import AUTORESET
from botyard.sim.drill import Drill
from tests.sim.pair import Pair, any_orders
from tests.sim.plain_drill import TERMINATED, TRUNCATED, Terms, short_settings

FIRST = next(iter(GAMES))


def drawn_terms(game: str, data: DataObject) -> Terms:
    book = load(game)
    seats = book.layout.seats(book.settings.read(short_settings(book)))
    bots = st.lists(st.sampled_from(list(book.bots.HOUSE_BOTS)), max_size=2)
    learners = data.draw(st.integers(1, seats), "learners")
    lanes = st.integers(1, max(1, learners - 1))  # the first stays a learner
    handed = st.dictionaries(lanes, st.sampled_from(list(book.bots.HOUSE_BOTS)), max_size=2)
    return Terms(
        game=game,
        n=data.draw(st.integers(1, 3), "n"),
        learners=learners,
        opponents=data.draw(bots, "opponents")[: seats - learners],
        horizon=data.draw(st.sampled_from([0, 1, 7, 30]), "horizon"),
        most_ticks=data.draw(st.sampled_from([0, 1, 2, 9]), "most_ticks"),
        autoreset=data.draw(st.sampled_from(list(AUTORESET)), "autoreset"),
        skip_forced=data.draw(st.booleans(), "skip_forced"),
        seed=data.draw(st.sampled_from([0, 5, (1 << 32) - 1, (1 << 64) - 1]), "seed"),
        handed=data.draw(handed, "handed") if learners > 1 else {},
    )


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=6)
@given(st.data())
def test_a_drill_tells_what_plain_games_tell(game: str, data: DataObject) -> None:
    """In every mode, with any orders, with resets of some games on the way."""
    pair = Pair(drawn_terms(game, data))
    dice = np.random.default_rng(data.draw(st.integers(0, 1 << 20), "dice"))
    wild = data.draw(st.sampled_from([0.0, 0.1, 1.0]), "wild")
    for _ in range(25):
        pair.step(any_orders(pair, dice, wild))
        if dice.random() < 0.1:
            pair.reset([bool(one) for one in dice.random(pair.terms.n) < 0.5], int(dice.integers(1 << 40)))


@pytest.mark.parametrize("autoreset", AUTORESET)
def test_whole_games_are_counted_alike(game: str, autoreset: str) -> None:
    """The rules end games, so that there are dead seats, outcomes and games after the end."""
    pair = Pair(Terms(game=game, n=2, autoreset=autoreset, seed=3))
    dice = np.random.default_rng(1)
    for _ in range(400):
        pair.step(any_orders(pair, dice, 0.02))
        if pair.episodes[TERMINATED] >= 2:
            break
    assert pair.episodes[TERMINATED] >= 2
    for _ in range(3):  # what follows the end
        pair.step(any_orders(pair, dice, 0.0))


@pytest.mark.parametrize("most_ticks", [1, 4])
def test_steps_of_few_ticks_lead_to_the_same_ends(game: str, most_ticks: int) -> None:
    """Whoever is out is not asked any more while the others play on, and the game ends as in one long step."""
    terms = Terms(game=game, n=2, autoreset="off", seed=3, horizon=600, most_ticks=most_ticks)
    pair, dice = Pair(terms), np.random.default_rng(1)
    for _ in range(700):
        pair.step(any_orders(pair, dice, 0.0))
        if sum(pair.episodes.values()) == 2:
            break
    assert sum(pair.episodes.values()) == 2
    assert all(place.ticks < 600 + most_ticks for place in pair.places)


def test_a_horizon_cuts_games_short_and_rules_end_them(game: str) -> None:
    pair = Pair(Terms(game=game, n=2, autoreset="same_step", horizon=5, seed=3))
    dice = np.random.default_rng(1)
    for _ in range(20):
        pair.step(any_orders(pair, dice, 0.0))
    assert pair.episodes[TRUNCATED] >= 2


def test_a_reset_of_some_games_leaves_the_seeds_of_the_others() -> None:
    drill = Drill(FIRST, n=3, seed=10)
    drill.reset(90, [False, True, False])
    assert [drill.position(i).seed for i in range(3)] == [10, 91, 12]


def test_a_wrong_number_of_seeds_is_refused() -> None:
    with pytest.raises(botyard.YardError, match="2 seeds for 3 games"):
        Drill(FIRST, n=3).reset([1, 2])


def test_marks_for_another_number_of_games_are_refused() -> None:
    with pytest.raises(botyard.YardError, match="a mark for each game"):
        Drill(FIRST, n=3).reset(0, [True])


@pytest.mark.parametrize("learners", [0, 99])
def test_learners_that_do_not_fit_the_seats_are_refused(learners: int) -> None:
    with pytest.raises(botyard.YardError, match=f"{learners} learners for"):
        Drill(FIRST, learners=learners)


def test_more_opponents_than_seats_are_left_are_refused() -> None:
    seats, bot = Drill(FIRST).seats, next(iter(load(FIRST).bots.HOUSE_BOTS))
    with pytest.raises(botyard.YardError, match=f"{seats} learners and 1 opponent for {seats} seats"):
        Drill(FIRST, learners=seats, opponents=[bot])


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"opponents": 5}, "5 for the opponents: give names of house bots"),
        ({"opponents": [1]}, r"\[1\] for the opponents"),
        ({"senses": 5}, "5 for the senses: give a module"),
        ({"buffers": [1]}, r"\[1\] for the buffers: give a mapping"),
        ({"horizon": 1.5}, "1.5 is not a number of ticks"),
    ],
)
def test_arguments_of_a_wrong_kind_are_named_with_the_remedy(arguments: dict[str, Any], told: str) -> None:
    with pytest.raises(TypeError, match=told):
        Drill(FIRST, **arguments)


def test_a_misspelt_argument_is_guessed_among_arguments_and_settings() -> None:
    with pytest.raises(botyard.YardError, match="unknown setting 'opponent': did you mean 'opponents'"):
        Drill(FIRST, opponent="nobody")


def test_entrants_and_positions_of_a_wrong_kind_are_refused() -> None:
    drill, bot = Drill(FIRST), next(iter(load(FIRST).bots.HOUSE_BOTS))
    with pytest.raises(TypeError, match="'1' is not a number of an entrant"):
        drill.oppose("1", bot)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="5 is no position: give a game"):
        drill.put(0, 5)  # type: ignore[arg-type]


def test_one_opponent_may_be_named_without_a_list() -> None:
    bot = list(load(FIRST).bots.HOUSE_BOTS)[-1]
    one, listed = Drill(FIRST, n=2, opponents=bot), Drill(FIRST, n=2, opponents=[bot])
    for drill in (one, listed):
        drill.step(drill.mask.argmax(axis=2))
    assert np.array_equal(one.codes, listed.codes)


def test_a_position_is_taken_out_of_a_drill_and_put_back(game: str) -> None:
    drill = Drill(game, n=2, seed=4)
    position = drill.position(1)
    drill.put(0, position)
    assert drill.position(0).arrays[1].tobytes() == position.arrays[1].tobytes()
    assert np.array_equal(drill.codes[0], drill.codes[1])
