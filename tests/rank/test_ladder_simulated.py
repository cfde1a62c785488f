"""The ladder's policy finds the true order sooner than random pairing; `bench/ladder.py` measures by how much."""

from __future__ import annotations

import numpy as np
import pytest

from tests.rank.simulated_ladder import (
    Chooser,
    SimulatedLadder,
    at_random,
    by_policy,
    heavy_strengths,
    joined_noise,
    kendall_tau,
    normal_strengths,
)


def played(chooser: Chooser, seed: int, bots: int = 30, pairs: int = 450) -> SimulatedLadder:
    ladder = SimulatedLadder(normal_strengths(bots, np.random.default_rng(seed)), seed, chooser)
    while ladder.closed < pairs:
        ladder.step()
    return ladder


def test_the_policy_finds_a_truer_order_than_random_pairing_and_lets_all_play() -> None:
    by_chooser = {chooser: [played(chooser, seed) for seed in range(4)] for chooser in (at_random, by_policy)}
    taus = {chooser: sum(ladder.tau() for ladder in ladders) / 4 for chooser, ladders in by_chooser.items()}
    assert taus[by_policy] > taus[at_random]
    assert taus[by_policy] > 0.8
    assert max(ladder.uneven() for ladder in by_chooser[by_policy]) < 1.5


def test_a_simulated_ladder_is_the_same_whenever_it_is_run() -> None:
    one, other = played(by_policy, 5, 12, 60), played(by_policy, 5, 12, 60)
    assert one.field.entries == other.field.entries
    assert one.stream == other.stream


def test_a_newcomer_settles_soon_and_a_new_version_again() -> None:
    ladder = played(by_policy, 6, 20, 200)
    (newcomer,) = ladder.enter([3.0])
    for versions_before in range(2):
        if versions_before:
            ladder.renew(newcomer, 1.0)
        assert ladder.entry(newcomer).state == "settling"
        before = ladder.closed
        while ladder.entry(newcomer).state == "settling":
            ladder.step()
        assert ladder.closed - before <= 40  # in its turn it would be asked in every tenth pair


# The field itself


def test_a_tau_counts_pairs_in_order() -> None:
    assert kendall_tau([1, 2, 3, 4], [10, 20, 30, 40]) == 1
    assert kendall_tau([1, 2, 3, 4], [4, 3, 2, 1]) == -1
    assert kendall_tau([1, 2, 3], [1, 3, 2]) == pytest.approx(1 / 3)


def test_noises_are_logistic_and_joined() -> None:
    dice = np.random.default_rng(1)
    noises = np.array([joined_noise(dice) for _ in range(20_000)])
    for column in noises.T:
        assert np.std(column) == pytest.approx(np.pi / np.sqrt(3), rel=0.03)
        assert np.quantile(column, [0.25, 0.5, 0.75]) == pytest.approx([-1.0986, 0, 1.0986], abs=0.05)
    assert np.corrcoef(noises.T)[0, 1] == pytest.approx(0.5, abs=0.03)


def test_heavy_tails_have_the_quartiles_of_the_normal_field() -> None:
    heavy = heavy_strengths(40_000, np.random.default_rng(2))
    normal = normal_strengths(40_000, np.random.default_rng(2))
    quarters = [0.25, 0.5, 0.75]
    assert np.quantile(heavy, quarters) == pytest.approx(np.quantile(normal, quarters), abs=0.05)
    assert np.abs(heavy).max() > 2 * np.abs(normal).max()
