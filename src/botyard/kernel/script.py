"""A script is what happened in a game as one array of numbers, so that one compiled call plays all of it again.

Each entry is a head and the numbers that belong to it: a head of 0 or more is followed by that many orders, those of
the seats that are asked, in seat order; a head below 0 is a change, followed by the seat that it concerns.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from botyard.kernel.arrays import ORDER

CHANGES = ("forfeit", "join", "leave")
FORFEIT, JOIN, LEAVE, NO_CHANGE = -1, -2, -3, -4  # heads; no game knows the last one
HEADS = dict(zip(CHANGES, (FORFEIT, JOIN, LEAVE), strict=True))

Script: TypeAlias = NDArray[np.int32]
Entry: TypeAlias = Sequence[int] | dict[str, int]


def script_of(entries: Iterable[Entry]) -> Script:
    """Returns the script of entries as replays keep them: `[order, …]`, or a change such as `{"forfeit": seat}`."""
    numbers: list[int] = []
    for entry in entries:
        if isinstance(entry, dict):
            [(what, seat)] = entry.items()
            numbers += (HEADS.get(what, NO_CHANGE), seat)
        else:
            numbers.append(len(entry))
            numbers += entry
    return np.array(numbers, ORDER)
