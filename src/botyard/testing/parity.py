"""This module checks that all ways to run the rules give the same bytes: interpreted, compiled, batch and CUDA.

The same games, illegal orders included, are played in each way, and a hash of every tick is compared. A process runs
rules in one way only, so the other ways run in a program of their own:

    python -m botyard.testing.parity GAME SIZE WAY TICKS GAMES

SIZE is `small` (the board of the golden playthrough) or `usual`. WAY is `single` (one game after another through
`Game`, and at last all of them retold), `batch` or `cuda`. The environment decides how rules run (BOTYARD_RULES,
NUMBA_ENABLE_CUDASIM).
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

from botyard.games import load
from botyard.games.batch import Batch
from botyard.games.game import Game
from botyard.kernel.script import script_of
from botyard.kernel.settings import Settings

WAYS = {
    "interpreted, one by one": ("small", "single", {"BOTYARD_RULES": "interpreted"}),
    "interpreted, batch": ("small", "batch", {"BOTYARD_RULES": "interpreted"}),
    "CUDA simulator": ("small", "cuda", {"NUMBA_ENABLE_CUDASIM": "1"}),
    "compiled with bounds checks, batch": ("usual", "batch", {"BOTYARD_RULES": "checked"}),
}
"""How games are run in a program of their own: the size of the board, the kind of run, and the environment."""

GAMES, ILLEGAL = 12, 0.004
TICKS = 80  # enough for games of every kind to end and begin anew
PAUSE = 20  # ticks after which a batch on the small board is asked about its games
SEED = 2**64 - 5  # so large that seeds overflow within a batch


def settings_of(name: str, size: str) -> Settings:
    book = load(name)
    if size == "small":
        return book.settings.read(book.samples.golden)
    return book.settings().seated(book.facts.usual_seats)


def order_table(count: int, seats: int, ticks: int, games: int) -> Iterator[Any]:
    """Yields the orders of every tick; a few of them are not legal orders."""
    dice = np.random.default_rng(7)
    for _ in range(ticks):
        orders = dice.integers(0, count, (games, seats)).astype(np.int32)
        wrong = dice.random(orders.shape) < ILLEGAL
        orders[wrong] = dice.choice(np.array([-1, count, 2**31 - 1, -(2**31)], np.int32), int(wrong.sum()))
        yield orders


def hash_of(*arrays: Any) -> str:
    return hashlib.sha256(b"".join(array.tobytes() for array in arrays)).hexdigest()[:16]


def single(name: str, size: str, ticks: int, count: int) -> Iterator[str]:
    """Yields a hash per tick, and at last one of the same games retold."""
    book, settings = load(name), settings_of(name, size)
    games = [Game(book, settings, (SEED + at) % 2**64) for at in range(count)]
    told: list[list[list[int]]] = [[] for _ in games]
    for orders in order_table(len(book.facts.orders), games[0].seats, ticks, count):
        for game, entries, row in zip(games, told, orders.tolist(), strict=True):
            if not game.over:
                entries.append([row[seat] for seat in game.asked])
            game.step_orders(dict(enumerate(row)))
        yield hash_of(*(game.arrays[1] for game in games))
    for game, entries in zip(games, told, strict=True):
        game.begin()
        assert game.retell(script_of(entries)) == len(entries)
    yield hash_of(*(game.arrays[1] for game in games))


def batch(name: str, size: str, device: str, ticks: int, count: int) -> Iterator[str]:
    games = Batch(name, settings_of(name, size), count, device=device, seed=SEED, autoreset="off")
    for orders in order_table(len(games.book.facts.orders), games.seats, ticks, count):
        games.step(orders)
        yield hash_of(games.host(games.states))
    if size == "small":
        yield surveyed(games)  # by now games have ended


def surveyed(games: Batch) -> str:
    return hash_of(*(games.host(array) for array in (games.asked, games.masks, games.places)))


def renewed(name: str, size: str, device: str, mode: Any, ticks: int, count: int) -> Iterator[str]:
    """Yields a hash per tick of everything a batch shows, while finished games begin anew.

    On the small board, now and then, the batch is asked about its games and some are started again. On the usual one
    that would only be compiled once more.
    """
    games = Batch(name, settings_of(name, size), count, device=device, seed=SEED, autoreset=mode)
    for tick, orders in enumerate(order_table(len(games.book.facts.orders), games.seats, ticks, count)):
        games.step(orders)
        shown = (games.states, games.views, games.scores, games.over, games.seeds, games.finals)
        yield hash_of(*(games.host(array) for array in shown))
        if size == "small" and tick % PAUSE == PAUSE - 1:
            yield surveyed(games)
            games.reset(chosen=np.arange(count) % 3 == 0)


def demand_buffers() -> None:
    """Makes the simulator as strict as a real device, which takes only arrays that NumPy offers as buffers."""
    from numba import cuda

    to_device = cuda.to_device

    def strict(array: Any, stream: Any = 0) -> Any:
        memoryview(array)
        return to_device(array, stream)

    cuda.to_device = strict


def lines(name: str, size: str, way: str, ticks: int = TICKS, games: int = GAMES) -> Iterator[str]:
    if way == "single":
        yield from single(name, size, ticks, games)
        return
    device = {"batch": "cpu", "cuda": "cuda"}[way]
    if device == "cuda":
        demand_buffers()
    yield from batch(name, size, device, ticks, games)
    for mode in ("next_step", "same_step"):
        yield from renewed(name, size, device, mode, ticks, games)


def ticks_of(game: str, way: str) -> int:
    """Returns how many ticks to play. Games are slow unless compiled, so each says how many it needs to begin anew."""
    return TICKS if way.startswith("compiled") else load(game).samples.interpreted_ticks


def played_apart(game: str, way: str, ticks: int, games: int) -> list[str]:
    """Returns the hashes of a way, from a program of its own whose environment chooses it."""
    size, method, environment = WAYS[way]
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("BOTYARD_RULES", "NUMBA", "COV"))}
    words = [game, size, method, str(ticks), str(games)]
    command = [sys.executable, "-W", "ignore", "-m", "botyard.testing.parity", *words]
    done = subprocess.run(command, env={**kept, **environment}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def played_here(game: str, way: str, ticks: int, games: int) -> list[str]:
    """Returns the hashes that a way must give, computed as rules run in this process."""
    size, method, _ = WAYS[way]
    return list(lines(game, size, method if method == "single" else "batch", ticks, games))


def check_way(game: str, way: str, ticks: int = 0, games: int = GAMES) -> None:
    """Fails unless a way to run gives the same bytes as the rules do here. With 0 ticks it plays the usual number."""
    ticks = ticks or ticks_of(game, way)
    here, apart = played_here(game, way, ticks, games), played_apart(game, way, ticks, games)
    first = next((at for at, pair in enumerate(zip(here, apart, strict=False)) if pair[0] != pair[1]), None)
    assert here == apart, f"{game}: {way} differs from how rules run here, first in line {first} of {len(here)}"


if __name__ == "__main__":
    game, board, run, duration, at_once = sys.argv[1:]
    for line in lines(game, board, run, int(duration), int(at_once)):
        print(line)  # noqa: T201
