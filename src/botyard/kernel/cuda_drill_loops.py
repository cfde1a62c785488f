"""The loop of `drill_loops.py` as a CUDA kernel, one thread per game. A template, too: the loader binds `loops`."""

from __future__ import annotations

from typing import Any

from botyard.kernel.cuda import THREADS
from botyard.kernel.cuda_kernels import cell_on, cuda, lean_kernel, within
from botyard.kernel.drill_arrays import DrillArrays
from botyard.kernel.loop_modes import RESET
from botyard.kernel.records import Record
from botyard.kernel.rule import INTERPRETED, rule

loops: Any  # bound by the loader

drill_game = loops.drill_game
tell_cell = loops.tell_cell

if INTERPRETED:

    def gathered(*arrays: Any) -> DrillArrays:
        return DrillArrays(*map(within, arrays))
else:
    gathered: Any = DrillArrays  # type: ignore[no-redef]


@rule
def tell_block(arrays: DrillArrays, first: int, count: int, thread: int) -> None:
    """Fills the cells that a block's learners sense with all its threads, so that neighbouring threads write
    neighbouring bytes."""
    rows, cols = arrays.codes.shape[2], arrays.codes.shape[3]
    for lane in range(arrays.turn.shape[1]):
        game, row, col = cell_on(0, 0, 0, thread, rows, cols)
        while game < count:
            if arrays.turn[first + game, lane]:
                tell_cell(arrays, first + game, lane, row, col)
            game, row, col = cell_on(game, row, col, THREADS, rows, cols)


@lean_kernel
def drill(
    arenas: Record, states: Record, views: Record, memories: Record, blank: Record, blank_memory: Record,
    seeds: Record, orders: Record, given: Record, bots: Record, chosen: Record, codes: Record, numbers: Record,
    mask: Record, turn: Record, seat_of: Record, rewards: Record, ended: Record, places: Record, final_codes: Record,
    final_numbers: Record, worths: Record, ticks: Record, spots: Record, mode: int, horizon: int, most: int, skip: int,
    n: int,
) -> None:  # fmt: skip
    arrays = gathered(
        arenas, states, views, memories, blank, blank_memory, seeds, orders, given, bots, chosen, codes, numbers,
        mask, turn, seat_of, rewards, ended, places, final_codes, final_numbers, worths, ticks, spots,
    )  # fmt: skip
    i, first = cuda.grid(1), cuda.blockIdx.x * THREADS
    if i < n and (mode != RESET or arrays.chosen[i]):
        drill_game(arrays, i, mode, horizon, most, skip)
    cuda.syncthreads()
    tell_block(arrays, first, min(THREADS, n - first), cuda.threadIdx.x)
