"""The loops of `loops.py` as CUDA kernels, one thread per game. A template, too: the loader binds `loops`."""

from __future__ import annotations

from typing import Any

from numba import int64

from botyard.kernel.arrays import BatchArrays
from botyard.kernel.cuda import THREADS
from botyard.kernel.cuda_kernels import cell_on, cuda, kernel, within
from botyard.kernel.records import Record
from botyard.kernel.rule import INTERPRETED, rule

loops: Any  # bound by the loader

SMALL_BOARD = 128  # in cells; measurements of views with 49 and with 900 cells lie on either side

asked = loops.asked
look = loops.look
board_shape = loops.board_shape
paint = loops.paint
begin_game = loops.begin_game
next_seed = loops.next_seed
tell_game = loops.tell_game
settle_game = loops.settle_game
stray_orders = loops.stray_orders
mark_asked = loops.survey_asked
mark_orders = loops.survey_masks
rank_seats = loops.survey_places
step = loops.step

if INTERPRETED:

    def gathered(*arrays: Any) -> BatchArrays:
        return BatchArrays(*map(within, arrays))
else:
    gathered: Any = BatchArrays  # type: ignore[no-redef]


@rule
def tell_seats(arenas: Record, states: Record, i: int, views: Record) -> int:
    """Fills all of the asked seats' views but the boards; returns the seats that are asked."""
    seats = asked(arenas[0], states[i])
    seat = 0
    while seats >> seat:
        if (seats >> seat) & 1:
            look(arenas[0], states[i], seat, views[i, seat])
        seat += 1
    return seats


@rule
def paint_games(arrays: BatchArrays, turns: Record, first: int, count: int, thread: int) -> None:
    """Paints the boards of a block's games with all its threads, so that neighbouring threads touch neighbouring bytes.

    Small boards are treated as one long row of cells. Large ones are painted one after another, so that all threads
    take the same branches for the same game. `turns` has the seats that are asked in each game.
    """
    rows, cols = board_shape(arrays.arenas[0], arrays.views[first, 0])
    if rows * cols >= SMALL_BOARD:
        paint_one_by_one(arrays.arenas, arrays.states, arrays.views, turns, first, count, thread)
    elif rows * cols > 0:
        paint_in_a_row(arrays.arenas, arrays.states, arrays.views, turns, first, count, thread)


@rule
def paint_in_a_row(
    arenas: Record, states: Record, views: Record, turns: Record, first: int, count: int, thread: int
) -> None:
    """Paints small boards."""
    rows, cols = board_shape(arenas[0], views[first, 0])
    for seat in range(views.shape[1]):
        game, row, col = cell_on(0, 0, 0, thread, rows, cols)
        while game < count:
            if (turns[game] >> seat) & 1:
                paint(arenas[0], states[first + game], seat, views[first + game, seat], row, col)
            game, row, col = cell_on(game, row, col, THREADS, rows, cols)


@rule
def paint_one_by_one(
    arenas: Record, states: Record, views: Record, turns: Record, first: int, count: int, thread: int
) -> None:
    for game in range(count):
        seat = 0
        while turns[game] >> seat:
            if (turns[game] >> seat) & 1:
                paint_board(arenas[0], states[first + game], seat, views[first + game, seat], thread)
            seat += 1


@rule
def paint_board(arena: Record, state: Record, seat: int, view: Record, thread: int) -> None:
    """Paints one thread's share of a board."""
    rows, cols = board_shape(arena, view)
    row, col = thread // cols, thread % cols
    while row < rows:
        paint(arena, state, seat, view, row, col)
        row, col = row + THREADS // cols, col + THREADS % cols
        if col >= cols:
            row, col = row + 1, col - cols


# Every kernel takes the arrays of a batch one by one, because Numba needs 30 µs more to find the type of a tuple.


@kernel
def begin(
    arenas: Record, states: Record, orders: Record, views: Record, scores: Record, over: Record, seeds: Record,
    steps: Record, finals: Record, blank: Record, chosen: Record, renewed: int, n: int,
) -> None:  # fmt: skip
    arrays = gathered(arenas, states, orders, views, scores, over, seeds, steps, finals, blank)
    i, first = cuda.grid(1), cuda.blockIdx.x * THREADS
    turns = cuda.shared.array(THREADS, int64)
    turns[cuda.threadIdx.x] = 0  # nothing of the other games is painted
    if i < n and within(chosen)[i]:
        if renewed:
            next_seed(arrays.seeds, i)
        begin_game(arrays, i)
        turns[cuda.threadIdx.x] = tell_seats(arrays.arenas, arrays.states, i, arrays.views)
        tell_game(arrays, i)
    cuda.syncthreads()
    paint_games(arrays, turns, first, min(THREADS, n - first), cuda.threadIdx.x)


