"""How often something may be asked, by address and by person. What is refused costs next to nothing.

A limit is a bucket that fills up again: so many at once, and then so many a second. Levels are kept in memory only; a
server that starts again forgives.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from dataclasses import dataclass

from botyard.yard.data.times import SECOND
from botyard.yard.refusals import TooMuch

MOST_KEPT = 50_000  # buckets; those not used for longest go first


@dataclass(frozen=True, slots=True)
class Rate:
    """How many of something may come at once, and how many a second in the long run."""

    name: str
    burst: int
    per_s: float
    said: str = "too many requests"


# A whole class often has one address, and a page loads a dozen files.
ANYTHING = Rate("requests of an address", 1500, 150.0)
CHANGES = Rate("changes of an address", 200, 4.0)
ENTRANCES = Rate("logins of an address", 60, 0.5, "too many attempts to sign in or register from your address")
REGISTRATIONS = Rate("registrations in rooms from an address", 60, 0.5, "too many registrations from your address")
ANYTHING_OF_ONE = Rate("requests of a person", 600, 60.0)
CHANGES_OF_ONE = Rate("changes of a person", 100, 2.0)
LOGIN = Rate("logins of a name from an address", 8, 1 / 30, "too many attempts to sign in with this name")
LOGIN_ANYWHERE = Rate("logins of a name", 60, 1 / 10, "too many attempts to sign in with this name")


class RateLimits:
    """The levels of all buckets."""

    def __init__(self) -> None:
        self._levels: OrderedDict[tuple[str, str], tuple[float, int]] = OrderedDict()

    def spend(self, rate: Rate, key: str, now_ms: int) -> None:
        """Takes one out of a bucket; refuses if it is empty, and says when there will be one again."""
        level, at_ms = self._levels.pop((rate.name, key), (float(rate.burst), now_ms))
        level = min(rate.burst, level + max(0, now_ms - at_ms) / SECOND * rate.per_s)
        short = level < 1
        self._levels[rate.name, key] = (level if short else level - 1, now_ms)
        if len(self._levels) > MOST_KEPT:
            self._levels.popitem(last=False)
        if short:
            wait_s = math.ceil((1 - level) / rate.per_s)
            raise TooMuch(rate.said, wait_s, hint=f"try again in {wait_s} s")
