"""Times of the yard: milliseconds since 1970 (UTC). Tests hand in a clock of their own."""

from __future__ import annotations

import time
from collections.abc import Callable

SECOND = 1000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR

WallClock = Callable[[], int]


def now_ms() -> int:
    return time.time_ns() // 1_000_000