@kernel
def advance(
    arenas: Record, states: Record, orders: Record, views: Record, scores: Record, over: Record, seeds: Record,
    steps: Record, finals: Record, blank: Record, mode: int, n: int,
) -> None:  # fmt: skip
    arrays = gathered(arenas, states, orders, views, scores, over, seeds, steps, finals, blank)
    i, first = cuda.grid(1), cuda.blockIdx.x * THREADS
    turns = cuda.shared.array(THREADS, int64)
    if i < n:
        settle_game(arrays, i, mode)
        turns[cuda.threadIdx.x] = tell_seats(arrays.arenas, arrays.states, i, arrays.views)
    cuda.syncthreads()
    paint_games(arrays, turns, first, min(THREADS, n - first), cuda.threadIdx.x)


@kernel
def race(
    arenas: Record, states: Record, orders: Record, views: Record, scores: Record, over: Record, seeds: Record,
    steps: Record, finals: Record, blank: Record, ticks: int, salt: int, n: int,
) -> None:  # fmt: skip
    arrays = gathered(arenas, states, orders, views, scores, over, seeds, steps, finals, blank)
    i, first = cuda.grid(1), cuda.blockIdx.x * THREADS
    turns = cuda.shared.array(THREADS, int64)
    for tick in range(ticks):
        if i < n:
            if arrays.states[i].over:
                next_seed(arrays.seeds, i)
                begin_game(arrays, i)
            turns[cuda.threadIdx.x] = tell_seats(arrays.arenas, arrays.states, i, arrays.views)
        cuda.syncthreads()
        paint_games(arrays, turns, first, min(THREADS, n - first), cuda.threadIdx.x)
        cuda.syncthreads()
        if i < n:
            arrays.steps[i] += stray_orders(arrays, i, salt + tick)
            step(arrays.arenas[0], arrays.states[i], arrays.orders[i])


@kernel
def wander(
    arenas: Record, states: Record, orders: Record, views: Record, scores: Record, over: Record, seeds: Record,
    steps: Record, finals: Record, blank: Record, salt: int, n: int,
) -> None:  # fmt: skip
    arrays = gathered(arenas, states, orders, views, scores, over, seeds, steps, finals, blank)
    i = cuda.grid(1)
    if i < n:
        arrays.steps[i] += stray_orders(arrays, i, salt)


@kernel
def survey_asked(
    arenas: Record, states: Record, orders: Record, views: Record, scores: Record, over: Record, seeds: Record,
    steps: Record, finals: Record, blank: Record, flags: Record, n: int,
) -> None:  # fmt: skip
    arrays = gathered(arenas, states, orders, views, scores, over, seeds, steps, finals, blank)
    i = cuda.grid(1)
    if i < n:
        mark_asked(arrays, within(flags), i, i + 1)


@kernel
def survey_masks(
    arenas: Record, states: Record, orders: Record, views: Record, scores: Record, over: Record, seeds: Record,
    steps: Record, finals: Record, blank: Record, masks: Record, n: int,
) -> None:  # fmt: skip
    arrays = gathered(arenas, states, orders, views, scores, over, seeds, steps, finals, blank)
    i = cuda.grid(1)
    if i < n:
        mark_orders(arrays, within(masks), i, i + 1)


@kernel
def survey_places(
    arenas: Record, states: Record, orders: Record, views: Record, scores: Record, over: Record, seeds: Record,
    steps: Record, finals: Record, blank: Record, raw: Record, places: Record, mode: int, n: int,
) -> None:  # fmt: skip
    arrays = gathered(arenas, states, orders, views, scores, over, seeds, steps, finals, blank)
    i = cuda.grid(1)
    if i < n:
        rank_seats(arrays, within(raw), within(places), mode, i, i + 1)


# Kernels that prepare orders and read faults


@kernel
def spread(given: Record, orders: Record, n: int) -> None:
    """Copies one order per game to every seat of that game; only the seat that is asked uses it."""
    i = cuda.grid(1)
    if i < n:
        for seat in range(orders.shape[1]):
            orders[i, seat] = given[i]


@kernel
def take_over(given: Record, orders: Record, n: int) -> None:
    """Copies orders of another type or memory layout into our own array."""
    i = cuda.grid(1)
    if i < n:
        for seat in range(orders.shape[1]):
            orders[i, seat] = given[i, seat]


@kernel
def find_faults(states: Record, faults: Record, n: int) -> None:
    """Marks the games that hit a fault of ours, so that one byte per game travels to the host instead of its state."""
    i = cuda.grid(1)
    if i < n:
        state = within(states)[i]
        within(faults)[i] = state.fault != 0 or state.chance.fault != 0
