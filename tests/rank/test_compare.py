"""The sequential test: its stated error rates, simulated with known strengths, and how it counts."""

from __future__ import annotations

import math

import numpy as np
import pytest

from botyard.rank.formats.compare import Compare, CompareCourse, Finding, Sequential
from botyard.rank.results import Result, parse
from tests.rank.drawn import hold

TRIALS = 1000


def findings(share: float, seed: int, options: Compare) -> dict[Finding, float]:
    """How often each finding comes of pairs the first bot wins with this chance."""
    dice = np.random.default_rng(seed)
    counts: dict[Finding, int] = dict.fromkeys(("better", "worse", "equal", "open"), 0)
    for _ in range(TRIALS):
        test = Sequential(options)
        for won in dice.random(options.most_pairs) < share:
            test.add(1 if won else -1)
            if test.finding != "open":
                break
        counts[test.finding] += 1
    return {finding: count / TRIALS for finding, count in counts.items()}


OPTIONS = [Compare(), Compare(better_percent=70, false_percent=10, miss_percent=20)]
NOISE = 0.02  # three deviations of a rate of 5 % in a thousand trials


@pytest.mark.parametrize("options", OPTIONS)
def test_of_equals_neither_is_called_better_more_often_than_stated(options: Compare) -> None:
    found = findings(0.5, 1, options)
    assert found["better"] + found["worse"] <= options.false_percent / 100 + NOISE
    assert found["equal"] > 0.8


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("side", ["better", "worse"])
def test_a_better_bot_is_missed_no_more_often_than_stated(options: Compare, side: Finding) -> None:
    share = options.better_percent / 100
    found = findings(share if side == "better" else 1 - share, 2, options)
    assert found[side] >= 1 - options.miss_percent / 100 - NOISE
    assert found["open"] == 0


def test_a_worse_bot_is_hardly_ever_called_better() -> None:
    assert findings(0.45, 3, Compare())["better"] < 0.01


def test_whole_games_with_a_seat_worth_a_lot_keep_the_rates() -> None:
    """The first seat wins 80 % between equals: pairs with swapped seats take that out."""
    dice = np.random.default_rng(4)
    called = 0
    for _ in range(200):
        course = Compare(most_pairs=400).open("AB")
        while wave := course.wave():
            for pairing in wave:
                first, second = pairing.bots
                order = [first, second] if dice.random() < 0.8 else [second, first]
                course.add(pairing, Result.of([[bot] for bot in order]))
        assert isinstance(course, CompareCourse)
        called += course.test.finding in ("better", "worse")
    assert called / 200 <= 0.05 + 0.04


def test_pairs_are_two_games_on_one_seed_with_swapped_seats() -> None:
    _, asked = hold("compare", "A B", "", wave_pairs=2)
    assert [p.bots for p in asked] == [("A", "B"), ("B", "A")] * 2
    assert [p.chance for p in asked] == ["pair 1", "pair 1", "pair 2", "pair 2"]


def test_the_test_stops_by_itself_and_says_what_it_found() -> None:
    course, asked = hold("compare", "A B", "A>B A>B " * 32)
    assert not asked
    assert str(course.standings()) == "1 A  2 B"
    assert course.standings().verdict.startswith("A is better than B")


def test_pairs_beyond_the_decision_are_not_counted() -> None:
    course, _ = hold("compare", "A B", "A>B A>B " * 30 + "B>A B>A " * 2)
    assert isinstance(course, CompareCourse)
    assert course.taken == [21, 0]  # 1.2 to the 21st is the first above 40
    assert course.test.finding == "better"


def test_even_pairs_and_void_ones_say_nothing() -> None:
    course, asked = hold("compare", "A B", "A>B B>A A=B A=B A>B A?B", wave_pairs=3, most_pairs=3)
    assert not asked
    assert isinstance(course, CompareCourse)
    assert (course.pairs, course.uneven, course.void) == (2, 0, 1)
    assert course.standings().verdict == "undecided (0 to 0 of 2 pairs, 2 even)"
    assert str(course.standings()) == "1 A B"


def test_a_win_and_a_draw_take_a_pair() -> None:
    course, _ = hold("compare", "A B", "A=B B>A", wave_pairs=1, most_pairs=1)
    assert isinstance(course, CompareCourse)
    assert course.taken == [0, 1]
    assert parse("B>A").winner == "B"


def test_the_limits_are_those_of_the_stated_rates() -> None:
    test = Sequential(Compare(better_percent=60, false_percent=5, miss_percent=10))
    assert test.upper == pytest.approx(math.log(40))
    assert test.lower == pytest.approx(math.log(0.1))
    test.add(1)
    assert test.ratios == {"better": pytest.approx(math.log(1.2)), "worse": pytest.approx(math.log(0.8))}
    test.add(0)
    assert test.ratios == {"better": pytest.approx(math.log(1.2)), "worse": pytest.approx(math.log(0.8))}


def test_after_the_decision_nothing_changes() -> None:
    test = Sequential(Compare())
    for _ in range(21):
        test.add(1)
    decided = dict(test.ratios)
    assert test.finding == "better"
    for _ in range(200):
        test.add(-1)
    assert (test.finding, test.ratios) == ("better", decided)


def test_a_win_and_a_draw_count_for_the_test_as_two_wins_do() -> None:
    course, asked = hold("compare", "A B", "A>B B=A " * 32)
    assert not asked
    assert isinstance(course, CompareCourse)
    assert course.taken == [21, 0]
    assert course.test.finding == "better"


def test_no_difference_is_a_finding() -> None:
    course, asked = hold("compare", "A B", ("A>B A>B " + "B>A B>A ") * 112, wave_pairs=224)
    assert not asked
    assert course.standings().verdict.startswith("no difference that matters")
