"""This module has rules compiled: as parts and entries where that works, else by Numba's plain `njit`.

Parts and entries (`parts.py`) take half the time and give faster code, but they reach into Numba, whose inside may
change with any version. So they are an optimisation: a trial tells whether they work with the Numba at hand, and its
answer is kept on disk. Both ways give the same games, byte by byte. `BOTYARD_COMPILER` chooses one by name.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Literal, cast

import numba
import numpy as np
from numba.core import caching
from numba.core.errors import NumbaExperimentalFeatureWarning

from botyard.kernel import cache as kept
from botyard.kernel.errors import YardError
from botyard.kernel.stamp import KERNEL, toolchain

njit: Any = numba.njit  # type checkers know too little of it

Way = Literal["parts", "plain"]
WAYS: tuple[Way, ...] = ("parts", "plain")


@cache
def way() -> Way:
    """Returns how rules are compiled in this process."""
    chosen = os.environ.get("BOTYARD_COMPILER") or "auto"
    if chosen not in ("auto", *WAYS):
        raise YardError(f"BOTYARD_COMPILER is {chosen!r}", hint="use parts or plain, or leave it unset")
    return remembered() if chosen == "auto" else cast(Way, chosen)


def compile_rule(function: Callable[..., Any], boundscheck: bool) -> Any:
    """Returns a rule that is compiled when it is first called, unless it is found on disk."""
    # error_model numpy: a division never raises, as on the GPU; nogil: a batch runs on all cores as plain threads.
    options = {"nogil": True, "error_model": "numpy", "boundscheck": boundscheck}
    if way() == "plain":
        return compile_plainly(function, options)
    from botyard.kernel.parts import compile_in_parts

    return compile_in_parts(function, options)


def compile_plainly(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    """Returns a rule that Numba compiles and keeps in its own way, but in our folder."""
    kept.install(function, caching)
    dispatcher = njit(**options, cache=True)(function)
    dispatcher._cache.save_overload = without_room(dispatcher._cache.save_overload)
    dispatcher.compile = without_doubts(dispatcher.compile)
    return dispatcher


def without_room(save: Callable[..., None]) -> Callable[..., None]:
    """Lets saving fail: a rule that finds no room on disk still runs, and is compiled again next time."""

    def save_if_possible(*args: Any) -> None:
        with contextlib.suppress(OSError):
            save(*args)

    return save_if_possible


def without_doubts(compile_for: Callable[..., Any]) -> Callable[..., Any]:
    """Lets Numba use a rule compiled for a record also for a record that begins with the same fields.

    It calls that experimental and warns of it; the fields lie at the same places, so the rule does the same.
    """

    def compile_silently(*args: Any) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NumbaExperimentalFeatureWarning)
            return compile_for(*args)

    return compile_silently


# The trial


def remembered() -> Way:
    """Returns the kept answer of the trial for this Numba, processor and `parts.py`; without one it makes the trial."""
    asked = hashlib.sha256("\n".join(toolchain()).encode() + (KERNEL / "parts.py").read_bytes()).hexdigest()[:16]
    folder = kept.usable_home() / "rules" / f"compiler-{asked}"
    for answer in WAYS:
        if (folder / answer).exists():
            return answer
    found: Way = "parts" if parts_work() else "plain"
    if found == "plain":
        kept.announce(f"Botyard's compiler does not support Numba {toolchain()[1]}; rules run slower under Numba's own")
    with contextlib.suppress(OSError):  # no room: then it is tried again next time
        folder.mkdir(parents=True, exist_ok=True)
        (folder / found).touch()
    return found


def parts_work() -> bool:
    """Whether a small rule that calls another can be compiled as parts and entry, runs, and is found on disk again."""
    try:
        with tempfile.TemporaryDirectory(prefix="botyard-", dir=kept.usable_home()) as folder:
            return trial(Path(folder)) == [(TRIAL_SUM, 0), (TRIAL_SUM, 1)]
    except Exception:  # Numba may fail in any way
        return False


TRIAL_CELLS = (250, 7, 3)
TRIAL_SUM = 2 * sum(TRIAL_CELLS)


def trial(folder: Path) -> list[tuple[int, int]]:
    """Returns the sums of a rule that is first compiled and then loaded, each with how often it was found on disk."""
    from botyard.kernel.parts import compile_in_parts

    options = {"nogil": True, "error_model": "numpy", "boundscheck": False}

    def doubled(number: int) -> int:
        return 2 * number  # pragma: no cover - compiled

    double: Any = compile_in_parts(doubled, options)

    def total(records: Any) -> int:  # pragma: no cover - compiled
        found = 0
        for at in range(len(records[0].cells)):
            found += double(records[0].cells[at])
        return found

    records = np.zeros(1, [("cells", "u1", (len(TRIAL_CELLS),))])
    records["cells"] = TRIAL_CELLS
    results = []
    for _ in range(2):
        sum_up = compile_in_parts(total, options, folder)
        results.append((sum_up(records), sum(sum_up.stats.cache_hits.values())))
    return results
