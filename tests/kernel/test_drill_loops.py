"""The loop of a drill in every mode, on a game that is small enough to be interpreted; `tests/sim` has the others."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from botyard.games import OWN_GAMES, load
from botyard.kernel.loop_modes import AUTORESET
from botyard.kernel.records import layout
from botyard.kernel.rule import INTERPRETED
from botyard.kernel.rulebook import Rulebook, exercise_drill, load_template
from botyard.kernel.senses import shown_board
from botyard.sim.drill import Drill
from tests.kernel.test_rulebook import Heard
from tests.sim.pair import Pair, any_orders
from tests.sim.plain_drill import SMALL, TERMINATED, TRUNCATED, Terms

FIRST = next(iter(OWN_GAMES))


@pytest.mark.parametrize("autoreset", AUTORESET)
@pytest.mark.parametrize("horizon", [0, 3])
@pytest.mark.parametrize("learners", [1, 2])
@pytest.mark.parametrize("most_ticks", [0, 1])
def test_games_end_and_begin_as_plain_ones_do(autoreset: str, horizon: int, learners: int, most_ticks: int) -> None:
    terms = Terms(game=SMALL, n=2, autoreset=autoreset, horizon=horizon, learners=learners, seed=3)
    pair = Pair(replace(terms, most_ticks=most_ticks))
    dice = np.random.default_rng(1)
    for _ in range(24 if most_ticks else 12):
        pair.step(any_orders(pair, dice, 0.02))
        if dice.random() < 0.1:
            pair.reset([True, False], 70)
    assert pair.episodes[TRUNCATED if horizon else TERMINATED] >= 1


@pytest.mark.parametrize("skip_forced", [True, False])
def test_the_last_cell_is_a_choice_only_if_forced_orders_are_not_skipped(skip_forced: bool) -> None:
    pair = Pair(Terms(game=SMALL, n=4, autoreset="off", skip_forced=skip_forced, learners=2))
    dice = np.random.default_rng(2)
    choices = set()
    for _ in range(9):
        choices |= {int(marks.sum()) for marks in pair.drill.mask[pair.drill.turn != 0]}
        pair.step(any_orders(pair, dice, 0.0))
    assert (1 in choices) is not skip_forced


def test_a_step_of_one_tick_tells_of_each_in_which_nobody_is_asked() -> None:
    drill = Drill(SMALL, n=1, most_ticks=1)
    asked = []
    for _ in range(4):
        asked.append(bool(drill.turn.any()))
        assert asked[-1] == bool(drill.mask.any())
        drill.step(drill.mask.argmax(axis=2))
    assert asked == [True, False, True, False]  # the house bot moves every second time


def test_a_house_bot_may_have_the_place_of_a_learner() -> None:
    bot = next(iter(load(SMALL).bots.HOUSE_BOTS))
    pair = Pair(Terms(game=SMALL, n=2, learners=2, handed={1: bot}))
    dice = np.random.default_rng(3)
    for _ in range(6):
        pair.step(any_orders(pair, dice, 0.0))
    assert not pair.drill.turn[:, 1].any()


def test_a_game_put_into_a_position_goes_on_from_there_and_without_a_seed_the_next_one_follows() -> None:
    drill = Drill(SMALL, n=2, learners=2, seed=4)
    drill.step(np.array([[4, 4], [0, 0]], np.int32))
    position = drill.position(0)
    drill.put(1, position)
    assert drill.position(1).arrays[1].tobytes() == position.arrays[1].tobytes()
    assert np.array_equal(drill.codes[0], drill.codes[1])
    drill.reset(chosen=[1])
    assert [drill.position(i).seed for i in range(2)] == [4, 7]


def test_what_a_game_remembers_and_is_worth_comes_from_its_senses() -> None:
    book = load(FIRST)
    drill = Drill(book, book.settings.read(book.samples.golden), n=1, horizon=2, seed=1)
    ended: list[Any] = []
    for _ in range(3):
        drill.step(drill.mask.argmax(axis=2).astype(np.int32))
        ended += drill.ended.tolist()
    assert TRUNCATED in ended
    assert drill.codes.max() < len(book.senses.CODES)


@pytest.mark.skipif(not INTERPRETED, reason="senses of one's own are compiled in long runs")
def test_a_view_without_a_board_and_numbers_is_sensed_as_an_empty_cell_and_a_zero() -> None:
    assert shown_board(layout([("speed", "i4"), ("track", "u1", (8,))])) == ""
    blind = load_template("plain_senses.py", "blind_senses", SHAPE=(1, 1), BOARD="", FIELDS=(), NUMBERS=())
    drill = Drill(SMALL, n=2, senses=blind)
    drill.step([4, 5])
    assert drill.codes.tolist() == [[[[0]]]] * 2
    assert drill.numbers.tolist() == [[[0]]] * 2


def test_the_loop_is_compiled_for_the_types_with_which_drills_call_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another type would have it compiled again when a drill is already being played."""
    book = load(SMALL)
    exercised, called = Heard(book.drill_loops(book.senses)), Heard(book.drill_loops(book.senses))
    monkeypatch.setattr(Rulebook, "drill_loops", lambda book, senses: exercised)
    exercise_drill(book, book.settings.read({}), book.senses)
    monkeypatch.setattr(Rulebook, "drill_loops", lambda book, senses: called)
    drill = Drill(SMALL, n=2, horizon=3, skip_forced=False)
    drill.step(drill.mask.argmax(axis=2))
    assert exercised.calls == called.calls
