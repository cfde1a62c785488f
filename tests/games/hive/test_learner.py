"""What the learner of Hive Arena senses beyond the window, and its network in whole numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from botyard.games.hive.bots.learner import net, senses
from botyard.games.hive.bots.learner.net import liking, think
from botyard.games.hive.layout import ORDERS, SIDE, THOUGHTS
from botyard.kernel.rule import INTERPRETED, opened
from tests.games.hive.table import hive
from tests.games.sensed import Learner, worth_of

pytestmark = pytest.mark.skipif(not INTERPRETED, reason="the parts of a bot are compiled into the whole of it")


def numbers_of(drawing: str) -> dict[str, int]:
    return Learner(hive(drawing), 0, senses).look().numbers


def test_a_bee_without_a_flower_is_told_the_first_step_to_the_nearest_one() -> None:
    numbers = numbers_of("@ A . . *\n. a . . &\n. . . . .")
    assert (numbers["errand"], numbers["way"], numbers["away"]) == (1, 2, 3)


def test_a_bee_that_knows_of_no_flower_is_sent_to_a_place_that_no_bee_has_seen() -> None:
    numbers = numbers_of("@ A . . . . . . . . .\n. . . . . . . . . . *\n. a . . . . . . . . &")
    assert (numbers["errand"], numbers["flowers"]) == (2, 0)


def test_a_bee_with_a_flower_is_told_its_way_home_and_when_it_is_there() -> None:
    numbers = numbers_of("@ . . A*.\n. . # . &\n. a . . .")
    assert (numbers["errand"], numbers["way"], numbers["beside"], numbers["home"]) == (3, 6, 8, 3)
    assert numbers_of("@ A*. . .\n. a . . &\n. . . . .")["beside"] == 6


def test_a_carrier_in_sight_comes_before_flowers_and_is_a_victim_when_it_is_beside_the_bee() -> None:
    numbers = numbers_of("@ A . a*.\n. . . . &\n. . . * .")
    assert (numbers["errand"], numbers["way"], numbers["victim"]) == (4, 2, 8)
    assert numbers_of("@ A a*. .\n. . . . &\n. . . * .")["victim"] == 2


def test_a_wall_on_the_way_is_told() -> None:
    assert numbers_of("A # * .\n# # # .\n@ a . &")["way_is_wall"] == 1


def test_a_bee_that_is_shut_in_by_others_has_no_way() -> None:
    numbers = numbers_of("A b . *\nc a . .\n@ B C &")
    assert numbers["way"] == 8


def test_flowers_on_their_way_home_count_for_both_sides_until_the_game_is_over() -> None:
    own, rival = hive("@ . A*. .\n. . a . &\n. . . . ."), hive("@ . A . .\n. . a*. &\n. . . . .")
    assert worth_of(own, 0, senses) > 0 > worth_of(rival, 0, senses)
    assert worth_of(own, 1, senses) < 0 < worth_of(rival, 1, senses)
    over = hive("turn 2, score 1-2, last point 1, over, winner 1\n@ . A*. .\n. . a . &\n. . . . .")
    assert worth_of(over, 1, senses) == 2 * 20 - 16


def test_the_network_adds_up_as_tables_do() -> None:
    random = np.random.default_rng(3)
    for _ in range(20):
        thoughts = np.zeros(1, THOUGHTS)
        thoughts["codes"] = random.integers(0, len(senses.CODES), SIDE * SIDE)
        thoughts["numbers"] = [random.integers(0, number.high + 1) for number in senses.NUMBERS]
        think(opened(thoughts)[0])
        liked = [int(liking(opened(thoughts)[0], order)) for order in range(ORDERS)]
        assert liked == likings(thoughts["codes"][0], thoughts["numbers"][0])


def likings(codes: Any, numbers: Any) -> list[int]:
    """How much the network likes each order, by matrices."""
    whole = {name: array.astype(np.int64) for name, array in net.WEIGHTS.items()}
    light = np.zeros(net.INPUTS, np.int64)
    light[np.arange(SIDE * SIDE) * len(senses.CODES) + codes] = 1
    light[np.array(net.STARTS) + numbers] = 1
    for name in ("first", "second"):
        total = light @ whole[name] + whole[f"{name}_bias"]
        light = np.clip((total * whole[f"{name}_scale"]) >> net.SHIFT, 0, net.BRIGHTEST)
    return [int(one) for one in (light @ whole["third"] + whole["third_bias"]) * whole["third_scale"]]


def test_a_file_of_another_size_is_refused_with_both_sizes() -> None:
    with pytest.raises(AssertionError, match=r"must have 53392 bytes, not 3"):
        net.read_weights(b"abc")
