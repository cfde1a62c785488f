"""The memory of a drill: arrays of the caller, copies, pickles, and words of refusal that name the remedy."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
import pytest

import botyard
from botyard.games import load
from botyard.kernel.rule import INTERPRETED
from botyard.sim.drill import Drill
from tests.games import own_senses
from tests.sim.plain_drill import SMALL

BOT = next(iter(load(SMALL).bots.HOUSE_BOTS))

Test = TypeVar("Test", bound=Callable[..., None])


def compiled_in_long_runs(test: Test) -> Test:
    """Marks a test for which the loop of a drill has to be compiled once more, which takes seconds."""
    return test if INTERPRETED else pytest.mark.long(test)


def small(**arguments: Any) -> Drill:
    return Drill(SMALL, n=3, seed=5, **arguments)


def stepped(drill: Drill) -> bytes:
    """All that a drill tells after a step."""
    drill.step(drill.mask.argmax(axis=2).astype(np.int32))
    return b"".join(array.tobytes() for array in drill._arrays)


def test_arrays_of_the_caller_are_written_to() -> None:
    codes, rewards = np.full((3, 1, 3, 3), 9, np.uint8), np.full((3, 1), 9, np.int32)
    drill = small(buffers={"codes": codes, "rewards": rewards})
    assert drill.codes is codes
    assert not rewards.any()
    twin = small()
    assert stepped(drill) == stepped(twin)
    assert np.array_equal(codes, twin.codes)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda drill: pickle.loads(pickle.dumps(drill))])
def test_a_copy_goes_on_as_the_drill_does_and_can_be_returned_to(copied: Any) -> None:
    drill = small()
    twin = copied(drill)
    kept = drill.clone()
    told = stepped(drill)
    assert stepped(twin) == told
    stepped(drill)
    drill.restore(kept)
    assert stepped(drill) == told


def test_a_copy_does_not_write_to_arrays_of_the_caller() -> None:
    codes = np.zeros((3, 1, 3, 3), np.uint8)
    drill = small(buffers={"codes": codes})
    twin, before = drill.clone(), codes.copy()
    stepped(twin)
    assert np.array_equal(codes, before)
    assert not np.array_equal(twin.codes, before)


@compiled_in_long_runs
def test_senses_of_ones_own_are_taken_by_name_or_as_a_module() -> None:
    for senses in (own_senses, "tests.games.own_senses"):
        drill = small(senses=senses)
        assert drill.codes.shape == (3, 1, 1, 2)
        assert drill.numbers[:, 0].tolist() == [[7]] * 3
        assert pickle.loads(pickle.dumps(drill)).codes.tobytes() == drill.codes.tobytes()
        drill.step(np.zeros(3, np.int32))
        assert drill.rewards.tolist() == [[20]] * 3  # its own tick, and that of the house bot


@compiled_in_long_runs
@pytest.mark.parametrize("most_ticks", [0, 1])
def test_a_learner_is_shown_each_of_its_turns_once_however_steps_are_cut(most_ticks: int) -> None:
    """Games that fill the board end with a forced order: a step of one tick stops before it."""
    drill = Drill(SMALL, n=64, seed=5, senses=own_senses, autoreset="off", most_ticks=most_ticks)
    while not drill.ended.all():
        drill.step(drill.mask.argmax(axis=2).astype(np.int32))
    states, memories = (drill.host(array) for array in (drill._arrays.states, drill._arrays.memories))
    marks = (states["cells"] == 1).sum(axis=(1, 2))
    assert 5 in marks
    assert memories["chance"]["counter"][:, 0].tolist() == marks.tolist()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"horizon": -1}, "a horizon of -1 ticks: 0 stands for no limit"),
        ({"most_ticks": -1}, "a step of -1 ticks: 0 stands for no limit"),
        ({"most_ticks": 1 << 31}, "a step of 2147483648 ticks"),
        ({"most_ticks": 0.5}, "0.5 is not a number of ticks"),
        ({"stream": 3}, "a stream on the CPU"),
        ({"opponents": ["nobody"]}, "nobody"),
        ({"autoreset": "never"}, "autoreset mode"),
        ({"buffers": {"code": np.zeros(3)}}, "array of a drill"),
        ({"buffers": {"codes": [1, 2]}}, "on another device"),
        ({"buffers": {"codes": np.zeros((3, 3, 3), np.uint8)}}, "does not fit: give uint8 in the shape"),
        ({"buffers": {"codes": np.zeros((3, 1, 3, 3), np.int32)}}, "does not fit: give uint8 in the shape"),
        ({"buffers": {"codes": np.zeros((3, 1, 3, 6), np.uint8)[..., ::2]}}, "in one piece"),
    ],
)
def test_what_makes_no_drill_is_refused(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(botyard.YardError, match=words):
        small(**arguments)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((2, BOT), "there is no entrant 2: entrants go from 0 to 1"),
        ((-1, BOT), "there is no entrant -1"),
        ((1, None), "entrant 1 cannot be a learner of yours: make the drill with learners=2"),
        ((1, BOT, [7]), "there is no game 7"),
    ],
)
def test_who_cannot_be_an_opponent_is_refused(arguments: Any, words: str) -> None:
    with pytest.raises(botyard.YardError, match=words):
        small().oppose(*arguments)


def test_a_position_under_other_settings_is_refused() -> None:
    other = botyard.new(SMALL, misere=True)
    with pytest.raises(botyard.YardError, match=f"does not fit: this drill plays {SMALL} under its own settings"):
        small().put(0, other)


@pytest.mark.parametrize("i", [-1, 3])
def test_a_game_that_is_not_there_has_no_position(i: int) -> None:
    drill = small()
    with pytest.raises(botyard.YardError, match=f"there is no game {i}"):
        drill.put(i, drill.position(0))
    with pytest.raises(botyard.YardError, match=f"there is no game {i}"):
        drill.position(i)


@pytest.mark.parametrize("orders", [np.zeros(3), np.zeros((2, 1), np.int32), [[0.5]] * 3])
def test_orders_of_another_shape_or_type_are_refused(orders: Any) -> None:
    with pytest.raises(TypeError, match="the orders have the"):
        small().step(orders)
