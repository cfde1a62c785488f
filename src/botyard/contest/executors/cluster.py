"""This executor has work done on a Ray cluster: an existing one, found by its address, or one on this machine.

A worker is a Ray actor. If its process or its machine dies, only its work is lost and is done again. Every machine
needs Botyard, and the contest's folder under the same path (a shared file system) if bots are programs.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from botyard.contest.executors import Done, Event, Lost, Signed, Work
from botyard.contest.worker import Worker
from botyard.kernel.errors import YardError

STALLED_S = 600.0  # a worker that gives no sign of life for so long is ended
SIGN_S = 5.0  # how often a worker is asked for a sign
SIGNS = "signs"  # the concurrency group that answers while the worker plays
STORE_BYTES = 100 << 20  # Ray's object store, which Ray cannot size everywhere; shares and reports are small
SOCKETS_ROOM = 32  # longest folder name: with Ray's socket names in it a path may have 107 characters
ENDING_S = 10.0  # how long a machine may take to end a worker that hangs
PATIENCE = 3  # failed starts of each worker before the cluster is given up


class RayWorker:
    """The actor on the cluster that works and answers for signs of life."""

    def __init__(self) -> None:
        self._worker = Worker()
        self._heard: tuple[int, Any] = (0, None)

    def ready(self) -> tuple[str, int]:
        """Returns the machine it runs on, as Ray names it, and its process there; answers once the cluster has room."""
        return str(load_ray().get_runtime_context().get_node_id()), os.getpid()

    def play(self, given: Work) -> Any:
        return asyncio.run(given.done_by(self._worker, self._note))

    def _note(self, sign: Any) -> None:
        self._heard = (self._heard[0] + 1, sign)

    def sign(self) -> tuple[int, Any]:
        """Returns how many signs there were and the last one; Ray answers this even while it works."""
        return self._heard


def end(process: int) -> None:
    """Kills the process of a worker that hangs, on the worker's own machine: a stopped process obeys nothing else."""
    with contextlib.suppress(OSError):
        if Path(f"/proc/{process}/cmdline").read_bytes().startswith(b"ray::"):
            os.kill(process, signal.SIGKILL)


@dataclass(slots=True)
class Call:
    """A pending call to a worker: to become ready, or to work."""

    worker: str
    works: bool
    heard: float = field(default_factory=time.monotonic)  # when the worker last gave a sign
    asked: float = field(default_factory=time.monotonic)  # when it was last asked for one
    sign: tuple[int, Any] = (0, None)
    signing: Any = None  # the pending question for a sign, if any


def load_ray() -> Any:
    try:
        import ray
    except ImportError:
        raise YardError(
            "the executor ray needs Ray", hint="pip install 'botyard[ray]', or executor = \"local\""
        ) from None
    return ray


