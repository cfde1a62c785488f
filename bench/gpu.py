"""Games on a real GPU: equal to the CPU byte by byte, and how fast. `PYTHONPATH=src python bench/gpu.py [GAME ...]`

Needs numpy, numba and numba-cuda only. Prints one JSON object per game.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import numpy as np

if not hasattr(np, "row_stack"):
    np.row_stack = np.vstack  # numba-cuda 0.30 asks for it, NumPy 2.5 has dropped it

from botyard.games import GAMES, load
from botyard.games.batch import Batch
from botyard.sim.bench import measure_cuda

PARITY_GAMES = 2000
PARITY_TICKS = 3000
ILLEGAL = 0.0005  # share of orders that do not exist


def parity(name: str, autoreset: Any) -> dict[str, Any]:
    """The same seeds and orders on both devices; everything is compared at the end and now and then before."""
    book = load(name)
    settings = book.settings().seated(book.facts.usual_seats)
    batches = [
        Batch(book, settings, PARITY_GAMES, device=device, seed=1, autoreset=autoreset) for device in ("cpu", "cuda")
    ]
    dice = np.random.default_rng(5)
    count = len(batches[0].book.facts.orders)
    compared = 0
    for tick in range(PARITY_TICKS):
        orders = dice.integers(0, count, (PARITY_GAMES, batches[0].seats)).astype(np.int32)
        orders[dice.random(orders.shape) < ILLEGAL] = dice.choice([-1, count, 2**31 - 1, -(2**31)])
        for batch in batches:
            batch.step(orders)
        if tick % 500 == 499 or tick < 3:
            for array in ("states", "views", "scores", "over", "seeds", "asked", "masks", "places"):
                cpu, cuda = (batch.host(getattr(batch, array)) for batch in batches)
                if cpu.tobytes() != cuda.tobytes():
                    return {"equal": False, "tick": tick, "array": array}
                compared += cpu.nbytes
            for batch in batches:  # from marks on the device itself
                batch.reset(chosen=batch.over)
    return {"equal": True, "games": PARITY_GAMES, "ticks": PARITY_TICKS, "bytes_compared": compared}


def main() -> None:
    for name in sys.argv[1:] or GAMES:
        began = time.perf_counter()
        result: dict[str, Any] = {"game": name}
        result["parity"] = {mode: parity(name, mode) for mode in ("next_step", "same_step", "off")}
        result["rates"] = measure_cuda(load(name))
        result["seconds"] = round(time.perf_counter() - began, 1)
        print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main()
