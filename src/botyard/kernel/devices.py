"""Devices hold the memory of a batch and run its loops: all cores of this machine, or a CUDA device (`cuda.py`)."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from botyard.kernel.arrays import FLAG, BatchArrays, zeros
from botyard.kernel.drill_arrays import DrillArrays
from botyard.kernel.errors import UnknownName, WrongType, YardError
from botyard.kernel.rule import opened

if TYPE_CHECKING:
    from botyard.kernel.rulebook import Rulebook

GameArrays: TypeAlias = BatchArrays | DrillArrays

DeviceName = Literal["cpu", "cuda"]

# With fewer games another thread costs more than it gains.
GAMES_PER_THREAD = 512


class Device(Protocol):
    """Holds the memory of a batch and runs loops over all its games."""

    def zeros(self, shape: Any, kind: Any) -> Any: ...
    def put(self, array: NDArray[Any]) -> Any: ...
    def fetch(self, array: Any) -> NDArray[Any]: ...
    def copy(self, target: Any, source: Any) -> None: ...
    def field(self, array: Any, name: str) -> Any: ...
    def take_orders(self, given: Any, orders: Any) -> Any: ...
    def take_flags(self, given: Any) -> Any: ...
    def take_over(self, given: Any) -> Any: ...
    def use_stream(self, stream: Any) -> None: ...
    def launch(self, loop: str, arrays: GameArrays, *args: Any) -> None: ...
    def faults(self, states: Any) -> NDArray[Any]: ...
    def wait(self) -> None: ...


class Cpu:
    """Runs batches on all cores with plain threads, because rules release the interpreter lock.

    It does not use Numba's parallel loops: they compile everything twice, and a child that is forked after one dies.
    """

    def __init__(self, book: Rulebook, loops: Any = None) -> None:
        self._loops = book.loops if loops is None else loops

    def zeros(self, shape: Any, kind: Any) -> NDArray[Any]:
        return zeros(shape, kind)

    def put(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy()

    def fetch(self, array: NDArray[Any]) -> NDArray[Any]:
        return array

    def copy(self, target: NDArray[Any], source: NDArray[Any]) -> None:
        target[...] = source

    def field(self, array: NDArray[Any], name: str) -> NDArray[Any]:
        return array[name]

    def take_orders(self, given: NDArray[Any], orders: NDArray[Any]) -> NDArray[Any]:
        """Returns the given array itself if the loops were compiled for its kind, else a copy in our own array."""
        given = on_host(given, "orders")
        flags = given.flags
        if given.shape == orders.shape and given.dtype == orders.dtype and flags.c_contiguous and flags.writeable:
            return given
        orders[...] = given[:, None] if given.ndim == 1 else given
        return orders

    def take_flags(self, given: NDArray[Any]) -> NDArray[Any]:
        """Returns marks of games as the loops were compiled for them."""
        return np.ascontiguousarray(on_host(given, "marks of games"), FLAG)

    def take_over(self, given: NDArray[Any]) -> NDArray[Any]:
        """Returns an array of the caller in the form that loops take."""
        return given

    def use_stream(self, stream: Any) -> None:
        raise YardError("a stream on the CPU", hint="streams are for device='cuda'")

    def launch(self, loop: str, arrays: GameArrays, *args: Any, least: int = GAMES_PER_THREAD) -> None:
        """Runs a loop over all games; `least` is the number of games that is worth a thread."""
        function: Callable[..., None] = getattr(self._loops, loop)
        n = len(arrays.states)
        opened_arrays = type(arrays)(*map(opened, arrays))
        args = tuple(opened(arg) if isinstance(arg, np.ndarray) else arg for arg in args)
        threads = min(core_count(), max(1, n // least))
        if threads == 1:
            function(opened_arrays, *args, 0, n)
            return
        bounds = [n * k // threads for k in range(threads + 1)]
        shares = [_crew().submit(function, opened_arrays, *args, bounds[k], bounds[k + 1]) for k in range(1, threads)]
        function(opened_arrays, *args, bounds[0], bounds[1])
        for share in shares:
            share.result()

    def faults(self, states: NDArray[Any]) -> NDArray[Any]:
        """Returns which games hit a fault of ours."""
        return np.asarray((states["fault"] != 0) | (states["chance"]["fault"] != 0))

    def wait(self) -> None:
        """Does nothing: a launch returns when it is done."""


def on_host(given: Any, what: str) -> NDArray[Any]:
    """Returns an array for a batch on the CPU, after checking that it is not in the memory of a GPU."""
    if not isinstance(given, np.ndarray):
        raise WrongType(f"the {what} are on a GPU and the batch is not", hint='copy them, or choose device="gpu"')
    return given


def core_count() -> int:
    """Returns how many cores this process may use."""
    return len(os.sched_getaffinity(0))


_threads: ThreadPoolExecutor | None = None


def _crew() -> ThreadPoolExecutor:
    global _threads
    if _threads is None:
        _threads = ThreadPoolExecutor(max(1, core_count() - 1), thread_name_prefix="botyard-batch")
    return _threads


def _forget_crew() -> None:
    global _threads
    _threads = None


os.register_at_fork(after_in_child=_forget_crew)


DEVICES: dict[str, DeviceName] = {"cpu": "cpu", "cuda": "cuda", "gpu": "cuda"}


def device_named(name: str) -> DeviceName:
    """Returns the device that a user means: `gpu` is another word for `cuda`."""
    if name not in DEVICES:
        raise UnknownName("device", str(name), DEVICES)
    return DEVICES[name]


def open_device(name: str, book: Rulebook, senses: Any = None) -> Device:
    """Returns a device for batches of a game or, with senses, for drills."""
    if device_named(name) == "cpu":
        return Cpu(book, None if senses is None else book.drill_loops(senses))
    from botyard.kernel.cuda import Cuda

    return Cuda(book, senses)
