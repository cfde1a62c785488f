"""How functions become CUDA kernels, on a device and under Numba's simulator of one."""

from __future__ import annotations

from typing import Any

from numba import cuda as numba_cuda
from numba import njit

from botyard.kernel.cache import install
from botyard.kernel.records import Cells
from botyard.kernel.rule import INTERPRETED

cuda: Any = numba_cuda  # type checkers know nothing of it

LEAN_REGISTERS = 64

if INTERPRETED:  # under the simulator

    def kernel(function: Any) -> Any:
        return cuda.jit(function)

    lean_kernel = kernel

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
