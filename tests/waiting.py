"""Waiting for something that will be, and not for ever: a test never sleeps and hopes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

T = TypeVar("T")

PATIENCE_S = 60.0  # however busy the machine is; `timeout` in pyproject.toml is the bound of a whole test


def wait_until(happened: Callable[[], Any], otherwise: Callable[[], Any] = lambda: "it did not happen") -> None:
    """Returns as soon as something is true; fails, saying what is the case otherwise, if it does not come true."""
    deadline = time.monotonic() + PATIENCE_S
    while not happened():
        assert time.monotonic() < deadline, otherwise()
        time.sleep(0.01)


async def until(happened: Callable[[], Any]) -> None:
    """The same in an event loop, which goes on meanwhile."""
    async with asyncio.timeout(PATIENCE_S):
        while not happened():
            await asyncio.sleep(0.005)


async def soon(awaited: Awaitable[T]) -> T:
    """What is awaited, unless it never comes."""
    async with asyncio.timeout(PATIENCE_S):
        return await awaited
