"""Ratings: laws of the running ones, recovery of known strengths by the final ones."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from botyard.rank.ratings import START_MU, START_SIGMA, Rating, rate
from botyard.rank.results import Result, parse, parse_all
from botyard.rank.strengths import Duels, derivatives, strengths
from tests.rank.test_results import results

BOTS = "ABCDEFG"


@given(results())
def test_from_equal_ratings_nobody_ends_below_a_lower_place(result: Result) -> None:
    ratings = rate(BOTS, [result])
    for better, other, decided in result.duels():
        if decided:
            assert ratings[better].mu > ratings[other].mu
        else:
            assert ratings[better].mu == pytest.approx(ratings[other].mu)


@given(st.lists(results(), max_size=8))
def test_ratings_depend_on_nothing_but_results_and_their_order(games: list[Result]) -> None:
    again = [parse(str(game)) for game in games]
    assert rate(BOTS, games) == rate(BOTS, again)


@given(results())
def test_the_order_inside_a_group_does_not_matter(result: Result) -> None:
    turned = Result(tuple(tuple(reversed(group)) for group in result.groups), void=result.void)
    assert rate(BOTS, [result]) == rate(BOTS, [turned])


@given(st.lists(results(), max_size=8), st.integers(0, 8))
def test_void_games_change_nothing(games: list[Result], at: int) -> None:
    assert rate(BOTS, games) == rate(BOTS, [*games[:at], Result.nothing("AB"), *games[at:]])


@given(st.lists(results(), max_size=12))
def test_certainty_only_grows_with_games_except_for_the_models_own_drift(games: list[Result]) -> None:
    for bot, rating in rate(BOTS, games).items():
        played = sum(not game.void and len(game.bots) > 1 and bot in game.bots for game in games)
        assert rating.games == played
        assert rating.sigma < START_SIGMA if played else rating == Rating(START_MU, START_SIGMA, 0)


def test_a_game_of_one_is_not_rated() -> None:
    assert rate("A", parse_all("A:300"))["A"] == Rating()


def test_a_sure_rating_lies_three_deviations_below() -> None:
    assert Rating(30.0, 2.0).sure == 24.0


# Maximum likelihood


def drawn_games(elo: dict[str, float], tie: float, games: int, seed: int) -> list[Result]:
    """Games by Davidson's model with known strengths."""
    dice = np.random.default_rng(seed)
    bots = list(elo)
    made = []
    for _ in range(games):
        one, other = dice.choice(bots, 2, replace=False)
        up = 10 ** ((elo[one] - elo[other]) / 800)
        weights = np.array([up, 1 / up, tie])
        kind = dice.choice(3, p=weights / weights.sum())
        made.append(Result.of([[[one], [other]], [[other], [one]], [[one, other]]][kind]))
    return made


@pytest.mark.parametrize("tie", [0.0, 0.7])
def test_known_strengths_are_found_again(tie: float) -> None:
    truth = {"A": 150.0, "B": 50.0, "C": 0.0, "D": -200.0}
    found = strengths(list(truth), drawn_games(truth, tie, 6000, 3))
    for bot, elo in truth.items():
        assert found[bot].elo == pytest.approx(elo, abs=25)
        assert found[bot].high - found[bot].low < 60


def test_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    truth = {"A": 80.0, "B": 0.0, "C": -80.0}
    held = total = 0
    for seed in range(100):
        found = strengths(list(truth), drawn_games(truth, 0.4, 400, seed))
        held += sum(found[bot].low <= elo <= found[bot].high for bot, elo in truth.items())
        total += len(truth)
    assert 0.90 <= held / total <= 0.99


def test_strengths_do_not_depend_on_the_order_of_the_games() -> None:
    games = drawn_games({"A": 50.0, "B": 0.0, "C": -50.0}, 0.3, 300, 1)
    one, other = strengths("ABC", games), strengths("ABC", games[::-1])
    for bot in "ABC":
        assert one[bot].elo == pytest.approx(other[bot].elo, abs=1e-6)


