"""Where games are played: in this process, in processes of this machine, or on a Ray cluster.

An executor has named workers. An idle one is given a share of games, of whatever contest; what becomes of it comes
back as events.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from botyard.contest.messages import GameReport, Share, Sign
from botyard.contest.plan import Running


@dataclass(frozen=True, slots=True)
class Done:
    """A worker has played its share."""

    worker: str
    reports: tuple[GameReport, ...]


@dataclass(frozen=True, slots=True)
class Signed:
    """A worker has given a sign of life."""

    worker: str
    sign: Sign


@dataclass(frozen=True, slots=True)
class Lost:
    """A worker has died with its share, or does nothing any more and was ended."""

    worker: str
    reason: str


Event = Done | Signed | Lost


class Executor(Protocol):
    workers: int

    def idle(self) -> list[str]:
        """The workers that can take a share now."""
        ...

    def start(self, worker: str, share: Share) -> None: ...

    async def wait(self, seconds: float) -> list[Event]:
        """What has happened; waits until something has, but not longer than this."""
        ...

    async def close(self) -> None:
        """Leaves nothing running."""
        ...


def open_executor(running: Running) -> Executor:
    """The executor a contest names."""
    if running.executor == "inline":
        from botyard.contest.executors.inline import Inline

        return Inline()
    if running.executor == "ray":
        from botyard.contest.executors.cluster import RayCluster

        return RayCluster(running.workers, running.address)
    from botyard.contest.executors.local import Local

    return Local(running.workers)
