"""A turnstile lets a crowd through a few at a time.

Whoever wakes up at the same moment is run by the event loop one after another before it looks at its clock again. Two
hundred pages that are told of the same tick would hold up a room's metronome for as long as all of them take. Behind a
turnstile a few go on, the clock is looked at, then the next few go on.
"""

from __future__ import annotations

import asyncio
from collections import deque

AT_ONCE = 8


class Turnstile:
    """Lets so many through in one round of the event loop, in the order in which they came."""

    def __init__(self, at_once: int = AT_ONCE) -> None:
        self._at_once = at_once
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._turning = False

    async def turn(self) -> None:
        """Waits for one's turn."""
        loop = asyncio.get_running_loop()
        mine = loop.create_future()
        self._waiting.append(mine)
        if not self._turning:
            self._turning = True
            loop.call_soon(self._let_through, loop)
        await mine

    def _let_through(self, loop: asyncio.AbstractEventLoop) -> None:
        passed = 0
        while self._waiting and passed < self._at_once:
            first = self._waiting.popleft()
            if not first.done():  # who has gone meanwhile takes nobody's place
                first.set_result(None)
                passed += 1
        self._turning = bool(self._waiting)
        if self._turning:
            loop.call_soon(self._let_through, loop)
