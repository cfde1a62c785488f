"""Senses of a user's own for a drill: a module, found by its name and looked through before anything is compiled."""

from __future__ import annotations

import importlib
from typing import Any

from numba.extending import is_jitted

from botyard.kernel.errors import YardError
from botyard.kernel.records import record_of
from botyard.kernel.rule import INTERPRETED
from botyard.kernel.rulebook import Rulebook
from botyard.kernel.senses import NUMBER_LIMITS
from botyard.kernel.settings import Settings

NEEDED = ("CODES", "NUMBERS", "sense_shape", "sense", "numbers")
RULES = ("sense", "numbers", "note", "worth", "gain")  # the last three may be missing
MOST_CODES = 256  # a cell is one byte


def senses_named(name: str, book: Rulebook, settings: Settings) -> Any:
    """Returns the module of this name if it can serve a game as senses; the game's own if the name is empty."""
    if not name:
        return book.senses
    senses = imported(name)
    if missing := [part for part in NEEDED if not hasattr(senses, part)]:
        raise YardError(f"the senses {name} lack {', '.join(missing)}", hint="a game's `senses.py` is an example")
    for part in RULES:
        if hasattr(senses, part) and not is_rule(getattr(senses, part)):
            raise YardError(f"{name}.{part} is not a rule", hint="mark it: @botyard.kernel.rule.rule")
    if not 1 <= len(senses.CODES) <= MOST_CODES:
        raise YardError(f"{name}.CODES explains {len(senses.CODES)} codes", hint=f"a cell has one of 1 to {MOST_CODES}")
    for number in senses.NUMBERS:
        if not NUMBER_LIMITS.min <= number.low <= number.high <= NUMBER_LIMITS.max:
            hint = f"a number lies between {NUMBER_LIMITS.min} and {NUMBER_LIMITS.max}"
            raise YardError(f"{name}.NUMBERS has {number.name} from {number.low} to {number.high}", hint=hint)
    rows, cols = senses.sense_shape(record_of(book.layout.make_arena(settings)))
    if min(rows, cols) < 1:
        raise YardError(f"{name}.sense_shape returns {rows} rows and {cols} columns", hint="there is at least one cell")
    return senses


def is_rule(function: Any) -> bool:
    """Whether a function is marked as a rule, as far as can be told: interpreted rules are plain functions."""
    return callable(function) if INTERPRETED else bool(is_jitted(function))


def imported(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise  # the module is there, and misses something itself
        hint = "a module is named as in `import`, and must be where Python looks for it"
        raise YardError(f"there is no module {name}", hint=hint) from None
