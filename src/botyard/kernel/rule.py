"""`@rule` marks the functions that are rules, and decides how they run.

A rule is a plain Python function over records (see `records.py`). How it runs is chosen once per process by the
environment variable `BOTYARD_RULES`:

* `compiled` (the default): Numba compiles it, and the result is kept on disk (`cache.py`);
* `checked`: compiled with bounds checks, for parity runs — an index out of range raises instead of writing into the
  neighbouring game;
* `interpreted`: plain Python, for a debugger, for coverage, and under Numba's CUDA simulator.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, TypeVar, cast

from botyard.kernel.errors import YardError
from botyard.kernel.records import Cells

if TYPE_CHECKING:
    from numpy.typing import NDArray

P = ParamSpec("P")
R = TypeVar("R")

Mode = Literal["compiled", "checked", "interpreted"]


def mode_from(environment: dict[str, str]) -> Mode:
    """Returns how rules run in a process with this environment."""
    # The CUDA simulator runs kernels as plain Python and cannot call compiled functions.
    if environment.get("NUMBA_ENABLE_CUDASIM") == "1" or environment.get("NUMBA_DISABLE_JIT") == "1":
        return "interpreted"
    chosen = environment.get("BOTYARD_RULES", "compiled")
    if chosen not in ("compiled", "checked", "interpreted"):
        raise YardError(
            f"BOTYARD_RULES is {chosen!r}",
            hint="use compiled, checked or interpreted, or leave it unset",
        )
    return cast(Mode, chosen)


MODE: Mode = mode_from(dict(os.environ))
INTERPRETED = MODE == "interpreted"


def rule(function: Callable[P, R]) -> Callable[P, R]:
    """Marks a function as part of the rules; the way it runs is decided by `MODE`."""
    return function if INTERPRETED else compiled(function)


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    with hidden("coverage"):  # Numba would import it if it is installed, which takes 0.04 s
        from botyard.kernel.compiler import compile_rule

    return cast("Callable[P, R]", compile_rule(function, boundscheck=MODE == "checked"))


@contextlib.contextmanager
def hidden(module: str) -> Iterator[None]:
    """Keeps a module from being imported in this context, unless it was imported already."""
    if module in sys.modules:
        yield
        return
    sys.modules[module] = None  # type: ignore[assignment]  # makes an import fail
    try:
        yield
    finally:
        del sys.modules[module]


if INTERPRETED:

    def opened(array: NDArray[Any]) -> Any:
        """Returns an array of records or numbers as rules take it: itself, or wrapped if rules are interpreted."""
        return Cells(array)
else:

    def opened(array: NDArray[Any]) -> Any:
        """Returns an array of records or numbers as rules take it: itself, or wrapped if rules are interpreted."""
        return array
