"""How fast drills are beside another implementation of the same interface: processes take turns in one run.

    python bench/drill_ratio.py OTHER CHECKOUT [--rounds 20]

OTHER is a folder with a package `drill` whose `drill.drill.Drill` has the arguments and arrays of ours; CHECKOUT is the
checkout of Botyard that it needs (`git worktree add --detach ../old COMMIT`). One thread, 4096 games of Hive Arena, the
window as codes and 18 numbers, orders drawn at random among those that the mask allows; drawing them is not counted.
Told are microseconds a learner's step, best of all rounds, and ours to the other's.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
OURS, OTHERS = "botyard.sim.drill", "drill.drill"

MEASURED = """
import importlib, os, sys, time
os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
import numpy as np
module, bot = sys.argv[1:]
drill = importlib.import_module(module).Drill("hive", n=4096, opponents=[bot])
random, best = np.random.default_rng(1), float("inf")
for _ in range(5):
    took = 0.0
    for _ in range(40):
        orders = (random.random((4096, 1, 32), dtype=np.float32) * drill.mask).argmax(2).astype(np.int32)
        began = time.perf_counter()
        drill.step(orders)
        took += time.perf_counter() - began
    best = min(best, 1e6 * took / 4096 / 40)
print(best)
"""


def measured(module: str, bot: str, folders: list[Path], kept: Path) -> float:
    """Returns the microseconds of a learner's step, in a process of its own."""
    surroundings = dict(os.environ, PYTHONPATH=":".join(map(str, folders)), BOTYARD_CACHE=str(kept))
    command = [sys.executable, "-c", MEASURED, module, bot]
    told = subprocess.run(command, env=surroundings, check=True, stdout=subprocess.PIPE, text=True, timeout=600)
    return float(told.stdout.split()[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("other", type=Path)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--against", nargs="*", default=["wanderer", "forager"])
    options = parser.parse_args()
    folders = {OURS: [HERE / "src"], OTHERS: [options.checkout.resolve() / "src", options.other.resolve()]}
    best: dict[tuple[str, str], float] = {}
    with tempfile.TemporaryDirectory() as kept:
        for number in range(options.rounds):
            for bot in options.against:
                for module in (OURS, OTHERS) if number % 2 else (OTHERS, OURS):
                    took = measured(module, bot, folders[module], Path(kept) / module)
                    best[module, bot] = min(took, best.get((module, bot), took))
    for bot in options.against:
        ours, others = best[OURS, bot], best[OTHERS, bot]
        print(f"v {bot:9} ours {ours:.3f} µs, the other {others:.3f} µs: {ours / others:.2f}")


if __name__ == "__main__":
    main()
