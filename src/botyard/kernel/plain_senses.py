"""The senses of a game that has none of its own: its view's board and numbers, as they are; the score is the worth.

A template like `loops.py`: the loader binds the names of the view's fields.
"""

from __future__ import annotations

from typing import Any

from numba import literal_unroll

from botyard.kernel.records import Record
from botyard.kernel.rule import rule
from botyard.kernel.senses import NUMBER_LIMITS, SensedNumber

SHAPE: tuple[int, int]  # bound by the loader
BOARD: str  # the field of the view that is its board; empty if there is none
FIELDS: tuple[str, ...]  # the fields of the view that are numbers
NUMBERS: tuple[SensedNumber, ...]

CODES: tuple[str, ...] = tuple(f"code {code} of the view" for code in range(256))
LEAST, MOST = int(NUMBER_LIMITS.min), int(NUMBER_LIMITS.max)


def sense_shape(arena: Any) -> tuple[int, int]:
    return SHAPE


if BOARD:

    @rule
    def sense(arena: Record, view: Record, memory: Record, row: int, col: int) -> int:
        return view[BOARD][row, col]
else:

    @rule
    def sense(arena: Record, view: Record, memory: Record, row: int, col: int) -> int:
        return 0


if FIELDS:

    @rule
    def numbers(arena: Record, view: Record, memory: Record, out: Record) -> None:
        at = 0
        for name in literal_unroll(FIELDS):
            out[at] = min(max(view[name], LEAST), MOST)
            at += 1
else:

    @rule
    def numbers(arena: Record, view: Record, memory: Record, out: Record) -> None:
        out[0] = 0
