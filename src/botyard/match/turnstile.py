"""A turnstile lets a crowd through a few at a time.

Whoever wakes up at the same moment is run by the event loop one after another before it looks at its clock again. Two
hundred pages that are told of the same tick would hold up a room's metronome for as long as all of them take. At a
turnstile a crowd waits asleep; once it is released a few wake up and go on, the clock is looked at, then the next few.
"""

from __future__ import annotations

import asyncio
from collections import deque

AT_ONCE = 4


class Turnstile:
    """Lets so many through in one round of the event loop, in the order in which they came."""

    def __init__(self, at_once: int = AT_ONCE) -> None:
        self._at_once = at_once
        self._waiting: dict[asyncio.Future[None], None] = {}  # in the order in which they came
        self._released: deque[asyncio.Future[None]] = deque()

    async def wait(self) -> None:
        """Waits for the next release, and then for one's turn."""
        mine = asyncio.get_running_loop().create_future()
        self._waiting[mine] = None
        try:
            await mine
        finally:
            self._waiting.pop(mine, None)  # who goes before a release leaves nothing behind

    def release(self) -> None:
        """Lets all go on who wait now. Whoever comes later waits for the next release."""
        if not self._waiting:
            return
        turning = bool(self._released)
        self._released.extend(self._waiting)
        self._waiting.clear()
        if not turning:
            asyncio.get_running_loop().call_soon(self._let_through)

    def _let_through(self) -> None:
        passed = 0
        while self._released and passed < self._at_once:
            first = self._released.popleft()
            if not first.done():  # who has gone meanwhile takes nobody's place
                first.set_result(None)
                passed += 1
        if self._released:
            asyncio.get_running_loop().call_soon(self._let_through)
