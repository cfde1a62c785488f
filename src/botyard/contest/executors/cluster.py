"""A Ray cluster: an existing one by its address, or one on this machine. Several machines share the work.

A worker is an actor; one that dies, with its process or with its whole machine, loses nothing but the share it had.
Every machine needs Botyard, and the contest's folder under the same path (a shared file system) if bots are programs.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from typing import Any

from botyard.contest.brief import Brief, Job, Report
from botyard.contest.crew import Crew
from botyard.contest.executors import Done, Event, Lost
from botyard.kernel.errors import YardError

STALLED_S = 600.0


class Hand:
    """What runs on the cluster."""

    def __init__(self, brief: Brief) -> None:
        os.chdir(brief.folder)
        self._crew = Crew(brief)

    def play(self, share: Sequence[Job]) -> list[Report]:
        return list(self._crew.play(share))


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
        self._hands: dict[str, Any] = {f"worker {number}": None for number in range(1, self.workers + 1)}
        self._calls: dict[Any, tuple[str, float]] = {}  # what is under way: the worker, and since when

    def _join(self, address: str) -> None:
        try:
            self._ray.init(
                address=address or None, log_to_driver=False, logging_level="error", configure_logging=False,
                **({} if address else {"include_dashboard": False}),
            )  # fmt: skip
        except (ConnectionError, ValueError, RuntimeError) as error:
            raise YardError(f"no Ray cluster at {address!r}", hint=str(error).splitlines()[0]) from None

    def _hand(self, worker: str) -> Any:
        if self._hands[worker] is None:
            actor = self._ray.remote(num_cpus=1, max_restarts=0)(Hand)
            self._hands[worker] = actor.remote(self._brief)
        return self._hands[worker]

    def idle(self) -> list[str]:
        busy = {worker for worker, _ in self._calls.values()}
        return [worker for worker in self._hands if worker not in busy]

    def start(self, worker: str, share: Sequence[Job]) -> None:
        call = self._hand(worker).play.remote(list(share))
        self._calls[call] = worker, time.monotonic()

    def wait(self, seconds: float) -> list[Event]:
        if not self._calls:
            time.sleep(seconds)
            return []
        ready, _ = self._ray.wait(list(self._calls), num_returns=1, timeout=seconds)
        if ready:
            ready, _ = self._ray.wait(list(self._calls), num_returns=len(self._calls), timeout=0)
        return [self._hear(call) for call in ready] + self._stalled()

    def _hear(self, call: Any) -> Event:
        worker, _ = self._calls.pop(call)
        try:
            return Done(worker, tuple(self._ray.get(call)))
        except self._ray.exceptions.RayError as error:
            self._dismiss(worker)
            return Lost(worker, f"the worker died ({str(error).splitlines()[0]})")

    def _stalled(self) -> list[Event]:
        late = [(call, worker) for call, (worker, since) in self._calls.items() if time.monotonic() - since > STALLED_S]
        for call, worker in late:
            del self._calls[call]
            self._dismiss(worker)
        return [Lost(worker, f"no answer for {STALLED_S:g} s") for _, worker in late]

    def _dismiss(self, worker: str) -> None:
        if self._hands[worker] is not None:
            self._ray.kill(self._hands[worker])
            self._hands[worker] = None

    def close(self) -> None:
        for worker in self._hands:
            self._dismiss(worker)
        self._calls = {}
        if self._ours:
            self._ray.shutdown()
