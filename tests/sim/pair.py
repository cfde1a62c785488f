"""A drill beside the same games in plain Python: the two are compared after every step."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from tests.sim.plain_drill import TERMINATED, PlainPlace, Terms


class Pair:
    """A drill and its places in plain Python, which must always say the same."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.drill = terms.make_drill()
        self.places = [PlainPlace(terms, terms.seed + i) for i in range(terms.n)]
        self.episodes: Counter[int] = Counter()
        self.compare()

    def step(self, orders: Any) -> None:
        before = [place.ended for place in self.places]
        self.drill.step(orders)
        for i, place in enumerate(self.places):
            place.step(orders[i])
            if place.ended and (not before[i] or self.terms.autoreset == "same_step"):
                self.episodes[place.ended] += 1
        self.compare()

    def reset(self, chosen: list[bool], seed: int) -> None:
        self.drill.reset(seed, np.array(chosen))
        for i, place in enumerate(self.places):
            if chosen[i]:
                place.again(seed + i)
        self.compare()

    def compare(self) -> None:
        for i, place in enumerate(self.places):
            drill = self.drill
            assert drill.ended[i] == place.ended
            assert drill.turn[i].tolist() == place.turn
            assert drill.mask[i].tolist() == place.masks
            assert drill.rewards[i].tolist() == place.rewards
            for lane in set(range(self.terms.learners)) - set(self.terms.handed):
                assert np.array_equal(drill.codes[i, lane], place.codes[lane])
                assert np.array_equal(drill.numbers[i, lane], place.numbers[lane])
                if place.ended:
                    codes, numbers = place.finals[lane]
                    assert np.array_equal(drill.final_codes[i, lane], codes)
                    assert np.array_equal(drill.final_numbers[i, lane], numbers)
            terminated = place.ended == TERMINATED
            assert drill.places[i].tolist() == (place.ranks if terminated else [0] * self.terms.learners)
            assert drill.position(i).arrays[1].tobytes() == place.game.arrays[1].tobytes()


def any_orders(pair: Pair, dice: np.random.Generator, wild: float) -> Any:
    """Returns orders that the masks allow and, with some chance, any number at all; also for learners not asked."""
    drill = pair.drill
    weights = dice.random(drill.mask.shape) * (drill.mask + 1e-9)
    chosen = weights.argmax(axis=2).astype(np.int32)
    odd = dice.choice(np.array([-(1 << 31), -2, -1, *range(drill.mask.shape[2] + 2), (1 << 31) - 1]), chosen.shape)
    return np.where(dice.random(chosen.shape) < wild, odd, chosen).astype(np.int32)
