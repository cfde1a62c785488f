"""A Ray cluster: an existing one by its address, or one on this machine. Several machines share the work.

A worker is an actor; one that dies, with its process or with its whole machine, loses nothing but the share it had.
Every machine needs Botyard, and the contest's folder under the same path (a shared file system) if bots are programs.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from botyard.contest.brief import Brief, Job, Report
from botyard.contest.crew import Crew
from botyard.contest.executors import Done, Event, Lost
from botyard.kernel.errors import YardError

STALLED_S = 600.0
PATIENCE = 3  # failed starts of each worker before the cluster is given up


class Hand:
    """What runs on the cluster."""

    def __init__(self, brief: Brief) -> None:
        os.chdir(brief.folder)
        self._crew = Crew(brief)

    def ready(self) -> None:
        """Answers once there is room for it on some machine, and it has read its bots."""

    def play(self, share: Sequence[Job]) -> list[Report]:
        return list(self._crew.play(share))


@dataclass(frozen=True, slots=True)
class Call:
    """Something asked of a worker: to be there, or to play."""

    worker: str
    plays: bool
    since: float


def load_ray() -> Any:
    try:
        import ray
    except ImportError:
        raise YardError(
            "the executor ray needs Ray", hint="pip install 'botyard[ray]', or executor = \"local\""
        ) from None
    return ray


class RayCluster:
    def __init__(self, brief: Brief, workers: int = 0, address: str = "") -> None:
        self._ray, self._brief = load_ray(), brief
        self._ours = not self._ray.is_initialized()
        if self._ours:
            self._join(address)
        cores = int(self._ray.cluster_resources().get("CPU", 1))
        self.workers = workers or cores
        self._hands: dict[str, Any] = {}
        self._calls: dict[Any, Call] = {}  # what is under way
        self._idle: list[str] = []
        self._failed = 0  # workers in a row that never became ready
        for number in range(1, self.workers + 1):
            self._hire(f"worker {number}")

    def _join(self, address: str) -> None:
        try:
            self._ray.init(
                address=address or None, log_to_driver=False, logging_level="error", configure_logging=False,
                **({} if address else {"include_dashboard": False}),
            )  # fmt: skip
        except (ConnectionError, ValueError, RuntimeError) as error:
            raise YardError(f"no Ray cluster at {address!r}", hint=str(error).splitlines()[0]) from None

    def _hire(self, worker: str) -> None:
        """Asks for a worker. It is given work only when it is there: a cluster that has shrunk has no room for all."""
        actor = self._ray.remote(num_cpus=1, max_restarts=0)(Hand)
        self._hands[worker] = actor.remote(self._brief)
        self._calls[self._hands[worker].ready.remote()] = Call(worker, False, time.monotonic())

    def idle(self) -> list[str]:
        return list(self._idle)

    def start(self, worker: str, share: Sequence[Job]) -> None:
        self._idle.remove(worker)
        call = self._hands[worker].play.remote(list(share))
        self._calls[call] = Call(worker, True, time.monotonic())

    def wait(self, seconds: float) -> list[Event]:
        if not self._calls:
            return []
        ready, _ = self._ray.wait(list(self._calls), num_returns=1, timeout=seconds)
        if ready:
            ready, _ = self._ray.wait(list(self._calls), num_returns=len(self._calls), timeout=0)
        return [event for call in ready for event in self._hear(call)] + self._stalled()

    def _hear(self, ref: Any) -> list[Event]:
        call = self._calls.pop(ref)
        try:
            answer = self._ray.get(ref)
        except self._ray.exceptions.RayError as error:
            reason = f"the worker died ({str(error).strip().splitlines()[-1]})"
            self._dismiss(call.worker)
            self._failed += not call.plays
            if self._failed > PATIENCE * self.workers:
                raise YardError("no worker can be started on the Ray cluster", hint=reason) from None
            self._hire(call.worker)
            return [Lost(call.worker, reason)] if call.plays else []
        self._idle.append(call.worker)
        self._failed = 0
        return [Done(call.worker, tuple(answer))] if call.plays else []

    def _stalled(self) -> list[Event]:
        now = time.monotonic()
        late = [(ref, call) for ref, call in self._calls.items() if call.plays and now - call.since > STALLED_S]
        for ref, call in late:
            del self._calls[ref]
            self._dismiss(call.worker)
            self._hire(call.worker)
        return [Lost(call.worker, f"no answer for {STALLED_S:g} s") for _, call in late]

    def _dismiss(self, worker: str) -> None:
        self._ray.kill(self._hands.pop(worker))

    def close(self) -> None:
        for worker in list(self._hands):
            self._dismiss(worker)
        self._calls = {}
        if self._ours:
            self._ray.shutdown()
