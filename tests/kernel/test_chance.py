"""Chance: pure, even, and fed from a tape draw by draw."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from botyard.kernel import chance
from botyard.kernel.chance import CHANCE, COUNTER, GLIBC, HIGHEST, LOWEST, TAPE, TAPE_LAYOUT
from botyard.kernel.errors import BadRecord
from botyard.kernel.records import layout
from botyard.kernel.rule import opened, rule
from botyard.kernel.settings import seed_word

# A field of its own: Numba would take every record that begins with a chance for a kind of this one.
HOLDER = layout([("held", "u4"), ("chance", CHANCE)])
ARENA = layout([("tape", TAPE_LAYOUT)])

SEEDS = st.integers(0, 2**64 - 1)


@rule
def draws_of(arenas: Any, holders: Any, kind: int, seed: int, bounds: Any, out: Any) -> None:
    chance_start(holders[0].chance, kind, seed)
    for at in range(len(bounds)):
        out[at] = chance_draw(arenas[0], holders[0], bounds[at])


@rule
def more_draws(arenas: Any, holders: Any, bounds: Any, out: Any) -> None:
    for at in range(len(bounds)):
        out[at] = chance_draw(arenas[0], holders[0], bounds[at])


chance_start, chance_draw = chance.start_chance, chance.draw


class Dice:
    """A chance on its own."""

    def __init__(self, kind: int = COUNTER, seed: int = 0) -> None:
        self.arenas, self.holders = np.zeros(1, ARENA), np.zeros(1, HOLDER)
        self.draw([], kind, seed)

    def draw(self, bounds: Sequence[int], kind: int | None = None, seed: int = 0) -> list[int]:
        asked, out = np.array(bounds, np.int64), np.zeros(len(bounds), np.int64)
        arrays = opened(self.arenas), opened(self.holders)
        if kind is None:
            more_draws(*arrays, opened(asked), opened(out))
        else:
            draws_of(*arrays, kind, seed_word(seed), opened(asked), opened(out))
        return [int(value) for value in out]

    def feed(self, draws: Sequence[tuple[int, int]]) -> None:
        chance.load_tape(self.arenas[0], self.holders[0], draws)

    @property
    def fits(self) -> bool:
        return chance.tape_used_up(self.arenas[0], self.holders[0])

    @property
    def fault(self) -> int:
        return int(self.holders[0]["chance"]["fault"])


def test_rand_r_gives_the_values_of_the_original_library() -> None:
    raw = Dice().draw([2**31] * 5, GLIBC, 1000)
    assert raw == [1781276205, 2086580950, 1872704549, 2059303329, 1842153064]


def test_the_counter_gives_the_values_it_has_always_given() -> None:
    """Replays and golden playthroughs live by them."""
    raw = Dice().draw([2**31] * 4, COUNTER, 0x0123456789ABCDEF)
    assert raw == [205259004, 2058086652, 2015926028, 2104555085]


def test_a_chance_that_was_used_starts_anew() -> None:
    dice = Dice(TAPE)
    dice.draw([6, 6])
    assert dice.fault
    assert dice.draw([1000] * 3, COUNTER, 5) == Dice().draw([1000] * 3, COUNTER, 5)
    assert not dice.fault


@given(seed=SEEDS, bounds=st.lists(st.integers(1, 2**31), max_size=8))
def test_a_draw_lies_below_its_bound(seed: int, bounds: list[int]) -> None:
    for kind in (COUNTER, GLIBC, LOWEST, HIGHEST):
        assert all(0 <= value < bound for value, bound in zip(Dice().draw(bounds, kind, seed), bounds, strict=True))


@given(seed=SEEDS)
def test_the_nth_draw_depends_on_seed_and_n_alone(seed: int) -> None:
    all_at_once = Dice().draw([1000] * 6, COUNTER, seed)
    dice = Dice(COUNTER, seed)
    dice.draw([3] * 0, COUNTER, seed)
    dice.draw([7, 11])  # other bounds before it change nothing
    assert dice.draw([1000] * 4) == all_at_once[2:]


def test_both_halves_of_the_seed_matter() -> None:
    first = Dice().draw([1 << 31] * 4, COUNTER, 5)
    assert Dice().draw([1 << 31] * 4, COUNTER, 5 + (1 << 32)) != first
    assert Dice().draw([1 << 31] * 4, COUNTER, 6) != first


@pytest.mark.parametrize("kind", [COUNTER, GLIBC])
def test_draws_are_even(kind: int) -> None:
    """Chi-square over ten faces: 27.9 is exceeded once in a thousand for nine degrees of freedom."""
    counts = np.bincount(Dice().draw([10] * 20_000, kind, 12345), minlength=10)
    assert ((counts - 2000) ** 2 / 2000).sum() < 27.9


def test_neighbouring_seeds_are_strangers() -> None:
    """Batches count their seeds up: the first draws of seeds 0, 1, 2 … must be as even as those of one seed."""
    firsts = [Dice().draw([10], COUNTER, seed)[0] for seed in range(2000)]
    counts = np.bincount(firsts, minlength=10)
    assert ((counts - 200) ** 2 / 200).sum() < 27.9


def test_lowest_and_highest_are_what_they_say() -> None:
    assert Dice().draw([1, 6, 100], LOWEST) == [0, 0, 0]
    assert Dice().draw([1, 6, 100], HIGHEST) == [0, 5, 99]


def test_a_tape_gives_back_what_was_recorded() -> None:
    dice = Dice(TAPE)
    dice.feed([(6, 3), (2, 1)])
    assert not dice.fits
    assert dice.draw([6, 2]) == [3, 1]
    assert dice.fits


def test_a_tape_notices_another_bound() -> None:
    dice = Dice()
    dice.feed([(6, 3)])
    assert dice.draw([7]) == [0]
    assert dice.fault == chance.WRONG_BOUND
    assert not dice.fits


def test_a_tape_notices_a_draw_too_many() -> None:
    dice = Dice()
    dice.feed([(6, 3)])
    assert dice.draw([6, 6]) == [3, 0]
    assert dice.fault == chance.TAPE_OVER


def test_a_tape_has_an_end() -> None:
    with pytest.raises(BadRecord, match="1025 draws"):
        Dice().feed([(2, 0)] * 1025)
    Dice().feed([(2, 0)] * 1024)


@pytest.mark.parametrize("draw", [(6, 6), (6, -1), ("6", 3), (6, "3"), (6, True), (2**32, 1)])
def test_a_draw_that_nobody_can_have_made_is_refused(draw: Any) -> None:
    with pytest.raises(BadRecord, match="at least 0 and below its bound"):
        Dice().feed([draw])
