"""The loop of `drill_loops.py` as a CUDA kernel, one thread per game. A template, too: the loader binds `loops`."""

from __future__ import annotations

from typing import Any

from botyard.kernel.cuda_kernels import cuda, kernel, within
from botyard.kernel.drill_arrays import DrillArrays
from botyard.kernel.loop_modes import RESET
from botyard.kernel.records import Record
from botyard.kernel.rule import INTERPRETED

loops: Any  # bound by the loader

drill_game = loops.drill_game

if INTERPRETED:

    def gathered(*arrays: Any) -> DrillArrays:
        return DrillArrays(*map(within, arrays))
else:
    gathered: Any = DrillArrays  # type: ignore[no-redef]


@kernel
def drill(
    arenas: Record, states: Record, views: Record, memories: Record, blank: Record, blank_memory: Record,
    seeds: Record, orders: Record, given: Record, bots: Record, chosen: Record, codes: Record, numbers: Record,
    mask: Record, turn: Record, rewards: Record, ended: Record, places: Record, final_codes: Record,
    final_numbers: Record, worths: Record, ticks: Record, spots: Record, mode: int, horizon: int, skip: int, n: int,
) -> None:  # fmt: skip
    arrays = gathered(
        arenas, states, views, memories, blank, blank_memory, seeds, orders, given, bots, chosen, codes, numbers,
        mask, turn, rewards, ended, places, final_codes, final_numbers, worths, ticks, spots,
    )  # fmt: skip
    i = cuda.grid(1)
    if i < n and (mode != RESET or arrays.chosen[i]):
        drill_game(arrays, i, mode, horizon, skip)
