"""Drills on a GPU are equal to those on the CPU byte by byte. `PYTHONPATH=src python bench/drill_parity.py [GAME …]`

Two learners play in every game; in most games a house bot, each of them in its share, takes the place of the second.
Orders are drawn among those that make sense; some do not exist. A step has four ticks at most, unless --most-ticks says
otherwise. Prints one JSON object per game.
"""

from __future__ import annotations

import argparse
import json
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from botyard.games import GAMES, load
from botyard.kernel.drill_arrays import CALLERS
from botyard.kernel.loop_modes import AUTORESET
from botyard.sim.drill import Drill

PER_BOT = 32
HORIZON = 700  # ticks
ILLEGAL = 0.0005  # share of orders that do not exist


def opened(name: str, mode: Any, most_ticks: int, device: str) -> Drill:
    bots = list(load(name).bots.HOUSE_BOTS)
    count = PER_BOT * (len(bots) + 1)
    drill = Drill(
        name, n=count, learners=2, horizon=HORIZON, most_ticks=most_ticks, autoreset=mode, device=device, seed=11
    )
    for at, bot in enumerate(bots, 1):
        drill.oppose(1, bot, np.arange(at * PER_BOT, (at + 1) * PER_BOT))
    drill.reset(11)
    return drill


def drawn(drill: Drill, dice: np.random.Generator) -> NDArray[np.int32]:
    chances = dice.random(drill.mask.shape, np.float32) * drill.mask
    orders: NDArray[np.int32] = chances.argmax(2).astype(np.int32)
    orders[dice.random(orders.shape) < ILLEGAL] = dice.choice([-1, drill.mask.shape[2], 2**31 - 1, -(2**31)])
    return orders


def compared(name: str, mode: Any, most_ticks: int, steps: int) -> dict[str, Any]:
    cpu, gpu = (opened(name, mode, most_ticks, device) for device in ("cpu", "cuda"))
    dice, ends, size = np.random.default_rng(5), 0, 0
    for step in range(steps):
        orders = drawn(cpu, dice)
        for drill in (cpu, gpu):
            drill.step(orders)
        ends += int(np.count_nonzero(cpu.ended))
        last = step == steps - 1
        for array in cpu._arrays._fields if last else CALLERS:
            one, other = (drill.host(getattr(drill._arrays, array)) for drill in (cpu, gpu))
            if one.tobytes() != other.tobytes():
                return {"equal": False, "step": step, "array": array}
            size += one.nbytes
    return {"equal": True, "games": cpu.n, "steps": steps, "ends": ends, "bytes_compared": size}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=list(GAMES), metavar="GAME")
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--most-ticks", type=int, default=4, help="of a step; 0: up to the learner's next choice")
    options = parser.parse_args()
    for name in options.games:
        began = time.perf_counter()
        told = {mode: compared(name, mode, options.most_ticks, options.steps) for mode in AUTORESET}
        print(json.dumps({"game": name, **told, "seconds": round(time.perf_counter() - began, 1)}), flush=True)


if __name__ == "__main__":
    main()
