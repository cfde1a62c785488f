"""What the environments of Gymnasium and PettingZoo share: how they make the drill underneath, and draw its seeds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from botyard.kernel.errors import WrongType, quoted
from botyard.kernel.rulebook import Rulebook
from botyard.kernel.settings import SEED_BITS
from botyard.sim.drill import Drill


def drill_with(game: str | Rulebook, given: Mapping[str, Any], **decided: Any) -> Drill:
    """Makes a drill from what a user gave, apart from what an environment decides itself."""
    for name in decided.keys() & given.keys():
        hint = f"it always has {name}={quoted(decided[name])}; `botyard.sim.drill.Drill` takes others"
        raise WrongType(f"{name}={quoted(given[name])} for an environment", hint=hint)
    return Drill(game, **decided, **given)


def drawn_seed(dice: np.random.Generator) -> int:
    return int(dice.integers(1 << (SEED_BITS - 1), dtype=np.uint64))
