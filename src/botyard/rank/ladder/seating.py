"""This module seats the entries of a table, so that every entry sits in every seat about equally often."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from botyard.rank.ladder.records import LadderEntry
from botyard.rank.ladder.stream import draw_below


def seat_order(entries: Sequence[LadderEntry], stream: int) -> tuple[tuple[LadderEntry, ...], int]:
    """Returns the entries in the order of their seats, and the next state of the stream.

    The order is shuffled first, and then two swap seats as long as both together have sat there less often.
    """
    seated = list(entries)
    for at in range(len(seated) - 1, 0, -1):
        other, stream = draw_below(stream, at + 1)
        seated[at], seated[other] = seated[other], seated[at]
    swapped = True
    while swapped:
        swapped = False
        for one, other in combinations(range(len(seated)), 2):
            if sat(seated[one], other) + sat(seated[other], one) < sat(seated[one], one) + sat(seated[other], other):
                seated[one], seated[other] = seated[other], seated[one]
                swapped = True
    return tuple(seated), stream


def sat(entry: LadderEntry, seat: int) -> int:
    """Returns how often the entry sat in a seat."""
    return entry.seated[seat] if seat < len(entry.seated) else 0


def seat_taken(entry: LadderEntry, seat: int, seats: int) -> tuple[int, ...]:
    """Returns how often the entry sat in each seat after it sits in this one."""
    return tuple(sat(entry, at) + (at == seat) for at in range(seats))
