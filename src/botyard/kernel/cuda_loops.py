"""The loops of `loops.py` as CUDA kernels, one thread per game. A template too: the loader binds `loops`."""

from __future__ import annotations

from typing import Any

from numba import cuda as numba_cuda
from numba import njit

from botyard.kernel.cache import install
from botyard.kernel.records import Cells, Record
from botyard.kernel.rule import INTERPRETED, rule

loops: Any  # bound by the loader
cuda: Any = numba_cuda  # of which type checkers know nothing

SMALL_BOARD = 128  # cells; measured between the 49 of Hive Arena and the 900 of Snake Battle

asked = loops.asked
look = loops.look
board_shape = loops.board_shape
paint = loops.paint
begin_game = loops.begin_game
next_seed = loops.next_seed
tell_game = loops.tell_game
settle_game = loops.settle_game
stray_orders = loops.stray_orders
step = loops.step

if INTERPRETED:  # under the simulator

    def kernel(function: Any) -> Any:
        return cuda.jit(function)

    def within(array: Any) -> Any:
        return Cells(array._item._ary)
else:
    from numba.cuda.core import caching

    def kernel(function: Any) -> Any:
        """A CUDA kernel, kept on disk like the other loops."""
        install(function, caching)
        return cuda.jit(cache=True)(function)

    @njit
    def within(array: Any) -> Any:
        """An array inside a kernel as rules want it; the simulator wraps its own."""
        return array


@rule
def tell_seats(arenas: Record, states: Record, i: int, views: Record) -> None:
    """The numbers of every view that is asked for."""
    seats = asked(arenas[0], states[i])
    seat = 0
    while seats >> seat:
        if (seats >> seat) & 1:
            look(arenas[0], states[i], seat, views[i, seat])
        seat += 1


@rule
def paint_games(
    arenas: Record, states: Record, views: Record, first: int, count: int, thread: int, threads: int
) -> None:
    """The boards of a block's games, painted by all its threads: neighbouring threads touch neighbouring bytes.

    Small boards lie in one row for the threads to walk along; large ones are painted one after another, so that all
    threads ask the same question about the same game.
    """
    rows, cols = board_shape(views[first, 0])
    if rows * cols < SMALL_BOARD:
        paint_in_a_row(arenas, states, views, first, count, thread, threads)
    else:
        paint_one_by_one(arenas, states, views, first, count, thread, threads)


@rule
def paint_in_a_row(
    arenas: Record, states: Record, views: Record, first: int, count: int, thread: int, threads: int
) -> None:
    rows, cols = board_shape(views[first, 0])
    cells = rows * cols
    for seat in range(views.shape[1]):
        for at in range(thread, count * cells, threads):
            i = first + at // cells
            if (asked(arenas[0], states[i]) >> seat) & 1:
                cell = at % cells
                paint(arenas[0], states[i], seat, views[i, seat], cell // cols, cell % cols)


@rule
def paint_one_by_one(
    arenas: Record, states: Record, views: Record, first: int, count: int, thread: int, threads: int
) -> None:
    rows, cols = board_shape(views[first, 0])
    for i in range(first, first + count):
        seats = asked(arenas[0], states[i])
        seat = 0
        while seats >> seat:
            if (seats >> seat) & 1:
                for cell in range(thread, rows * cols, threads):
                    paint(arenas[0], states[i], seat, views[i, seat], cell // cols, cell % cols)
            seat += 1


@kernel
def begin(
    arenas: Record, states: Record, views: Record, scores: Record, over: Record, seeds: Record, blank: Record, n: int
) -> None:
    i, first = cuda.grid(1), cuda.blockIdx.x * cuda.blockDim.x
    arenas, states, views = within(arenas), within(states), within(views)
    if i < n:
        begin_game(arenas, states, i, within(seeds), within(blank))
        tell_game(arenas, states, i, within(scores), within(over))
        tell_seats(arenas, states, i, views)
    cuda.syncthreads()
    paint_games(arenas, states, views, first, min(cuda.blockDim.x, n - first), cuda.threadIdx.x, cuda.blockDim.x)


@kernel
def advance(
    arenas: Record, states: Record, orders: Record, views: Record, scores: Record, over: Record,
    seeds: Record, stride: int, blank: Record, finals: Record, mode: int, n: int,
) -> None:  # fmt: skip
    i, first = cuda.grid(1), cuda.blockIdx.x * cuda.blockDim.x
    arenas, states, views = within(arenas), within(states), within(views)
    if i < n:
        settle_game(
            arenas, states, i, within(orders), within(scores), within(over),
            within(seeds), stride, within(blank), within(finals), mode,
        )  # fmt: skip
        tell_seats(arenas, states, i, views)
    cuda.syncthreads()
    paint_games(arenas, states, views, first, min(cuda.blockDim.x, n - first), cuda.threadIdx.x, cuda.blockDim.x)


@kernel
def race(
    arenas: Record, states: Record, orders: Record, views: Record, seeds: Record, stride: int, blank: Record,
    steps: Record, ticks: int, salt: int, n: int,
) -> None:  # fmt: skip
    i, first = cuda.grid(1), cuda.blockIdx.x * cuda.blockDim.x
    arenas, states, views, orders = within(arenas), within(states), within(views), within(orders)
    seeds, blank, steps = within(seeds), within(blank), within(steps)
    for tick in range(ticks):
        if i < n:
            if states[i].over:
                next_seed(seeds, i, stride)
                begin_game(arenas, states, i, seeds, blank)
            tell_seats(arenas, states, i, views)
        cuda.syncthreads()
        paint_games(arenas, states, views, first, min(cuda.blockDim.x, n - first), cuda.threadIdx.x, cuda.blockDim.x)
        cuda.syncthreads()
        if i < n:
            steps[i] += stray_orders(arenas, states, i, orders, salt + tick)
            step(arenas[0], states[i], orders[i])


@kernel
def wander(arenas: Record, states: Record, orders: Record, steps: Record, salt: int, n: int) -> None:
    i = cuda.grid(1)
    if i < n:
        steps = within(steps)
        steps[i] += stray_orders(within(arenas), within(states), i, within(orders), salt)


@kernel
def spread(given: Record, orders: Record, n: int) -> None:
    """One order per game for every seat of it; only the seat that is asked uses it."""
    i = cuda.grid(1)
    if i < n:
        for seat in range(orders.shape[1]):
            orders[i, seat] = given[i]
