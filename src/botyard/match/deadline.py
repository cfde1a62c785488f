"""How long a bot has had, and until when it may answer: the one place in which deadlines are judged."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from botyard.match.clock import Clock

T = TypeVar("T")

OWN_LAG_S = 0.02
"""A time-out noticed later than this is our own delay, not the bot's."""


GRAIN_S = 0.001  # less than this is no time to answer in


class Stopwatch:
    """Time since it was made, without that in which we ourselves were held up."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._held = clock.held_up()
        self._began = clock.now()

    @property
    def seconds(self) -> float:
        return max(0.0, self._clock.now() - self._began - (self._clock.held_up() - self._held))

    @property
    def ms(self) -> float:
        return self.seconds * 1000


class Deadline(Stopwatch):
    """The time for one answer, from now on; None is for ever."""

    def __init__(self, clock: Clock, limit_s: float | None) -> None:
        super().__init__(clock)
        self._limit_s = limit_s

    async def wait(self, read: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """What `read` gives, or TimeoutError. A read may be broken off and begun again, and must lose nothing by it.

        After a stall of ours the rest of the time is still the bot's. And if a time-out is noticed late although
        nothing was held up, because this loop was busy, one more look is taken: what lies here by now may have come in
        time, and the doubt is the bot's.
        """
        if self._limit_s is None:
            return await self._clock.within(None, read())
        began, left = self._clock.now(), self._limit_s - self.seconds
        while True:
            try:
                return await self._clock.within(max(0.0, left), read())
            except TimeoutError:
                noticed = self._clock.now()
            late, left = noticed - began - max(0.0, left), self._limit_s - self.seconds
            if left <= GRAIN_S:
                break
            began = noticed
        if late <= OWN_LAG_S:
            raise TimeoutError
        return await self._clock.within(OWN_LAG_S, read())
