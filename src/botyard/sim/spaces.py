"""The spaces of a drill as Gymnasium describes them: what a learner senses, and the orders it may give.

PettingZoo and Stable-Baselines3 describe theirs with the same classes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from botyard.kernel.senses import CODE, NUMBER
from botyard.sim.drill import Drill
from botyard.sim.extras import extra

with extra("gymnasium", __name__):
    from gymnasium import spaces

Observation = dict[str, NDArray[Any]]
"""What a learner is given: `codes`, `numbers` and `action_mask`."""

MASK = np.int8  # the type of masks that `Discrete.sample` takes


def orders_space(drill: Drill) -> spaces.Discrete:
    return spaces.Discrete(len(drill.book.facts.orders))


def mask_space(drill: Drill) -> spaces.Box:
    return spaces.Box(0, 1, (len(drill.book.facts.orders),), MASK)


def sensed_spaces(drill: Drill) -> dict[str, spaces.Space[Any]]:
    """Describes the cells and the numbers that one learner senses."""
    cells = drill.codes.shape[2:]
    lows, highs = (np.zeros(drill.numbers.shape[2:], NUMBER) for _ in range(2))
    for at, number in enumerate(drill.senses.NUMBERS):
        lows[at], highs[at] = number.low, number.high
    return {
        "codes": spaces.Box(0, len(drill.senses.CODES) - 1, cells, CODE),
        "numbers": spaces.Box(lows, highs, dtype=NUMBER),
    }


def observation_space(drill: Drill) -> spaces.Dict:
    """Describes all that one learner is given: the cells, the numbers, and the mask of its orders."""
    return spaces.Dict({**sensed_spaces(drill), "action_mask": mask_space(drill)})
