"""Everything in this process, one share after another: to debug, and for contests that are over in a moment."""

from __future__ import annotations

import asyncio

from botyard.contest.executors import Done, Event
from botyard.contest.messages import Share
from botyard.contest.worker import Worker

WORKER = "inline"


class Inline:
    workers = 1

    def __init__(self) -> None:
        self._worker = Worker()
        self._share: Share | None = None

    def idle(self) -> list[str]:
        return [WORKER] if self._share is None else []

    def start(self, worker: str, share: Share) -> None:
        self._share = share

    async def wait(self, seconds: float) -> list[Event]:
        await asyncio.sleep(0)  # house bots never wait: without this nobody could break in between two shares
        if self._share is None:
            return []
        share, self._share = self._share, None
        return [Done(WORKER, tuple(await self._worker.play(share)))]

    async def close(self) -> None:
        """Nothing is left running: a share is played within `wait`."""
