"""Marks are moments of a film worth going to: points won, a seat that is out, a round that ends, a lost turn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from botyard.kernel.scene import NOBODY, Words

MOST = 2000  # of one film; a game in which more happens than that has no moments worth going to


class Mark(NamedTuple):
    """A moment on the timeline."""

    tick: int
    seat: int  # NOBODY: it belongs to all
    kind: str  # won, paid, out, round, turn, event
    text: str


def marks_between(tick: int, before: Words, words: Words) -> Iterator[Mark]:
    """Yields what happened from one position to the next, as can be told of every game; `tick` is the later one."""
    if words.round_number != before.round_number and before.round_number:
        yield Mark(tick, NOBODY, "round", f"round {before.round_number} ends")
    name, points = next(iter(words.numbers.items()))
    earlier = before.numbers[name]
    for seat, (old, new) in enumerate(zip(earlier, points, strict=True)):
        if new - old not in (0, words.steady):
            yield Mark(tick, seat, "won" if new > old else "paid", f"{new - old:+d} {name}")
    for seat in sorted(words.out - before.out):
        yield Mark(tick, seat, "out", "is out")
