"""Whether a change made the rules slower: an older checkout and this one, measured in turn in one run.

    python bench/old_new.py OLD [GAME ...] [--rounds 20] [--device cpu|cuda] [--first-move] [--json]

OLD is the folder of another checkout (`git worktree add --detach ../old COMMIT`). Each side is measured in a process
of its own, with its own sources and its own folder for compiled rules; the two take turns, so that a busy neighbour
slows both, and on the CPU the processor's time is measured. What counts is the ratio of the best rounds, new to old:
above 1 the new one is faster.

* By default: orders per second of random play with views, on one thread (`Batch.race` with one game), or on a GPU.
* With --first-move: seconds until the first move of `botyard play`, with nothing compiled yet (cold) and then warm.

`--prelude CODE` runs first in every process, for machines that need help, as
`--prelude 'import numpy; numpy.row_stack = numpy.vstack'` where NumPy is newer than numba-cuda allows.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import IO, Any, cast

from start import FIRST_MOVE

NEW = Path(__file__).resolve().parents[1]
SIDES = ("old", "new")
COLD_RUNS = 2
CUDA_GAMES = 1 << 20

# What both sides run: only what both checkouts have. A line of standard input names what to measure, and how much.
RACE = """
import json, sys, time
from botyard.games import load
from botyard.games.batch import Batch

game, device, games = sys.argv[1], sys.argv[2], int(sys.argv[3])
book = load(game)
batch = Batch(book, book.settings().seated(book.facts.usual_seats), games, device=device)

# On a GPU the clock on the wall counts; on the CPU what the thread itself needs, whoever else is on the machine.
clock = time.perf_counter if device == "cuda" else time.thread_time

def race(ticks):
    before, began = int(batch.host(batch.steps).sum()), clock()
    batch.race(ticks)
    batch.wait()
    took = clock() - began
    return int(batch.host(batch.steps).sum()) - before, took

def step(ticks):
    batch.stray()
    batch.wait()
    began = clock()
    for _ in range(ticks):
        batch.step(batch.orders)
    batch.wait()
    return ticks * games, clock() - began

for line in sys.stdin:
    way, ticks = line.split()
    print(json.dumps({"race": race, "step": step}[way](int(ticks))), flush=True)
"""

CAST = """
import json, sys
from botyard.games import load
book = load(sys.argv[1])
bots = list(book.bots.HOUSE_BOTS)
print(json.dumps([f"house:{bots[at % len(bots)]}" for at in range(book.facts.usual_seats)]))
"""

NAMES = "import json; from botyard.games import GAMES; print(json.dumps(list(GAMES)))"


class Side:
    """One checkout: its sources, and a folder for what it compiles."""

    def __init__(self, checkout: Path, home: Path, prelude: str) -> None:
        self.checkout, self.home, self.prelude = checkout, home, prelude

    def environment(self, home: Path | None = None) -> dict[str, str]:
        """Where its sources are, and where what it compiles is kept; its bytecode stays from run to run."""
        own = {
            "PYTHONPATH": str(self.checkout / "src"),
            "BOTYARD_CACHE": str(home or self.home),
            "PYTHONPYCACHEPREFIX": str(self.home / "bytecode"),
            "PYTHONDONTWRITEBYTECODE": "",
        }
        return {**os.environ, **own}

    def command(self, code: str, *words: str) -> list[str]:
        return [sys.executable, "-W", "ignore", "-c", f"{self.prelude}\n{code}", *words]

    def ask(self, code: str, *words: str) -> Any:
        """What a short program prints as JSON."""
        command = self.command(code, *words)
        done = subprocess.run(command, env=self.environment(), stdout=subprocess.PIPE, text=True, check=True)
        return json.loads(done.stdout)

    def start(self, code: str, *words: str) -> subprocess.Popen[str]:
        pipe = subprocess.PIPE
        return subprocess.Popen(self.command(code, *words), env=self.environment(), stdin=pipe, stdout=pipe, text=True)

    def seconds(self, code: str, home: Path, *words: str) -> tuple[float, float]:
        """How long a program takes: by the clock, and of the processor alone."""
        began, before = time.perf_counter(), os.times()
        subprocess.run(self.command(code, *words), env=self.environment(home), check=True, capture_output=True)
        wall, after = time.perf_counter() - began, os.times()
        spent = after.children_user + after.children_system - before.children_user - before.children_system
        return round(wall, 3), round(spent, 3)


def race_rates(sides: dict[str, Side], game: str, options: argparse.Namespace) -> dict[str, Any]:
    """Both sides' best rounds of equal work, taken in turn; who begins changes from round to round."""
    games = CUDA_GAMES if options.device == "cuda" else 1
    running = {name: side.start(RACE, game, options.device, str(games)) for name, side in sides.items()}
    best: dict[str, dict[str, float]] = {name: {} for name in SIDES}
    try:
        for way in ("race", "step") if options.device == "cuda" else ("race",):
            ticks = enough(running["old"], way, options.seconds)
            rates: dict[str, list[float]] = {name: [] for name in SIDES}
            for at in range(options.rounds):
                for name in SIDES if at % 2 else reversed(SIDES):
                    done, took = measured(running[name], way, ticks)
                    rates[name].append(done / took)
            for name in SIDES:
                best[name][way] = max(rates[name])
    finally:
        for process in running.values():
            process.kill()
            process.communicate()
    return {"game": game, **best, "ratio": {way: best["new"][way] / best["old"][way] for way in best["old"]}}