class RayCluster:
    def __init__(self, workers: int = 0, address: str = "") -> None:
        self._ray = load_ray()
        self._waiting = threading.Lock()  # a cancelled `wait` leaves its thread running for a moment
        self._place: Path | None = None  # where a cluster of our own keeps its files
        self._ours = not self._ray.is_initialized()
        if self._ours:
            self._join(address)
        cores = int(self._ray.cluster_resources().get("CPU", 1))
        self.workers = workers or cores
        self._actors: dict[str, Any] = {}
        self._places: dict[str, tuple[str, int]] = {}  # machine and process of each worker that is ready
        self._calls: dict[Any, Call] = {}  # all pending calls
        self._idle: list[str] = []
        self._failed = 0  # workers in a row that never became ready
        for number in range(1, self.workers + 1):
            self._hire(f"worker {number}")

    def _join(self, address: str) -> None:
        try:
            self._ray.init(
                address=address or "local", log_to_driver=False, logging_level="error", configure_logging=False,
                **({} if address else self._own_cluster()),
            )  # fmt: skip
        except (OSError, ValueError, RuntimeError) as error:
            self._clear()
            where = f"at {address!r}" if address else "can be started here"
            raise YardError(f"there is no Ray cluster {where}", hint=str(error).splitlines()[0]) from None

    def _own_cluster(self) -> dict[str, Any]:
        """Returns the options of a cluster of our own, with a private folder. By default Ray keeps its files where
        everybody may write, and joins any cluster that a file there names; another user could put one there."""
        short = len(tempfile.gettempdir()) <= SOCKETS_ROOM
        self._place = Path(tempfile.mkdtemp(prefix="by-ray-", dir=None if short else "/tmp"))
        own: dict[str, Any] = {"include_dashboard": False, "_temp_dir": str(self._place)}
        if not os.access("/dev/shm", os.W_OK):
            own |= {"_plasma_directory": str(self._place), "object_store_memory": STORE_BYTES}
        return own

    def _hire(self, worker: str) -> None:
        """Asks for a worker. It gets work only when it is ready, because a cluster that shrank has no room for all."""
        actor = self._ray.remote(num_cpus=1, max_restarts=0, concurrency_groups={SIGNS: 1})(RayWorker)
        self._actors[worker] = actor.remote()
        self._calls[self._actors[worker].ready.remote()] = Call(worker, False)

    def idle(self) -> list[str]:
        return list(self._idle)

    def stopped(self) -> list[str]:
        return []  # Ray tells of workers that died, not of those that stand still

    def start(self, worker: str, work: Work) -> None:
        self._idle.remove(worker)
        call = self._actors[worker].play.remote(work)
        self._calls[call] = Call(worker, True)

    async def wait(self, seconds: float) -> list[Event]:
        return await asyncio.to_thread(self._wait, seconds)

    def _wait(self, seconds: float) -> list[Event]:
        with self._waiting:
            if not self._calls:
                return []
            ready, _ = self._ray.wait(list(self._calls), num_returns=1, timeout=seconds)
            if ready:
                ready, _ = self._ray.wait(list(self._calls), num_returns=len(self._calls), timeout=0)
            return [event for call in ready for event in self._hear(call)] + self._signs() + self._stalled()

    def _hear(self, ref: Any) -> list[Event]:
        call = self._calls.pop(ref)
        try:
            answer = self._ray.get(ref)
        except self._ray.exceptions.RayError as error:
            reason = f"the worker died ({str(error).strip().splitlines()[-1]})"
            self._dismiss(call.worker)
            self._failed += not call.works
            if self._failed > PATIENCE * self.workers:
                raise YardError("no worker could be started on the Ray cluster", hint=reason) from None
            self._hire(call.worker)
            return [Lost(call.worker, reason)] if call.works else []
        self._idle.append(call.worker)
        self._failed = 0
        if not call.works:
            self._places[call.worker] = answer
        return [Done(call.worker, answer)] if call.works else []

    def _signs(self) -> list[Event]:
        """Asks busy workers for signs of life, so that a long game is not mistaken for a worker that hangs."""
        events: list[Event] = []
        for call in self._calls.values():
            if not call.works:
                continue
            if call.signing is not None and self._ray.wait([call.signing], timeout=0)[0]:
                with contextlib.suppress(self._ray.exceptions.RayError):  # it has died; its main call reports that
                    count, sign = self._ray.get(call.signing)
                    if sign is not None and (count, sign) != call.sign:
                        call.sign, call.heard = (count, sign), time.monotonic()
                        events.append(Signed(call.worker, sign))
                call.signing = None
            elif call.signing is None and time.monotonic() - call.asked > SIGN_S:
                call.asked = time.monotonic()
                call.signing = self._actors[call.worker].sign.options(concurrency_group=SIGNS).remote()
        return events

    def _stalled(self) -> list[Event]:
        now = time.monotonic()
        late = [(ref, call) for ref, call in self._calls.items() if call.works and now - call.heard > STALLED_S]
        for ref, call in late:
            self._replace(ref, call)
        return [Lost(call.worker, f"no sign of life for {STALLED_S:g} s") for _, call in late]

    def _replace(self, ref: Any, call: Call) -> None:
        del self._calls[ref]
        self._end(call.worker)
        self._dismiss(call.worker)
        self._hire(call.worker)

    async def end(self, worker: str) -> None:
        await asyncio.to_thread(self._end_one, worker)

    def _end_one(self, worker: str) -> None:
        with self._waiting:
            for ref, call in list(self._calls.items()):
                if call.worker == worker and call.works:
                    self._replace(ref, call)

    def _end(self, worker: str) -> None:
        """Kills a worker that hangs. Ray would ask it to leave and keep its room occupied until a timeout."""
        machine, process = self._places[worker]
        there = self._ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy(machine, soft=False)
        ending = self._ray.remote(num_cpus=0, max_retries=0, scheduling_strategy=there)(end).remote(process)
        self._ray.wait([ending], timeout=ENDING_S)

    def _dismiss(self, worker: str) -> None:
        self._places.pop(worker, None)
        self._ray.kill(self._actors.pop(worker))

    async def close(self) -> None:
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        with self._waiting:
            for worker in list(self._actors):
                self._dismiss(worker)
            self._calls = {}
            if self._ours:
                self._ray.shutdown()
            self._clear()

    def _clear(self) -> None:
        if self._place is not None:
            shutil.rmtree(self._place, ignore_errors=True)
