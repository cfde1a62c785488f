"""Host jitter: how late our own timer wakes while a game is played.

A bot that is late on a machine that is late itself is not to blame, and its author wants to know. The same event loop
that judges the deadlines is asked for a wake-up every few milliseconds, and how much later it comes is counted. About a
millisecond is the timer's own grain. Functions that are played inside this process hold the loop up, and show here.
"""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

EVERY_S = 0.02
GRAINS_PER_MS = 10  # lateness is counted in tenths of a millisecond: a long game takes no more memory than a short one


@dataclass(frozen=True, slots=True)
class Lateness:
    """How late our own timer woke, over a game or over several."""

    samples: int
    p50_ms: float
    p99_ms: float
    max_ms: float

    @classmethod
    def of(cls, counted: Counter[int]) -> Lateness | None:
        if not counted:
            return None
        p50, p99, most = (rank_of(counted, share) / GRAINS_PER_MS for share in (0.5, 0.99, 1.0))
        return cls(counted.total(), p50, p99, most)

    @classmethod
    def worst(cls, several: Sequence[Lateness]) -> Lateness | None:
        """Over several games: the figures of the worst of them, because the rest is no longer known."""
        if not several:
            return None
        return cls(
            sum(one.samples for one in several),
            max(one.p50_ms for one in several),
            max(one.p99_ms for one in several),
            max(one.max_ms for one in several),
        )


def rank_of(counted: Counter[int], share: float) -> int:
    """The smallest value that so large a share of the counted ones does not exceed."""
    wanted, seen = math.ceil(share * counted.total()), 0
    for value in sorted(counted):
        seen += counted[value]
        if seen >= wanted:
            return value
    raise ValueError("nothing was counted")


class JitterGauge:
    """Measures from `begin` to `end`, on the running event loop."""

    def __init__(self) -> None:
        self._counted: Counter[int] = Counter()
        self._timer: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        loop = asyncio.get_running_loop()
        due = loop.time() + EVERY_S

        def wake() -> None:
            self._counted[round((loop.time() - due) * 1000 * GRAINS_PER_MS)] += 1
            self.begin()

        self._timer = loop.call_at(due, wake)

    def end(self) -> Lateness | None:
        if self._timer is not None:
            self._timer.cancel()
        return Lateness.of(self._counted)
