"""This module measures how fast a game runs on this machine.

It counts orders per second ("agent-steps"): every seat that is asked gets its view, and finished games begin anew.
Orders are random among those that are not deadly at once. Each figure is the best of a few runs, so that other work
on the machine matters less. Compare ratios of one run, not figures of two machines.
"""

from __future__ import annotations

import importlib.util
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from botyard.games.batch import Batch
from botyard.games.game import Game
from botyard.kernel.devices import core_count
from botyard.kernel.errors import YardError
from botyard.kernel.rulebook import Rulebook

SECONDS = 1.0  # about how long one run takes
RUNS = 3
BATCH = 4096
CUDA_GAMES = 1 << 20
CUDA_TICKS = 300


@dataclass(slots=True)
class BenchFigures:
    """What was measured of one game."""

    game: str
    one_thread: float = 0.0  # steps/s, rules and view
    all_cores: float = 0.0
    cores: int = 1
    batch_step: float = 0.0  # steps/s on all cores with orders given as an array
    call_us: float = 0.0  # one step called from Python
    copy_us: float = 0.0
    bytes_per_game: int = 0
    mean_game: float = 0.0  # mean number of ticks of a random game
    yardstick: float | None = None  # steps/s of another implementation, in the same run
    ratio: float | None = None
    cuda: dict[str, Any] = field(default_factory=dict)


def measure(book: Rulebook, yardstick: Path | None = None) -> BenchFigures:
    figures = BenchFigures(book.facts.name, cores=core_count())
    settings = book.settings().seated(book.facts.usual_seats)
    figures.bytes_per_game = book.layouts(settings).state.itemsize
    single, batch = Batch(book, settings, 1), Batch(book, settings, BATCH)
    other = load_yardstick(yardstick) if yardstick else None
    one, theirs = [], []
    for _ in range(RUNS):
        one.append(race_rate(single))
        if other:
            theirs.append(other())
    figures.one_thread = max(one)
    if theirs:
        figures.yardstick = max(theirs)
        figures.ratio = figures.one_thread / figures.yardstick
    figures.all_cores = max(race_rate(batch) for _ in range(RUNS))
    figures.batch_step = max(step_rate(batch) for _ in range(RUNS))
    figures.mean_game = mean_game(batch)
    game = Game(book, settings, 1)
    figures.call_us = call_cost(game)
    figures.copy_us = cost(game.copy)
    return figures


def race_rate(batch: Batch) -> float:
    """Returns the steps per second of random play inside the compiled loop."""
    ticks = 1
    batch.race(ticks)
    while True:
        before = int(batch.host(batch.steps).sum())
        began = time.perf_counter()
        batch.race(ticks, salt=ticks)
        took = time.perf_counter() - began
        if took > SECONDS / 4:
            return (int(batch.host(batch.steps).sum()) - before) / took
        ticks *= 4


def step_rate(batch: Batch) -> float:
    """Returns the steps per second with orders given from outside, one call per tick."""
    dice = np.random.default_rng(0)
    orders = dice.integers(0, len(batch.book.facts.orders), (batch.n, batch.seats)).astype(np.int32)
    began, ticks = time.perf_counter(), 0
    while time.perf_counter() - began < SECONDS / 2:
        batch.step(orders)
        ticks += 1
    asked = batch.seats if batch.book.facts.simultaneous else 1
    return ticks * batch.n * asked / (time.perf_counter() - began)


def mean_game(batch: Batch) -> float:
    """Returns the mean number of ticks of a random game, from the games that ended in a long run."""
    batch.reset(0)
    ticks = 2000
    seeds = batch.seeds[:, 0].astype(np.int64)
    batch.race(ticks)
    ended = int(((batch.seeds[:, 0].astype(np.int64) - seeds) // batch.n).sum())
    return ticks * batch.n / max(1, ended)


def call_cost(game: Game) -> float:
    arenas, states = game.arrays
    orders = np.zeros((1, game.seats), np.int32)
    step = game.book.loops.step_at
    return cost(lambda: step(arenas, states, orders))


def cost(call: Callable[[], Any], times: int = 100_000) -> float:
    """Returns the microseconds that one call takes."""
    best = float("inf")
    for _ in range(RUNS):
        began = time.perf_counter()
        for _ in range(times):
            call()
        best = min(best, time.perf_counter() - began)
    return best / times * 1e6


def measure_cuda(book: Rulebook, games: int = CUDA_GAMES) -> dict[str, Any]:
    """Measures batches on one GPU. `rules_and_view` has one tick per launch, and drawing the orders is not timed.

    The other two figures include the drawing of orders, with one tick and with a hundred ticks per launch.
    """
    batch = Batch(book, book.settings().seated(book.facts.usual_seats), games, device="cuda")
    batch.race(CUDA_TICKS)  # so that games are in different phases
    return {
        "games": games,
        "rules_and_view": max(handed_rate(batch) for _ in range(RUNS)),
        "one_tick_per_launch": max(launch_rate(batch, 1, CUDA_TICKS) for _ in range(RUNS)),
        "hundred_ticks_per_launch": max(launch_rate(batch, 100, CUDA_TICKS // 100) for _ in range(RUNS)),
    }


def launch_rate(batch: Batch, ticks: int, launches: int) -> float:
    """Returns the orders per second of random play inside the CUDA kernel."""
    batch.race(ticks, salt=1)
    batch.wait()
    before, began = int(batch.host(batch.steps).sum()), time.perf_counter()
    for at in range(launches):
        batch.race(ticks, salt=at * ticks)
    batch.wait()
    took = time.perf_counter() - began
    return (int(batch.host(batch.steps).sum()) - before) / took


def handed_rate(batch: Batch) -> float:
    """Returns the orders per second of `step` alone: rules, scores and a view for every asked seat."""
    asked, took = 0, 0.0
    for tick in range(CUDA_TICKS):
        before = int(batch.host(batch.steps).sum()) if tick % 50 == 0 else -1
        batch.stray(salt=tick)
        batch.wait()
        if before >= 0:
            asked += int(batch.host(batch.steps).sum()) - before  # every fiftieth tick stands for fifty
        began = time.perf_counter()
        batch.step(batch.orders)
        batch.wait()
        took += time.perf_counter() - began
    return asked * 50 / took


def load_yardstick(path: Path) -> Callable[[], float]:
    """Loads another implementation to measure in the same run: a module with STATE, reset_at and play_one."""
    spec = importlib.util.spec_from_file_location("yardstick", path)
    if spec is None or spec.loader is None or not path.is_file():
        raise YardError(f"there is no yardstick {path}", hint="name a Python file with STATE, reset_at and play_one")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # Numba looks here for the module of cached functions
    spec.loader.exec_module(module)
    states, window = np.zeros(1, module.STATE), np.zeros((1, 7, 7), np.uint8)
    module.reset_at(states, 0, 1)
    module.play_one(states, window, 10)

    def rate() -> float:
        turns = 5_000_000
        began = time.perf_counter()
        module.play_one(states, window, turns)
        return turns / (time.perf_counter() - began)

    return rate
