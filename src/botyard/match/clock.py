"""Time is monotonic and injected: a match never looks at the wall clock, and its tests never sleep.

Time in which this process itself is held up is nobody's: it was stopped (Ctrl-Z, a frozen container), or its event loop
was blocked. No answer can be noticed meanwhile, so it is neither charged to a bot nor counted against its deadline.

How it is measured. While somebody waits for a bot, the event loop is to give a sign of life every 20 ms. What a gap
between two signs is longer than that was held up, except for two things that a bot could bring about on purpose:

- the processor time this thread has used: a bot that sends us much to read, and so makes us busy, gains nothing by it;
- the time this thread was ready to run and waited for a processor: a bot that keeps all cores busy gains nothing. With
  128 busy processes on two cores the longest such wait was 0.27 s, and they can be repeated without end. A machine
  that is merely slow is slow for its bots, too; the host jitter of the turn report tells of it.

What is left no bot can do: from inside a cage nobody can stop or freeze us. Therefore nothing limits it: a contest may
be stopped for an hour and go on.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar
from weakref import WeakKeyDictionary, ref

T = TypeVar("T")

BEAT_S = 0.02
TOLERANCE_S = 0.01  # a gap that is longer by less than this is the timer's own grain

SCHEDULED = "/proc/thread-self/schedstat"
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
    try:
        file = os.open(SCHEDULED, os.O_RDONLY | os.O_CLOEXEC)  # a third of the time that `open` takes
        try:
            return int(os.read(file, 100).split()[1]) / 1e9
        finally:
            os.close(file)
    except (OSError, ValueError, IndexError):
        return None


class Pulse:
    """The signs of life of one event loop, and what was missing between them."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        used: Callable[[], float] = time.thread_time,
        queued: Callable[[], float | None] = queued_s,
    ) -> None:
        self._loop = ref(loop)  # or a loop would be kept for ever by the pulse that is kept for it
        self._measure_used, self._measure_queued = used, queued
        self._held = 0.0
        self._last, self._used, self._queued = loop.time(), used(), queued()
        self._waiting = 0
        self._beats = False

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        loop = self._loop()
        assert loop is not None
        return loop

    def held_up(self) -> float:
        """Seconds so far. To be asked is a sign of life itself: after a stall the answer may come before the beat.

        To ask the kernel costs more than all the rest, so it is asked at every beat, and here only after a gap. What we
        used between the last beat and the gap is then taken off, too: at most 20 ms of a stall are charged for it.
        """
        now = self.loop.time()
        late = now - self._last - BEAT_S
        self._last = now
        if late > TOLERANCE_S:
            used, queued = self._used, self._queued
            self._measure()
            lost = late - (self._used - used)
            if queued is not None and self._queued is not None:
                self._held += max(0.0, lost - (self._queued - queued))
            elif lost > UNTOLD_S:
                self._held += lost
        return self._held

    def _measure(self) -> None:
        self._used, self._queued = self._measure_used(), self._measure_queued()

    def enter(self) -> None:
        """Somebody begins to wait."""
        self._waiting += 1
        if not self._beats:
            self._beat()

    def leave(self) -> None:
        """One of those who waited waits no longer. If it was the last, one more beat follows and then none."""
        self._waiting -= 1

    def _beat(self) -> None:
        self.held_up()
        self._beats = self._waiting > 0
        if self._beats:
            self._measure()
            self.loop.call_later(BEAT_S, self._beat)


PULSES: WeakKeyDictionary[asyncio.AbstractEventLoop, Pulse] = WeakKeyDictionary()


def pulse_of(loop: asyncio.AbstractEventLoop) -> Pulse:
    """All clocks of an event loop share its pulse."""
    pulse = PULSES.get(loop)
    if pulse is None:
        pulse = PULSES[loop] = Pulse(loop)
    return pulse


class LoopClock:
    """The running event loop's own clock."""

    def __init__(self) -> None:
        self._pulse: Pulse | None = None

    def now(self) -> float:
        return asyncio.get_running_loop().time()

    def held_up(self) -> float:
        return self._current().held_up()

    def _current(self) -> Pulse:
        """The pulse of the running loop; a clock may be used in several, one after the other."""
        loop = asyncio.get_running_loop()
        if self._pulse is None or self._pulse.loop is not loop:
            self._pulse = pulse_of(loop)
        return self._pulse

    async def within(self, seconds: float | None, awaited: Awaitable[T]) -> T:
        pulse = self._current()
        pulse.enter()
        try:
            async with asyncio.timeout(seconds):
                return await awaited
        finally:
            pulse.leave()