def test_a_spotless_record_gives_a_finite_strength_and_a_wide_interval() -> None:
    found = strengths("AB", parse_all("A>B " * 10))
    assert 200 < found["A"].elo < 1000
    assert found["A"].low < found["A"].elo < found["A"].high
    assert found["A"].elo == pytest.approx(-found["B"].elo)


def test_only_draws_are_a_finite_answer_too() -> None:
    found = strengths("AB", parse_all("A=B " * 50))
    assert found["A"].elo == pytest.approx(0, abs=1e-6)
    assert 100 < found["A"].high < 1000  # between equals who always draw, draws say little


def test_games_of_many_count_once_for_each_bot() -> None:
    one, pairs = strengths("ABC", parse_all("A>B>C A=B>C " * 10)), parse_all("A>B A>C B>C A=B A>C B>C " * 5)
    assert one["A"].elo > one["B"].elo > one["C"].elo
    for bot, strength in strengths("ABC", pairs).items():
        assert one[bot].elo == pytest.approx(strength.elo)
        assert one[bot].high == pytest.approx(strength.high)


def test_ten_wins_to_one_are_400_points() -> None:
    found = strengths("AB", parse_all("A>B " * 10_000 + "B>A " * 1000))
    assert found["A"].elo - found["B"].elo == pytest.approx(400, abs=0.5)


def test_the_interval_of_equals_follows_from_the_number_of_their_games() -> None:
    """Two bots, n games each way and the half-won one against an average rival: the curvature is known by hand."""
    found = strengths("AB", parse_all("A>B B>A " * 50))
    variance = 0.5 / (2 * 100 / 4 + 1 / 4)
    error = 400 / math.log(10) * NormalDist().inv_cdf(0.975) * math.sqrt(variance)
    assert found["A"].elo == pytest.approx(0, abs=1e-6)
    assert found["A"].high == pytest.approx(error, rel=1e-5)
    assert found["A"].low == pytest.approx(-error, rel=1e-5)


@pytest.mark.parametrize("bots", ["", "A", "AB"])
def test_without_games_everybody_is_average(bots: str) -> None:
    assert all(found.elo == 0 for found in strengths(bots, []).values())


def log_likelihood(point: Any, duels: Duels) -> float:
    """Of the model as its page states it, with the added games: a half-won one each, and a half-drawn one."""
    n = len(duels.at)
    theta, nu = point[:n], math.exp(point[n])
    total = 0.5 * math.log(nu / (2 + nu)) + 0.5 * math.log(2 / (2 + nu))
    for i in range(n):
        own = 1 / (1 + math.exp(-theta[i]))
        total += 0.5 * math.log(own) + 0.5 * math.log(1 - own)
        for j in range(i + 1, n):
            up, down = math.exp(theta[i]), math.exp(theta[j])
            even = nu * math.exp((theta[i] + theta[j]) / 2)
            weights = ((duels.wins[i, j], up), (duels.wins[j, i], down), (duels.ties[i, j], even))
            total += sum(count * math.log(weight / (up + down + even)) for count, weight in weights)
    return total


def test_slope_and_curvature_are_those_of_the_likelihood() -> None:
    duels = Duels.among("ABC")
    for result in parse_all("A>B A>B B>A A=B A>C C>A C=B B>C A>B>C A=C>B"):
        duels.add(result)
    point, nudge = np.array([0.7, -0.2, -0.9, 0.4]), 1e-5
    slope, curve = derivatives(point, duels, tied=True)
    for at in range(4):
        step = np.zeros(4)
        step[at] = nudge
        rise = log_likelihood(point + step, duels) - log_likelihood(point - step, duels)
        assert slope[at] == pytest.approx(rise / (2 * nudge), abs=1e-6)
        bend = derivatives(point + step, duels, tied=True)[0] - derivatives(point - step, duels, tied=True)[0]
        assert curve[at] == pytest.approx(-bend / (2 * nudge), abs=1e-6)
