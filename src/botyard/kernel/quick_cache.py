"""Compiled rules from disk, without the compiler.

Before Numba loads a function it gets itself ready to compile: it imports all it knows of NumPy and fills its
registries, some 0.13 s at every start. Machine code needs none of that, only the runtime its symbols live in. A
function that does have to be compiled misses nothing: the compiler gets itself ready too.
"""

from __future__ import annotations

from typing import Any

from numba.core import caching
from numba.core.runtime import nrt

FunctionCache: Any = caching.FunctionCache  # of which type checkers know too little


class QuickCache(FunctionCache):  # type: ignore[misc]
    """The disk cache of one rule."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        nrt.rtsys.initialize(target_context)
        return self._load_overload(sig, target_context)


def keep_on_disk(dispatcher: Any) -> None:
    """What `njit(cache=True)` does, with this cache."""
    dispatcher._cache = QuickCache(dispatcher.py_func)
