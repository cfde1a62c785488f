"""Workers on a cluster, and beside them a few on this machine for matches in which people play.

What a person does goes from their page to the server and from there to the worker, over a socket that no other machine
can reach. So such matches are played here, and nothing else is.
"""

from __future__ import annotations

import asyncio
from typing import Final

from botyard.contest.executors import Event, Executor, Work
from botyard.contest.worker_facts import WorkerFacts
from botyard.kernel.devices import core_count

HAND_WORKERS: Final = 4  # at most: one for each core but one, which pages keep
CALLED: Final = "server"  # these workers, and a number


def hand_workers() -> int:
    return max(1, min(HAND_WORKERS, core_count() - 1))


class HandsHere:
    """Two executors as one."""

    far = True

    def __init__(self, cluster: Executor, here: Executor) -> None:
        self._cluster, self._here = cluster, here
        self._waits: dict[int, asyncio.Task[list[Event]]] = {}  # one of each; none is ever cut short: it may have news

    @property
    def workers(self) -> int:
        return self._cluster.workers

    def _of(self, worker: str) -> Executor:
        return self._here if worker.startswith(CALLED) else self._cluster

    def idle(self) -> list[str]:
        return self._cluster.idle() + self._here.idle()

    def stopped(self) -> list[str]:
        return self._cluster.stopped() + self._here.stopped()

    def refused(self) -> dict[str, str]:
        return self._cluster.refused()

    def facts(self, worker: str) -> WorkerFacts | None:
        return self._of(worker).facts(worker)

    def start(self, worker: str, work: Work) -> None:
        self._of(worker).start(worker, work)

    async def end(self, worker: str) -> None:
        await self._of(worker).end(worker)

    async def wait(self, seconds: float) -> list[Event]:
        for number, executor in enumerate((self._cluster, self._here)):
            if number not in self._waits:
                self._waits[number] = asyncio.create_task(executor.wait(seconds))
        await asyncio.wait(self._waits.values(), timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        over = [number for number, waiting in self._waits.items() if waiting.done()]
        return [event for number in over for event in self._waits.pop(number).result()]

    async def close(self) -> None:
        if self._waits:
            await asyncio.wait(self._waits.values())
        await self._cluster.close()
        await self._here.close()
