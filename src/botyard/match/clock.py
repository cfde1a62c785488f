"""Time is monotonic and injected: a match never looks at the wall clock, and its tests never sleep."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Protocol, TypeVar

T = TypeVar("T")


class Clock(Protocol):
    """Seconds that only go forward, and waiting that ends in time."""

    def now(self) -> float: ...

    async def within(self, seconds: float | None, awaited: Awaitable[T]) -> T:
        """The result, or TimeoutError; None waits for ever."""
        ...


class LoopClock:
    """The running event loop's own clock."""

    def now(self) -> float:
        return asyncio.get_running_loop().time()

    async def within(self, seconds: float | None, awaited: Awaitable[T]) -> T:
        async with asyncio.timeout(seconds):
            return await awaited
