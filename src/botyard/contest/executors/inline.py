"""This executor plays everything in this process, one share after another: for debugging and for short contests."""

from __future__ import annotations

import asyncio
import contextlib

from botyard.contest.executors import Done, Event, Signed
from botyard.contest.messages import GameReport, Share, Sign
from botyard.contest.worker import Worker

WORKER = "inline"


class Inline:
    workers = 1

    def __init__(self) -> None:
        self._worker = Worker()
        self._share: Share | None = None
        self._playing: asyncio.Task[list[GameReport]] | None = None
        self._signs: list[Sign] = []

    def idle(self) -> list[str]:
        return [WORKER] if self._share is None and self._playing is None else []

    def start(self, worker: str, share: Share) -> None:
        self._share = share

    async def wait(self, seconds: float) -> list[Event]:
        await asyncio.sleep(0)  # games of house bots never await anything: this lets a cancellation in
        if self._share is not None:
            share, self._share = self._share, None
            self._playing = asyncio.create_task(self._worker.play(share, self._signs.append))
        if self._playing is None:
            return []
        done, _ = await asyncio.wait([self._playing], timeout=seconds)
        events: list[Event] = [Signed(WORKER, sign) for sign in self._signs]
        self._signs.clear()
        if done:
            playing, self._playing = self._playing, None
            events.append(Done(WORKER, tuple(playing.result())))
        return events

    async def close(self) -> None:
        """Breaks off the share that is being played, which stops its bots."""
        if self._playing is not None:
            self._playing.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._playing
            self._playing = None
