"""This executor plays everything in this process, one share after another: for debugging and for short contests."""

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
        await asyncio.sleep(0)  # games of house bots never await anything: this lets a cancellation in
        if self._share is None:
            return []
        share, self._share = self._share, None
        return [Done(WORKER, tuple(await self._worker.play(share)))]

    async def close(self) -> None:
        """Does nothing: a share is played within `wait`, so nothing is left running."""
