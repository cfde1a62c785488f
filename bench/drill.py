"""How fast learners play against house bots. `PYTHONPATH=src python bench/drill.py [--game G] [--against BOT …] …`

Every learner gives a random order among those that its mask allows; on a GPU a kernel draws it, and its time counts.
Told are learner steps per second and microseconds per step, best of some rounds.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from typing import Any

import numpy as np

from botyard.games import load
from botyard.sim.drill import Drill


class HostDice:
    """Draws random orders by NumPy; the time that takes is not counted."""

    def __init__(self, drill: Drill) -> None:
        self._drill, self._random = drill, np.random.default_rng(1)

    def step(self) -> tuple[float, int]:
        """Plays a step; returns how long it took and how many orders learners gave."""
        mask = self._drill.mask
        chances = self._random.random(mask.shape, np.float32) * mask
        orders = chances.argmax(2).astype(np.int32)
        asked = int(np.count_nonzero(self._drill.turn))
        began = time.perf_counter()
        self._drill.step(orders)
        return time.perf_counter() - began, asked


def measured_on_cpu(drill: Drill, steps: int, rounds: int) -> float:
    """Returns the microseconds of a learner's step on one thread, best of some rounds."""
    dice = HostDice(drill)
    best = float("inf")
    for _ in range(rounds):
        told = [dice.step() for _ in range(steps)]
        best = min(best, sum(seconds for seconds, _ in told) / max(1, sum(asked for _, asked in told)))
    return 1e6 * best


def measured_on_gpu(drill: Drill, steps: int, rounds: int) -> float:
    """Returns the microseconds of a learner's step, everything on the device."""
    from numba import cuda as numba_cuda

    cuda: Any = numba_cuda

    @cuda.jit  # type: ignore[untyped-decorator]
    def draw(mask: Any, turn: Any, orders: Any, asked: Any, salt: int) -> None:
        i = cuda.grid(1)
        if i < orders.shape[0]:
            for lane in range(orders.shape[1]):
                bits = (i * 2654435761 + salt * 40503 + lane * 97) & 0xFFFFFFFF
                bits = ((bits ^ (bits >> 15)) * 2246822519) & 0xFFFFFFFF
                bits = ((bits ^ (bits >> 13)) * 3266489917) & 0xFFFFFFFF
                at = (bits >> 8) % mask.shape[2]
                for _ in range(mask.shape[2]):
                    if mask[i, lane, at]:
                        break
                    at = at + 1 if at + 1 < mask.shape[2] else 0
                orders[i, lane] = at
                asked[i] += turn[i, lane]

    orders = cuda.to_device(np.zeros((drill.n, drill.learners), np.int32))
    asked = cuda.to_device(np.zeros(drill.n, np.int64))
    blocks = (drill.n + 127) // 128

    def play(salt: int) -> None:
        draw[blocks, 128](drill.mask, drill.turn, orders, asked, salt)
        drill.step(orders)

    best = float("inf")
    for number in range(rounds + 1):
        before = int(asked.copy_to_host().sum())
        drill.wait()
        began = time.perf_counter()
        for step in range(steps):
            play(number * steps + step)
        drill.wait()
        took = time.perf_counter() - began
        if number:  # the first round warms up
            best = min(best, took / (int(asked.copy_to_host().sum()) - before))
    return 1e6 * best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="hive")
    parser.add_argument("--against", nargs="*", help="house bots; all of them, one after the other, if none is named")
    parser.add_argument("--games", type=int, default=4096)
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--most-ticks", type=int, default=0, help="of a step; 0: up to the learner's next choice")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if options.device == "cpu":
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})  # one thread
    measure = measured_on_cpu if options.device == "cpu" else measured_on_gpu
    told = {}
    for bot in options.against or list(load(options.game).bots.HOUSE_BOTS):
        n, most_ticks = options.games, options.most_ticks
        drill = Drill(options.game, n=n, opponents=[bot], most_ticks=most_ticks, device=options.device)
        told[bot] = round(measure(drill, options.steps, options.rounds), 6)
        del drill
    if options.json:
        print(json.dumps(told))
        return
    for bot, cost in told.items():
        print(f"{options.game} v {bot:12} {cost:9.4f} µs a learner's step, {1 / cost:9.3g} M steps/s")


if __name__ == "__main__":
    main()
