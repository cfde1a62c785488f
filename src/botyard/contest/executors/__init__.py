"""Where games are played: in this process, in processes of this machine, or on a Ray cluster.

An executor has named workers. An idle one is given a share of games; what becomes of it comes back as events.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from botyard.contest.messages import Brief, GameReport, Job
from botyard.contest.plan import Running


@dataclass(frozen=True, slots=True)
class Done:
    """A worker has played its share."""

    worker: str
    reports: tuple[GameReport, ...]


@dataclass(frozen=True, slots=True)
class Sign:
    """A sign of life: a game goes on."""

    worker: str
    number: int
    ticks: int


@dataclass(frozen=True, slots=True)
class Lost:
    """A worker has died with its share, or does nothing any more and was ended."""

    worker: str
    reason: str


Event = Done | Sign | Lost


class Executor(Protocol):
    workers: int

    def idle(self) -> list[str]:
        """The workers that can take a share now."""
        ...

    def start(self, worker: str, share: Sequence[Job]) -> None: ...

    def wait(self, seconds: float) -> list[Event]:
        """What has happened; waits until something has, but not longer than this."""
        ...

    def close(self) -> None:
        """Leaves nothing running."""
        ...


def open_executor(running: Running, brief: Brief) -> Executor:
    """The executor a contest names."""
    if running.executor == "inline":
        from botyard.contest.executors.inline import Inline

        return Inline(brief)
    if running.executor == "ray":
        from botyard.contest.executors.cluster import RayCluster

        return RayCluster(brief, running.workers, running.address)
    from botyard.contest.executors.local import Local

    return Local(brief, running.workers)
