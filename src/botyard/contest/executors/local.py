"""This executor has work done in processes of this machine, by default one per core, each bound to its core.

Workers are spawned, never forked: a forked child of a process that has run compiled batches inherits their threads'
locks. If the parent dies, a worker stops its game and its bots, and ends. If a worker dies, the parent notices at
once, reports that its work is lost, and starts another worker.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import signal
import socket
import threading
import time
from collections.abc import Coroutine, Iterator
from dataclasses import dataclass, field
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from botyard.contest.executors import Done, Event, Lost, Signed, Work
from botyard.contest.worker import Worker
from botyard.jail.warden import use_warden, warden_line
from botyard.kernel.devices import core_count

STALLED_S = 600.0  # a worker that gives no sign of life for so long is ended
STOP_S = 10.0  # how long a worker may take to stop its game and its bots
STUCK_S = 1.0  # how long it may take to hear of it

SPAWN = multiprocessing.get_context("spawn")


@dataclass(slots=True)
class WorkerProcess:
    """A worker's process as its parent sees it."""

    process: BaseProcess
    pipe: Connection
    busy: bool = False
    heard: float = field(default_factory=time.monotonic)


class Local:
    far = False

    def __init__(self, workers: int = 0, called: str = "worker") -> None:
        self.workers = workers or core_count()
        self._waiting = threading.Lock()  # a cancelled `wait` leaves its thread running for a moment
        self._processes = {f"{called} {number}": self._spawn(number) for number in range(1, self.workers + 1)}

    def _spawn(self, number: int) -> WorkerProcess:
        ours, theirs = SPAWN.Pipe()
        cores = sorted(os.sched_getaffinity(0))
        core = cores[(number - 1) % len(cores)]
        process = SPAWN.Process(target=work, args=(theirs, core, warden_line()), name=f"botyard worker {number}")
        with ctrl_c_held_back():
            process.start()
        theirs.close()  # otherwise the pipe would stay open when the worker ends
        return WorkerProcess(process, ours)

    def idle(self) -> list[str]:
        return [name for name, worker in self._processes.items() if not worker.busy]

    def refused(self) -> dict[str, str]:
        return {}

    def facts(self, worker: str) -> None:
        return None

    def stopped(self) -> list[str]:
        return [name for name, worker in self._processes.items() if is_stopped(worker.process.pid or 0)]

    def start(self, worker: str, work: Work) -> None:
        chosen = self._processes[worker]
        chosen.busy, chosen.heard = True, time.monotonic()
        with contextlib.suppress(OSError):  # the worker has died, which `wait` reports
            chosen.pipe.send(work)

    async def wait(self, seconds: float) -> list[Event]:
        return await asyncio.to_thread(self._wait, seconds)

    def _wait(self, seconds: float) -> list[Event]:
        with self._waiting:
            ready = wait([worker.pipe for worker in self._processes.values()], seconds)
            events: list[Event] = []
            for name, worker in self._processes.items():
                if worker.pipe in ready:
                    events.append(self._hear(name, worker))
                elif worker.busy and time.monotonic() - worker.heard > STALLED_S:
                    events.append(self._replace(name, worker, f"no sign of life for {STALLED_S:g} s"))
            return events

    def _hear(self, name: str, worker: WorkerProcess) -> Event:
        try:
            is_sign, said = worker.pipe.recv()
        except (EOFError, OSError):
            worker.process.join(STOP_S)
            return self._replace(name, worker, f"the worker died ({ending(worker.process.exitcode)})")
        worker.heard = time.monotonic()
        if is_sign:
            return Signed(name, said)
        worker.busy = False
        return Done(name, said)

    def _replace(self, name: str, worker: WorkerProcess, reason: str) -> Lost:
        self._end([worker])
        self._processes[name] = self._spawn(number_of(name))
        return Lost(name, reason)

    def _end(self, workers: list[WorkerProcess]) -> None:
        """Ends workers, all at once. An idle one ends when its pipe closes, a busy one is told to stop its bots; after
        `STOP_S` it is killed."""
        for worker in workers:
            if worker.busy and worker.process.is_alive():
                worker.process.terminate()
            worker.pipe.close()
        for worker in workers:
            worker.process.join(STOP_S)
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()
            worker.process.close()

    async def end(self, worker: str) -> None:
        await asyncio.to_thread(self._end_one, worker)

    def _end_one(self, worker: str) -> None:
        with self._waiting:
            old, self._processes[worker] = self._processes[worker], self._spawn(number_of(worker))
        self._end([old])  # which may take its time, and nobody waits for it

    async def close(self) -> None:
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        with self._waiting:
            self._end(list(self._processes.values()))
            self._processes = {}

    @property
    def processes(self) -> list[int]:
        """Returns the process numbers of the workers."""
        return [worker.process.pid or 0 for worker in self._processes.values()]


def is_stopped(process: int) -> bool:
    """Whether a process stands still because of a signal such as SIGSTOP, or a debugger."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return False
    return state[0] in ("T", "t")


def number_of(worker: str) -> int:
    return int(worker.rsplit(maxsplit=1)[-1])


@contextlib.contextmanager
def ctrl_c_held_back() -> Iterator[None]:
    """Lets processes begin without hearing Ctrl-C, which goes to all of them: one that still loads its modules would
    end with a traceback. What comes meanwhile is heard here afterwards."""
    resource_tracker.ensure_running()  # which would let Ctrl-C through, if it were begun with the first worker
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def ending(code: int | None) -> str:
    if code is None:
        return "still there"
    return signal.Signals(-code).name if code < 0 else f"exit status {code}"


# What runs inside a worker process


def work(pipe: Connection, core: int, warden: socket.socket | None) -> None:
    """Does what comes through the pipe until it is closed. What goes back says whether it is a sign of life."""
    use_warden(warden)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    os.sched_setaffinity(0, {core})
    threading.Thread(target=follow_parent, daemon=True).start()
    with contextlib.suppress(asyncio.CancelledError, EOFError, OSError):
        worker = Worker()
        while True:
            given: Work = pipe.recv()
            doing = given.done_by(worker, lambda sign: pipe.send((True, sign)))
            pipe.send((False, asyncio.run(until_stopped(doing))))


async def until_stopped(doing: Coroutine[Any, Any, Any]) -> Any:
    """Does some work that SIGTERM cancels; as that passes through the match loop, it stops the bots.

    The handler raises nothing: an exception would come up wherever the process happens to be, and be lost if that is a
    callback of a weak reference. Work that does not come back to the loop in time (it compiles rules, say) is ended by
    the alarm, and so is the process; should it have bots, they go with it.
    """
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None

    def cancel() -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        task.cancel()

    def stop(*_: object) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # a second signal must not interrupt the clean-up
        signal.setitimer(signal.ITIMER_REAL, STUCK_S)
        loop.call_soon_threadsafe(cancel)

    signal.signal(signal.SIGTERM, stop)
    done = await doing
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # between two works there is nothing to clean up
    return done


def follow_parent() -> None:
    """Ends this process when its parent is gone; first by a signal it can handle, so that its bots are stopped, too."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(STOP_S)
    os._exit(1)
