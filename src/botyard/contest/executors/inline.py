"""Everything in this process, one share after another: to debug, and for contests that are over in a moment."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from botyard.contest.executors import Done, Event
from botyard.contest.messages import Brief, Job
from botyard.contest.worker import Worker

WORKER = "inline"


class Inline:
    workers = 1

    def __init__(self, brief: Brief) -> None:
        self._folder = brief.folder
        with contextlib.chdir(self._folder):
            self._worker = Worker(brief)
        self._share: Sequence[Job] | None = None

    def idle(self) -> list[str]:
        return [WORKER] if self._share is None else []

    def start(self, worker: str, share: Sequence[Job]) -> None:
        self._share = share

    def wait(self, seconds: float) -> list[Event]:
        if self._share is None:
            return []
        share, self._share = self._share, None
        with contextlib.chdir(self._folder):
            return [Done(WORKER, tuple(self._worker.play(share)))]

    def close(self) -> None:
        """Nothing is left running: a share is played within `wait`."""
