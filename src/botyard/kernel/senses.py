"""What a learner senses: how a game's part `senses` describes its codes and numbers, and the senses of a game without.

Senses are rules over a view and a memory, so that they run wherever the game does, and nothing that a seat cannot know
leaks in. Codes are small whole numbers, one for each cell, not planes of zeros and ones: a fortieth of the bytes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from botyard.kernel.records import Layout, told_fields

CODE = np.uint8  # the type of sensed cells
NUMBER = np.int16  # the type of sensed numbers

NUMBER_LIMITS = np.iinfo(NUMBER)


class SensedNumber(NamedTuple):
    """One of the numbers that are sensed beside the cells."""

    name: str
    low: int
    high: int
    about: str


def shown_board(view: Layout) -> str:
    """Returns the field of a view that is its board: the first table of bytes; empty if there is none."""
    for name in told_fields(view):
        kind = view[name]
        if kind.ndim == 2 and kind.base == CODE:
            return name
    return ""


def shown_numbers(view: Layout) -> list[str]:
    """Returns the fields of a view that are single numbers."""
    return [name for name in told_fields(view) if view[name].kind in "iu" and view[name].ndim == 0]


def plain_numbers(view: Layout) -> tuple[SensedNumber, ...]:
    """Describes the numbers that are sensed of a view by a game without senses of its own."""
    told = []
    for name in shown_numbers(view):
        limits = np.iinfo(view[name])
        low, high = max(limits.min, NUMBER_LIMITS.min), min(limits.max, NUMBER_LIMITS.max)
        told.append(SensedNumber(name, int(low), int(high), "as the view has it"))
    return tuple(told)
