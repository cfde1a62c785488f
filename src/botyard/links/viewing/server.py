"""Runs the doors of one command on a free port of this machine."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator

from botyard.links.viewing.guard import HERE, Guard
from botyard.links.web.server import listen, serving


@contextlib.asynccontextmanager
async def viewing(port: int = 0) -> AsyncIterator[Guard]:
    """While inside, the guard's doors are open; 0 is a free port."""
    door = listen(HERE[0], port)
    guard = Guard(door.getsockname()[1])
    async with serving(guard, door):
        yield guard