def enough(process: subprocess.Popen[str], way: str, seconds: float) -> int:
    """How many ticks take so long, even where nothing gets in their way."""
    ticks = 1
    while min(measured(process, way, ticks)[1] for _ in range(3)) < seconds:
        ticks *= 2
    return ticks


def measured(process: subprocess.Popen[str], way: str, ticks: int) -> tuple[int, float]:
    """How many orders a side took in a round, and the seconds it needed."""
    stdin = cast(IO[str], process.stdin)
    stdin.write(f"{way} {ticks}\n")
    stdin.flush()
    done, took = json.loads(told(process))
    return done, took


def told(process: subprocess.Popen[str]) -> str:
    line = cast(IO[str], process.stdout).readline()
    if not line:
        raise SystemExit(f"a side has ended with status {process.wait()}")
    return line


def first_moves(sides: dict[str, Side], game: str, options: argparse.Namespace) -> dict[str, Any]:
    """Seconds until the first move, the best of a few runs in turn: [by the clock, of the processor]."""
    cast_of = sides["new"].ask(CAST, game)
    found: dict[str, dict[str, list[tuple[float, float]]]] = {name: {"cold": [], "warm": []} for name in SIDES}
    with tempfile.TemporaryDirectory() as homes:
        for at in range(max(COLD_RUNS, options.rounds)):
            for name in SIDES if at % 2 else reversed(SIDES):
                home = Path(homes) / f"{name}{min(at, COLD_RUNS - 1)}"
                state = "cold" if at < COLD_RUNS else "warm"
                found[name][state].append(sides[name].seconds(FIRST_MOVE, home, game, *cast_of))
    best = {
        name: {state: (min(wall for wall, _ in runs), min(cpu for _, cpu in runs)) for state, runs in states.items()}
        for name, states in found.items()
    }
    ratio = {state: best["old"][state][1] / best["new"][state][1] for state in ("cold", "warm")}
    return {"game": game, **best, "ratio": ratio}


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures an older checkout and this one in turn.")
    parser.add_argument("old", type=Path)
    parser.add_argument("games", nargs="*")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=0.05, help="how long a round takes at least")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--first-move", action="store_true")
    parser.add_argument("--prelude", default="")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as homes:
        sides = {
            name: Side(checkout.resolve(), Path(homes) / name, options.prelude)
            for name, checkout in zip(SIDES, (options.old, NEW), strict=True)
        }
        measure = first_moves if options.first_move else race_rates
        for game in options.games or sides["old"].ask(NAMES):
            show(measure(sides, game, options), options.json)


def show(found: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print(json.dumps(found), flush=True)
        return
    for way, ratio in found["ratio"].items():
        old, new = (shown(found[name][way]) for name in SIDES)
        print(f"{found['game']:<12} {way:<5} old {old:>18}  new {new:>18}  ratio {ratio:.3f}", flush=True)


def shown(value: float | tuple[float, float]) -> str:
    return f"{value / 1e6:.2f} M/s" if isinstance(value, float) else f"{value[0]:.2f} s ({value[1]:.2f} s)"


if __name__ == "__main__":
    main()
