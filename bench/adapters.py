"""What the adapters cost: microseconds of a learner step through each of them, beside the drill that they stand on.

    python bench/adapters.py GAME [--opponent BOT] [--games 4096] [--steps 100] [--rounds 5]

The ways take turns and the best round counts, so that a busy neighbour slows all of them alike; processor time of all
threads is measured. Those whose packages are not installed are left out.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from botyard.kernel.errors import YardError
from botyard.sim.drill import Drill

POOL = 64  # different orders for all games


def ways(game: str, n: int, arguments: dict[str, Any]) -> dict[str, Callable[[Any], Any]]:
    """Returns a step of each way: the drill itself first."""
    made: dict[str, Callable[[Any], Any]] = {"drill": Drill(game, n=n, **arguments).step}
    try:
        from botyard.sim.gymnasium import MODES, BotyardVectorEnv

        for mode in [mode for mode, name in MODES.items() if name != "off"]:
            made[f"gymnasium {mode.value}"] = BotyardVectorEnv(game, n, autoreset_mode=mode, **arguments).step
        made["gymnasium without copies"] = BotyardVectorEnv(game, n, copy=False, **arguments).step
        from botyard.sim.sb3 import BotyardVecEnv
        from botyard.sim.torch import TensorDrill

        env = BotyardVecEnv(game, n, **arguments)
        env.reset()
        made["stable-baselines3"] = env.step
        made["torch"] = tensor_step(TensorDrill(game, n=n, **arguments))
    except YardError as error:
        print(f"{error}")
    return made


def tensor_step(drill: Any) -> Callable[[Any], Any]:
    import torch

    return lambda orders: drill.step(torch.from_numpy(orders))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--opponent")
    parser.add_argument("--games", type=int, default=4096)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    wanted = parser.parse_args()
    steps = ways(wanted.game, wanted.games, {"opponents": [wanted.opponent]} if wanted.opponent else {})
    orders = np.random.default_rng(0).integers(0, Drill(wanted.game).mask.shape[2], (POOL, wanted.games))
    best = dict.fromkeys(steps, np.inf)
    for _ in range(wanted.rounds):
        for name, step in steps.items():
            began = time.process_time()
            for k in range(wanted.steps):
                step(orders[k % POOL])
            taken = (time.process_time() - began) / wanted.steps / wanted.games * 1e6
            best[name] = min(best[name], taken)
    for name, taken in best.items():
        print(f"{name:26} {taken:7.3f} µs  {taken / best['drill'] - 1:+6.1%}")


if __name__ == "__main__":
    main()
