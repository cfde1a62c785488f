"""Executors play games: in this process, in processes of this machine, or on a Ray cluster.

An executor has named workers. An idle worker is given a share of games of any contest; events report what became
of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from botyard.contest.messages import GameReport, Share, Sign
from botyard.contest.plan import Running


@dataclass(frozen=True, slots=True)
class Done:
    """The event that a worker has played its share."""

    worker: str
    reports: tuple[GameReport, ...]


@dataclass(frozen=True, slots=True)
class Signed:
    """The event that a worker has given a sign of life."""

    worker: str
    sign: Sign


@dataclass(frozen=True, slots=True)
class Lost:
    """The event that a worker has died, or was ended because it hung; its share is lost."""

    worker: str
    reason: str


Event = Done | Signed | Lost


class Executor(Protocol):
    workers: int

    def idle(self) -> list[str]:
        """Returns the workers that can take a share now."""
        ...

    def start(self, worker: str, share: Share) -> None: ...

    async def wait(self, seconds: float) -> list[Event]:
        """Waits until something has happened, but not longer than `seconds`, and returns the events."""
        ...

    async def close(self) -> None:
        """Ends all workers and leaves nothing running."""
        ...


def open_executor(running: Running) -> Executor:
    """Returns the executor that a contest names."""
    if running.executor == "inline":
        from botyard.contest.executors.inline import Inline

        return Inline()
    if running.executor == "ray":
        from botyard.contest.executors.cluster import RayCluster

        return RayCluster(running.workers, running.address)
    from botyard.contest.executors.local import Local

    return Local(running.workers)
