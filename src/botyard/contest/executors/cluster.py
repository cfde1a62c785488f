"""A Ray cluster: an existing one by its address, or one on this machine. Several machines share the work.

A worker is an actor; one that dies, with its process or with its whole machine, loses nothing but the share it had.
Every machine needs Botyard, and the contest's folder under the same path (a shared file system) if bots are programs.
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

from botyard.contest.executors import Done, Event, Lost, Signed
from botyard.contest.messages import GameReport, Share, Sign
from botyard.contest.worker import Worker
from botyard.kernel.errors import YardError

STALLED_S = 600.0  # without a sign of life a worker is ended
SIGN_S = 5.0  # between two questions for one
SIGNS = "signs"  # they are answered beside what a worker does
STORE_BYTES = 100 << 20  # where Ray cannot find out by itself: shares and reports are small
SOCKETS_ROOM = 32  # characters of a folder: the names of Ray's sockets in it may have 107 in all
ENDING_S = 10.0  # for a machine to end a worker that hangs
PATIENCE = 3  # failed starts of each worker before the cluster is given up


class RayWorker:
    """What runs on the cluster."""

    def __init__(self) -> None:
        self._worker = Worker()
        self._heard: tuple[int, Sign | None] = (0, None)

    def ready(self) -> tuple[str, int]:
        """Answers once there is room for it: with the machine it is on, as Ray names it, and its process there."""
        return str(load_ray().get_runtime_context().get_node_id()), os.getpid()

    def play(self, share: Share) -> list[GameReport]:
        return asyncio.run(self._worker.play(share, self._note))

    def _note(self, sign: Sign) -> None:
        self._heard = (self._heard[0] + 1, sign)

    def sign(self) -> tuple[int, Sign | None]:
        """How often something went on, and the last sign of it. Answered while a share is played."""
        return self._heard


def end(process: int) -> None:
    """Runs on the machine of a worker that hangs, and ends its process: one that is stopped answers no other way."""
    with contextlib.suppress(OSError):
        if Path(f"/proc/{process}/cmdline").read_bytes().startswith(b"ray::"):
            os.kill(process, signal.SIGKILL)


@dataclass(slots=True)
class Call:
    """Something asked of a worker: to be there, or to play."""

    worker: str
    plays: bool
    heard: float = field(default_factory=time.monotonic)  # when anything went on
    asked: float = field(default_factory=time.monotonic)  # when it was asked for a sign of that
    sign: tuple[int, Sign | None] = (0, None)
    signing: Any = None  # what it was asked, while it has not answered


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
        self._waiting = threading.Lock()  # who breaks `wait` off leaves its thread behind, for a moment
        self._place: Path | None = None  # of the files of a cluster of our own
        self._ours = not self._ray.is_initialized()
        if self._ours:
            self._join(address)
        cores = int(self._ray.cluster_resources().get("CPU", 1))
        self.workers = workers or cores
        self._actors: dict[str, Any] = {}
        self._places: dict[str, tuple[str, int]] = {}  # the machine and the process of those who are there
        self._calls: dict[Any, Call] = {}  # what is under way
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
            raise YardError(f"no Ray cluster {where}", hint=str(error).splitlines()[0]) from None

    def _own_cluster(self) -> dict[str, Any]:
        """What a cluster on this machine is told. By itself Ray keeps its files where everybody may write, and joins
        whatever cluster a file there names, which any user of this machine can put there."""
        short = len(tempfile.gettempdir()) <= SOCKETS_ROOM
        self._place = Path(tempfile.mkdtemp(prefix="by-ray-", dir=None if short else "/tmp"))
        own: dict[str, Any] = {"include_dashboard": False, "_temp_dir": str(self._place)}
        if not os.access("/dev/shm", os.W_OK):
            own |= {"_plasma_directory": str(self._place), "object_store_memory": STORE_BYTES}
        return own

    def _hire(self, worker: str) -> None:
        """Asks for a worker. It is given work only when it is there: a cluster that has shrunk has no room for all."""
        actor = self._ray.remote(num_cpus=1, max_restarts=0, concurrency_groups={SIGNS: 1})(RayWorker)
        self._actors[worker] = actor.remote()
        self._calls[self._actors[worker].ready.remote()] = Call(worker, False)

    def idle(self) -> list[str]:
        return list(self._idle)

    def start(self, worker: str, share: Share) -> None:
        self._idle.remove(worker)
        call = self._actors[worker].play.remote(share)
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
            self._failed += not call.plays
            if self._failed > PATIENCE * self.workers:
                raise YardError("no worker can be started on the Ray cluster", hint=reason) from None
            self._hire(call.worker)
            return [Lost(call.worker, reason)] if call.plays else []
        self._idle.append(call.worker)
        self._failed = 0
        if not call.plays:
            self._places[call.worker] = answer
        return [Done(call.worker, tuple(answer))] if call.plays else []

    def _signs(self) -> list[Event]:
        """Asks those at play how far they are: a long game is no reason to give a worker up."""
        events: list[Event] = []
        for call in self._calls.values():
            if not call.plays:
                continue
            if call.signing is not None and self._ray.wait([call.signing], timeout=0)[0]:
                with contextlib.suppress(self._ray.exceptions.RayError):  # it has died; its call will tell
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
        late = [(ref, call) for ref, call in self._calls.items() if call.plays and now - call.heard > STALLED_S]
        for ref, call in late:
            del self._calls[ref]
            self._end(call.worker)
            self._dismiss(call.worker)
            self._hire(call.worker)
        return [Lost(call.worker, f"no sign of life for {STALLED_S:g} s") for _, call in late]

    def _end(self, worker: str) -> None:
        """Ray asks a worker to go, and one that hangs keeps its room until Ray has waited for it. We do not wait."""
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
