"""Workers on several machines, as far as a steward can tell: they really work, all of them in this process."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from botyard.contest.executors import Event, Work
from botyard.contest.executors.inline import WORKER, Inline
from botyard.contest.worker_facts import WorkerFacts, own_facts
from botyard.jail.installed_languages import InstalledLanguage


def machine(name: str, **languages: str) -> WorkerFacts:
    """What a worker on a machine tells: with the trouble that it has with some languages, none if it is empty."""
    told = WorkerFacts.of(own_facts(name, 77, languages=False))
    spoken = [InstalledLanguage(one, one.title(), "", (f"{one} 1",), why, (), 0) for one, why in languages.items()]
    return replace(told, machine=name, languages=tuple(spoken))


class Machines:
    """An executor whose workers are given with the machines that they are on; None: they are on this one."""

    far = True

    def __init__(self, places: dict[str, WorkerFacts | None], refused: dict[str, str] | None = None) -> None:
        self._places, self._refused = places, refused or {}
        self._doing = {worker: Inline() for worker in places}
        self.given: list[tuple[str, Work]] = []

    @property
    def workers(self) -> int:
        return len(self._places)

    def idle(self) -> list[str]:
        return [name for name, one in self._doing.items() if one.idle() and name not in self._refused]

    def stopped(self) -> list[str]:
        return []

    def refused(self) -> dict[str, str]:
        return self._refused

    def facts(self, worker: str) -> WorkerFacts | None:
        return self._places[worker]

    def start(self, worker: str, work: Work) -> None:
        self.given.append((worker, work))
        self._doing[worker].start(WORKER, work)

    async def wait(self, seconds: float) -> list[Event]:
        told = {name: await one.wait(0) for name, one in self._doing.items()}
        events = [replace(event, worker=name) for name, heard in told.items() for event in heard]
        if not events:
            await asyncio.sleep(min(seconds, 0.01))
        return events

    async def end(self, worker: str) -> None:
        await self._doing[worker].end(WORKER)

    async def close(self) -> None:
        for one in self._doing.values():
            await one.close()
