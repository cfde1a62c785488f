"""Executors have work done: in this process, in processes of this machine, or on a Ray cluster.

An executor has named workers. An idle worker is given some work, such as a share of the games of a contest; events
report what became of it. Work is any message that knows how a worker does it, so an executor need not know what it is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from botyard.contest.plan import Running
from botyard.jail.limits import Level

if TYPE_CHECKING:
    from botyard.contest.worker import Worker
    from botyard.contest.worker_facts import WorkerFacts


class Work(Protocol):
    """What a worker can do: a message that is sent to it."""

    async def done_by(self, worker: Worker, progress: Callable[[Any], None]) -> Any:
        """Does the work on the worker's machine and returns what came of it; signs of life go to `progress`."""
        ...


@dataclass(frozen=True, slots=True)
class Done:
    """The event that a worker has done its work."""

    worker: str
    reports: Any  # what the work returned; of a share, the reports of its games


@dataclass(frozen=True, slots=True)
class Signed:
    """The event that a worker has given a sign of life."""

    worker: str
    sign: Any  # what the work told of its progress


@dataclass(frozen=True, slots=True)
class Lost:
    """The event that a worker has died, or was ended because it hung; its work is lost."""

    worker: str
    reason: str


Event = Done | Signed | Lost


class Executor(Protocol):
    far: bool  # whether workers may be on machines that do not have our files

    @property
    def workers(self) -> int:
        """Returns how many workers there are, or should be."""
        ...

    def refused(self) -> dict[str, str]:
        """Returns why workers get no work though they are there, by name: they run another Botyard, for instance."""
        ...

    def facts(self, worker: str) -> WorkerFacts | None:
        """Returns what a worker has told of itself; None if it is one of this machine and installation."""
        ...

    def idle(self) -> list[str]:
        """Returns the workers that can take work now."""
        ...

    def stopped(self) -> list[str]:
        """Returns the workers that somebody has halted: they live and do nothing until they are let go on."""
        ...

    def start(self, worker: str, work: Work) -> None: ...

    async def end(self, worker: str) -> None:
        """Ends a worker whose work nobody wants any more, and puts another in its place. No event tells of it."""
        ...

    async def wait(self, seconds: float) -> list[Event]:
        """Waits until something has happened, but not longer than `seconds`, and returns the events."""
        ...

    async def close(self) -> None:
        """Ends all workers and leaves nothing running."""
        ...


def open_executor(running: Running, level: Level | None = None, *, languages: bool = False) -> Executor:
    """Returns the executor that a contest names. Workers on other machines must be able to hold programs at a level;
    with `languages` they tell which ones they have."""
    if running.executor == "inline":
        from botyard.contest.executors.inline import Inline

        return Inline()
    if running.executor == "ray":
        from botyard.contest.executors.cluster import RayCluster

        return RayCluster(running.workers, running.address, level, languages=languages)
    from botyard.contest.executors.local import Local

    return Local(running.workers)
