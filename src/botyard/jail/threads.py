"""Work that blocks runs in threads, so that the event loop, and with it every other game, goes on meanwhile.

A thread cannot be broken off. So whoever is cancelled while one works is told so only when it has finished: what is
cleaned up afterwards then stays clean.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from functools import partial
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


async def in_thread(work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """The result of a function that blocks."""
    return await finished(asyncio.get_running_loop().run_in_executor(None, partial(work, *arguments, **named)))


async def finished(working: asyncio.Future[T]) -> T:
    """The result of something that goes on to its end even if whoever waits for it is cancelled."""
    try:
        return await asyncio.shield(working)
    except asyncio.CancelledError:
        while not working.done():
            with contextlib.suppress(asyncio.CancelledError):  # the first is passed on below, and one is enough
                await asyncio.wait([working])
        if not working.cancelled():
            working.exception()  # nobody is left to hear of it
        raise
