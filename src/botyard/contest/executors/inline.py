"""This executor does everything in this process, one piece of work after another: for debugging and short contests."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

from botyard.contest.executors import Done, Event, Signed, Work
from botyard.contest.worker import Worker

WORKER = "inline"


class Inline:
    workers = 1
    far = False

    def __init__(self) -> None:
        self._worker = Worker()
        self._work: Work | None = None
        self._doing: asyncio.Task[Any] | None = None
        self._signs: list[Any] = []

    def idle(self) -> list[str]:
        return [WORKER] if self._work is None and self._doing is None else []

    def refused(self) -> dict[str, str]:
        return {}

    def facts(self, worker: str) -> None:
        return None

    def stopped(self) -> list[str]:
        return []

    def start(self, worker: str, work: Work) -> None:
        self._work = work

    async def wait(self, seconds: float) -> list[Event]:
        await asyncio.sleep(0)  # games of house bots never await anything: this lets a cancellation in
        if self._work is not None:
            work, self._work = self._work, None
            self._doing = asyncio.create_task(work.done_by(self._worker, self._signs.append))
        if self._doing is None:
            return []
        finished, _ = await asyncio.wait([self._doing], timeout=seconds)
        events: list[Event] = [Signed(WORKER, sign) for sign in self._signs]
        self._signs.clear()
        if finished:
            doing, self._doing = self._doing, None
            events.append(Done(WORKER, doing.result()))
        return events

    async def end(self, worker: str) -> None:
        """Breaks off what is being done, which stops its bots."""
        self._work = None
        self._signs.clear()
        if self._doing is not None:
            self._doing.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._doing
            self._doing = None

    async def close(self) -> None:
        await self.end(WORKER)
