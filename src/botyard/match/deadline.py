"""How long a bot has had, and until when it may answer: the one place in which deadlines are judged."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Coroutine
from typing import Any, TypeAlias, TypeVar

from botyard.kernel.verdict import Fault, Verdict
from botyard.match.clock import Clock

T = TypeVar("T")
Read: TypeAlias = Callable[[], Coroutine[Any, Any, T]]
"""Reads on until there is something. It may be broken off and begun again, and must lose nothing by it."""

OWN_LAG_S = 0.02
"""A time-out noticed later than this is our own delay, not the bot's."""

UNREADABLE = {Verdict.GARBLED, Verdict.INVALID}
"""An answer, if a bad one; one that would have ended the game comes too late for that."""

STOPPED = Fault(Verdict.SILENT, "stopped because it had timed out too often")

GRAIN_S = 0.001  # less than this is no time to answer in


def is_answer(owed: int | Fault) -> bool:
    """Whether something that came after the time was an answer at all."""
    return not isinstance(owed, Fault) or owed.verdict in UNREADABLE


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

    async def order(
        self,
        read: Read[int | Fault],
        missing: Callable[[], Fault],
        settle_ms: int = 0,
        has_answered: Callable[[], bool] = lambda: False,
        is_late_answer: Callable[[int | Fault], bool] = is_answer,
    ) -> int | Fault:
        """A bot's order, or its fault: the one place in which in time, late and silent are told apart.

        If the bot `has_answered` in time and we have yet to hear it, we read on without a limit. Otherwise the owed
        answer is waited for a little longer, `settle_ms`, at nobody's cost but the bot's own: if it comes the bot was
        late. If it does not, `missing` says why there is none.
        """
        try:
            return await self.wait(read)
        except TimeoutError:
            pass
        if has_answered():
            return await read()
        if settle_ms > 0:
            with contextlib.suppress(TimeoutError):
                if is_late_answer(await Deadline(self._clock, settle_ms / 1000).wait(read)):
                    return self.late("answered")
        return missing()

    def late(self, did: str) -> Fault:
        """What a bot did came after its time."""
        limit_ms = 1000 * (self._limit_s or 0)
        return Fault(Verdict.LATE, f"{did} after {self.ms:.0f} ms; the limit is {limit_ms:.0f} ms")

    async def wait(self, read: Read[T]) -> T:
        """What `read` gives, or TimeoutError.

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
