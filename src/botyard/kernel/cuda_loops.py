"""The loops of `loops.py` as CUDA kernels, one thread per game. A template too: the loader binds `loops`."""

from __future__ import annotations

from typing import Any

from numba import cuda as numba_cuda
from numba import njit

from botyard.kernel.records import Cells, Record
from botyard.kernel.rule import INTERPRETED

loops: Any  # bound by the loader
cuda: Any = numba_cuda  # of which type checkers know nothing

begin_game = loops.begin_game
tell_game = loops.tell_game
show_game = loops.show_game
advance_game = loops.advance_game
race_game = loops.race_game

if INTERPRETED:  # under the simulator

    def within(array: Any) -> Any:
        return Cells(array._item._ary)
else:

    @njit
    def within(array: Any) -> Any:
        """An array inside a kernel as rules want it; the simulator wraps its own."""
        return array


@cuda.jit
def begin(
    arenas: Record, states: Record, views: Record, scores: Record, over: Record, seeds: Record, blank: Record, n: int
) -> None:
    i = cuda.grid(1)
    if i < n:
        arenas, states = within(arenas), within(states)
        begin_game(arenas, states, i, within(seeds), within(blank))
        tell_game(arenas, states, i, within(scores), within(over))
        show_game(arenas, states, i, within(views))


@cuda.jit
def advance(
    arenas: Record, states: Record, orders: Record, views: Record, scores: Record, over: Record,
    seeds: Record, stride: int, blank: Record, finals: Record, mode: int, n: int,
) -> None:  # fmt: skip
    i = cuda.grid(1)
    if i < n:
        advance_game(
            within(arenas), within(states), i, within(orders), within(views), within(scores), within(over),
            within(seeds), stride, within(blank), within(finals), mode,
        )  # fmt: skip


@cuda.jit
def race(
    arenas: Record, states: Record, orders: Record, views: Record, seeds: Record, stride: int, blank: Record,
    steps: Record, ticks: int, salt: int, n: int,
) -> None:  # fmt: skip
    i = cuda.grid(1)
    if i < n:
        race_game(
            within(arenas), within(states), i, within(orders), within(views), within(seeds), stride, within(blank),
            within(steps), ticks, salt,
        )  # fmt: skip


@cuda.jit
def spread(given: Record, orders: Record, n: int) -> None:
    """One order per game for every seat of it; only the seat that is asked uses it."""
    i = cuda.grid(1)
    if i < n:
        for seat in range(orders.shape[1]):
            orders[i, seat] = given[i]
