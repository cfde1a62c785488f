"""This module runs batches on a CUDA device, or on Numba's simulator of one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from botyard.kernel.arrays import FLAG, zeros
from botyard.kernel.errors import YardError

if TYPE_CHECKING:
    from botyard.kernel.devices import GameArrays
    from botyard.kernel.rulebook import Rulebook


THREADS = 32  # threads in a block, each with a game of its own


class Cuda:
    """The device that runs a batch on a GPU, with one thread per game; arrays stay in its memory.

    Copies are made in the stream that kernels run in: others, as those of PyTorch, do not wait for the usual one.
    """

    def __init__(self, book: Rulebook, senses: Any = None) -> None:
        self._cuda = find_cuda()
        self._kernels = {"drill": book.cuda_drill_loops(senses)} if senses is not None else {}
        self._others = book.cuda_loops
        self._stream: Any = 0  # the usual one

    def zeros(self, shape: Any, kind: Any) -> Any:
        return self.put(zeros(shape, kind))

    def put(self, array: NDArray[Any]) -> Any:
        """Copies an array to the device as bytes, because NumPy offers no buffer of records that show words, too."""
        array = np.ascontiguousarray(array)
        return seen_as(self._cuda.to_device(array.view(np.uint8), stream=self._stream), array.dtype)

    def fetch(self, array: Any) -> NDArray[Any]:
        host = np.asarray(array.copy_to_host(stream=self._stream))
        if self._stream:  # the usual one has been waited for
            self._stream.synchronize()
        return host

    def copy(self, target: Any, source: Any) -> None:
        if is_simulated(target):  # its own copying fails with some records
            target._ary[...] = source._ary
        else:
            target.copy_to_device(source, stream=self._stream)

    def field(self, array: Any, name: str) -> Any:
        if is_simulated(array):
            return array._ary[name]
        return self._cuda.as_cuda_array(DeviceField(array, name))

    def take_orders(self, given: Any, orders: Any) -> Any:
        """Returns orders that are on the device already, if kernels know their kind, else a copy in our own array."""
        host = isinstance(given, np.ndarray)
        given = self.put(given.astype(orders.dtype)) if host else self._cuda.as_cuda_array(given)
        if given.shape == orders.shape and given.dtype == orders.dtype and given.is_c_contiguous():
            return given
        self._run("spread" if given.ndim == 1 else "take_over", orders.shape[0], given, orders)
        return orders

    def take_flags(self, given: Any) -> Any:
        """Returns marks of games on the device; those that are there already are not copied."""
        if isinstance(given, np.ndarray):
            return self.put(given.astype(FLAG))
        given = self._cuda.as_cuda_array(given)
        return seen_as(given, np.dtype(FLAG)) if given.is_c_contiguous() else given

    def take_over(self, given: Any) -> Any:
        """Returns an array of the caller, of whichever library, in the form that kernels take."""
        return self._cuda.as_cuda_array(given)

    def use_stream(self, stream: Any) -> None:
        """Has kernels run in a stream of the caller: a number, or an object that PyTorch, CuPy or Numba made."""
        for name in ("cuda_stream", "ptr"):
            stream = getattr(stream, name, stream)
        self._stream = self._cuda.external_stream(stream) if isinstance(stream, int) else stream

    def launch(self, loop: str, arrays: GameArrays, *args: Any) -> None:
        self._run(loop, arrays.states.shape[0], *arrays, *args)

    def faults(self, states: Any) -> NDArray[Any]:
        flags = self.zeros(states.shape, FLAG)
        self._run("find_faults", states.shape[0], states, flags)
        return np.asarray(self.fetch(flags) != 0)

    def _run(self, kernel: str, n: int, *args: Any) -> None:
        kernels = self._kernels.get(kernel, self._others)
        blocks = (n + THREADS - 1) // THREADS
        getattr(kernels, kernel)[blocks, THREADS, self._stream](*args, n)

    def wait(self) -> None:
        """Waits until everything launched so far is done."""
        self._cuda.synchronize()


def seen_as(array: Any, kind: np.dtype[Any]) -> Any:
    """Returns an array over the same device memory, with records of another kind."""
    if is_simulated(array):
        return type(array)(array._ary.view(kind))
    return array.view(kind)


def is_simulated(array: Any) -> bool:
    """Whether an array belongs to Numba's CUDA simulator, which wraps NumPy arrays."""
    return hasattr(array, "_ary")


class DeviceField:
    """One field of an array of records on the device, as a strided array over the same memory."""

    def __init__(self, array: Any, name: str) -> None:
        kind, offset = array.dtype.fields[name][:2]
        base, shape = (kind.subdtype[0], kind.subdtype[1]) if kind.subdtype else (kind, ())
        inner = np.zeros(shape, base).strides
        self._owner = array
        self.__cuda_array_interface__ = {
            "shape": (*array.shape, *shape),
            "strides": (*array.strides, *inner),
            "typestr": base.str,
            "data": (array.device_ctypes_pointer.value + offset, False),
            "version": 3,
        }


def find_cuda() -> Any:
    import numba

    cuda: Any
    try:
        from numba import cuda
    except ImportError:
        raise YardError("CUDA support is not installed", hint="pip install 'botyard[cuda]'") from None
    if not cuda.is_available():
        raise YardError("no CUDA device was found", hint="`botyard doctor` shows what this machine can do")
    # Small batches are allowed, but Numba would warn at every launch of one.
    numba.config.CUDA_LOW_OCCUPANCY_WARNINGS = 0  # type: ignore[attr-defined]
    return cuda
