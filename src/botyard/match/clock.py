"""Time is monotonic and injected: a match never looks at the wall clock, and its tests never sleep.

Time in which this process itself is held up is nobody's: it was stopped (Ctrl-Z, a frozen container), or its event loop
was blocked. No answer can be noticed meanwhile, so it is neither charged to a bot nor counted against its deadline.

How it is measured. While somebody waits for a bot, the event loop is to give a sign of life every 20 ms. What a gap
between two signs is longer than that was held up, except for two things that a bot could bring about on purpose:

- the processor time this thread has used: who sends us much to read, and so makes us busy, gains nothing by it;
- the time this thread was ready to run and waited for a processor: who keeps all cores busy gains nothing either. With
  128 busy processes on two cores the longest such wait was 0.27 s, and they can be repeated without end. A machine
  that is merely slow is slow for its bots, too; the host jitter of the turn report tells of it.

What is left no bot can do: from inside a cage nobody can stop or freeze us. Therefore nothing limits it: a contest may
be stopped for an hour and go on.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Protocol, TypeVar
from weakref import WeakKeyDictionary

T = TypeVar("T")

BEAT_S = 0.02
TOLERANCE_S = 0.01  # a gap that is longer by less than this is the timer's own grain

SCHEDULED = Path("/proc/thread-self/schedstat")
"""Nanoseconds on a processor, nanoseconds ready and waiting for one, and how often it ran."""

UNTOLD_S = 0.5
"""Where the kernel does not tell how long we waited for a processor, only gaps above this count: no busy bots have
brought about one as long."""


class Clock(Protocol):
    """Seconds that only go forward, and waiting that ends in time."""

    def now(self) -> float: ...

    def held_up(self) -> float:
        """Seconds in which we ourselves were held up so far; only differences mean something."""
        ...

    async def within(self, seconds: float | None, awaited: Awaitable[T]) -> T:
        """The result, or TimeoutError; None waits for ever."""
        ...


def queued_s() -> float | None:
    """How long this thread was ready to run and had no processor, as far as the kernel tells."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        return int(SCHEDULED.read_bytes().split()[1]) / 1e9
    return None


class Pulse:
    """The signs of life of one event loop, and what was missing between them."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        used: Callable[[], float] = time.thread_time,
        queued: Callable[[], float | None] = queued_s,
    ) -> None:
        self._loop, self._measure_used, self._measure_queued = loop, used, queued
        self._held = 0.0
        self._last, self._used, self._queued = loop.time(), used(), queued()
        self._waiting = 0
        self._timer: asyncio.TimerHandle | None = None

    def held_up(self) -> float:
        """Seconds so far. To be asked is a sign of life itself: after a stall the answer may come before the beat."""
        now, used = self._loop.time(), self._measure_used()
        late = now - self._last - BEAT_S
        if late > TOLERANCE_S:
            queued = self._measure_queued()
            if queued is None or self._queued is None:
                lost = late - (used - self._used)
                self._held += lost if lost > UNTOLD_S else 0.0
            else:
                self._held += max(0.0, late - (used - self._used) - (queued - self._queued))
            self._queued = queued
        self._last, self._used = now, used
        return self._held

    def enter(self) -> None:
        """Somebody begins to wait."""
        self._waiting += 1
        if self._timer is None:
            self.held_up()
            self._queued = self._measure_queued()
            self._timer = self._loop.call_later(BEAT_S, self._beat)

    def leave(self) -> None:
        """Somebody waits no longer. The next beat is the last if nobody else does."""
        self._waiting -= 1

    def _beat(self) -> None:
        self.held_up()
        self._timer = None
        if self._waiting:
            self._queued = self._measure_queued()
            self._timer = self._loop.call_later(BEAT_S, self._beat)


PULSES: WeakKeyDictionary[asyncio.AbstractEventLoop, Pulse] = WeakKeyDictionary()


def pulse_of(loop: asyncio.AbstractEventLoop) -> Pulse:
    """All clocks of an event loop share its pulse."""
    pulse = PULSES.get(loop)
    if pulse is None:
        pulse = PULSES[loop] = Pulse(loop)
    return pulse


class LoopClock:
    """The running event loop's own clock."""

    def now(self) -> float:
        return asyncio.get_running_loop().time()

    def held_up(self) -> float:
        return pulse_of(asyncio.get_running_loop()).held_up()

    async def within(self, seconds: float | None, awaited: Awaitable[T]) -> T:
        pulse = pulse_of(asyncio.get_running_loop())
        pulse.enter()
        try:
            async with asyncio.timeout(seconds):
                return await awaited
        finally:
            pulse.leave()
