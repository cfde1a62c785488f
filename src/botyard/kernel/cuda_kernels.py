"""How functions become CUDA kernels, on a device and under Numba's simulator of one, and how threads share boards."""

from __future__ import annotations

import sys
from threading import Lock
from typing import Any

from numba import cuda as numba_cuda
from numba import njit

from botyard.kernel.cache import install
from botyard.kernel.records import Cells
from botyard.kernel.rule import INTERPRETED, rule

cuda: Any = numba_cuda  # type checkers know nothing of it

LEAN_REGISTERS = 64

if INTERPRETED:  # under the simulator
    from numba.cuda.simulator.kernelapi import FakeCUDAShared

    # The simulator asks its threads all the time whether they are done, and they cannot run while it does: by default
    # for 5 ms at a time, which was most of a launch.
    sys.setswitchinterval(0.0005)

    block_memory: Any = FakeCUDAShared
    make_shared, one_at_a_time = block_memory.array, Lock()

    def shared_array(self: Any, *args: Any, **options: Any) -> Any:
        """Returns the array that a block's threads share: the simulator's race for it, and some got one of their own.

        All arrays of a kernel are the same one then; ours ask for one each.
        """
        with one_at_a_time:
            return make_shared(self, *args, **options)

    block_memory.array = shared_array

    def kernel(function: Any, **_: Any) -> Any:
        return cuda.jit(function)

    def lean_kernel(function: Any) -> Any:
        return kernel(function)

    def within(array: Any) -> Any:
        return Cells(array._item._ary)
else:
    from numba.cuda.core import caching

    def kernel(function: Any, **options: Any) -> Any:
        """Makes a function a CUDA kernel that is kept on disk like the other loops."""
        install(function, caching)
        return cuda.jit(cache=True, **options)(function)

    def lean_kernel(function: Any) -> Any:
        """The same with so few registers that more threads run at a time: for kernels that wait for memory."""
        return kernel(function, max_registers=LEAN_REGISTERS)

    @njit
    def within(array: Any) -> Any:
        """Returns an array inside a kernel in the form that rules take; the simulator has a wrapper of its own."""
        return array


@rule
def cell_on(game: int, row: int, col: int, steps: int, rows: int, cols: int) -> tuple[int, int, int]:
    """Returns the cell so many steps on, where the boards of all games are one long row of cells.

    It is found by adding: `steps` is the same at every call, so that no thread divides for a cell, which would take
    longer than most cells.
    """
    row, col = row + steps // cols, col + steps % cols
    if col >= cols:
        row, col = row + 1, col - cols
    while row >= rows:
        game, row = game + 1, row - rows
    return game, row, col
