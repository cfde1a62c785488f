"""How Numba compiles a rule, and finds it on disk again.

Two things are done otherwise than by `njit(cache=True)`, both for a quick start:

* Before Numba loads a function it gets itself ready to compile: it imports all it knows of NumPy and fills its
  registries, some 0.13 s at every start. Machine code needs none of that, only the runtime its symbols live in. A
  function that does have to be compiled misses nothing: the compiler gets itself ready too.
* A rule called by another is compiled for 64-bit integers, whatever field or constant they come from. By itself Numba
  compiles it again for every width, and for every constant.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
from numba.core import caching, types
from numba.core.runtime import nrt

from botyard.kernel import cache

njit: Any = numba.njit  # type checkers know too little of these
unliteral: Any = types.unliteral
FunctionCache: Any = caching.FunctionCache


class QuickCache(FunctionCache):  # type: ignore[misc]
    """The disk cache of one rule."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        nrt.rtsys.initialize(target_context)
        return self._load_overload(sig, target_context)


def compile_rule(function: Callable[..., Any], boundscheck: bool) -> Any:
    """A rule that is compiled when it is first called, unless it is found on disk."""
    cache.install(function, caching)
    # error_model numpy: a division never raises, as on the GPU; nogil: a batch runs on all cores as plain threads.
    decorate = njit(nogil=True, error_model="numpy", boundscheck=boundscheck, no_cfunc_wrapper=True)
    dispatcher = decorate(function)
    # A kernel compiles the rule again with the same options, and knows no wrappers for C.
    dispatcher.targetoptions = {name: one for name, one in dispatcher.targetoptions.items() if "wrapper" not in name}
    dispatcher._cache = QuickCache(function)
    resolve = dispatcher.get_call_template

    def resolve_widened(args: Any, kws: Any) -> Any:
        return resolve(tuple(map(widened, args)), {name: widened(kind) for name, kind in kws.items()})

    dispatcher.get_call_template = resolve_widened
    return dispatcher


def widened(kind: Any) -> Any:
    """The type a rule takes an argument as."""
    return types.int64 if isinstance(kind, types.Integer) and kind != types.uint64 else unliteral(kind)
