"""This executor has work done on a Ray cluster: an existing one, found by its address, or one on this machine.

A worker is a Ray actor. If its process or its machine dies, only its work is lost and is done again. Every machine
needs the same Botyard: a worker of another one is refused and gets no work. Sources of bots travel through Ray's object
store, each once, and a machine fetches those that it does not have; no folder is shared.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import shutil
import signal
import tempfile
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from botyard.contest.executors import Done, Event, Lost, Signed, Work
from botyard.contest.executors.parcels import opened_work, packed_work
from botyard.contest.worker import Worker
from botyard.contest.worker_facts import WorkerFacts, own_facts, refusal_of
from botyard.jail.canonical import Source
from botyard.jail.limits import Level
from botyard.kernel.errors import YardError

LOG = logging.getLogger(__name__)

STALLED_S = 600.0  # a worker that gives no sign of life for so long is ended
NEWS_S = 20.0  # after which a worker that has no news answers all the same
SIGNS_KEPT = 256  # signs that wait to be fetched
SIGNS = "signs"  # the concurrency group that answers while the worker plays
STORE_BYTES = 100 << 20  # Ray's object store, which Ray cannot size everywhere; shares and reports are small
SENT_BYTES = 32 << 20  # sources that stay in the object store; what was used longest ago leaves it
SOCKETS_ROOM = 32  # longest folder name: with Ray's socket names in it a path may have 107 characters
ENDING_S = 10.0  # how long a machine may take to end a worker that hangs
PATIENCE = 3  # failed starts of each worker before the cluster is given up
GROWTH_S = 15.0  # between two looks whether machines have joined
REFUSED_S = 60.0  # after which a worker that was refused may come again: somebody may have mended its machine


class RayWorker:
    """The actor on the cluster that works and answers for signs of life."""

    def __init__(self) -> None:
        self._worker = Worker()
        self._changed = threading.Condition()
        self._signs: deque[tuple[int, Any]] = deque(maxlen=SIGNS_KEPT)  # each with the number of its work

    def ready(self, languages: bool) -> dict[str, Any]:
        """Tells where it runs and what it has there; answers once the cluster has room."""
        return own_facts(str(load_ray().get_runtime_context().get_node_id()), os.getpid(), languages=languages)

    def play(self, number: int, parcel: bytes, sources: Mapping[str, Any]) -> Any:
        """Does a piece of work; `sources` are references to the sources of bots, by their hashes."""

        def note(sign: Any) -> None:
            with self._changed:
                self._signs.append((number, sign))
                self._changed.notify()

        work: Work = opened_work(parcel, lambda digest: bytes(load_ray().get(sources[digest])))
        return asyncio.run(work.done_by(self._worker, note))

    def news(self) -> list[tuple[int, Any]]:
        """Waits for signs of life and returns them; Ray answers this even while it works."""
        with self._changed:
            self._changed.wait_for(lambda: self._signs, NEWS_S)
            told = list(self._signs)
            self._signs.clear()
        return told


def end(process: int) -> None:
    """Kills the process of a worker that hangs, on the worker's own machine: a stopped process obeys nothing else."""
    with contextlib.suppress(OSError):
        if Path(f"/proc/{process}/cmdline").read_bytes().startswith(b"ray::"):
            os.kill(process, signal.SIGKILL)


READY, NEWS, WORK = "ready", "news", "work"


@dataclass(frozen=True, slots=True)
class Call:
    """A pending call to a worker: to become ready, for its news, or to work."""

    worker: str
    kind: str


@dataclass(slots=True)
class HiredWorker:
    """A worker as we see it."""

    actor: Any
    facts: WorkerFacts | None = None  # None until it has come
    working: int = 0  # the number of its work; 0: none
    heard: float = field(default_factory=time.monotonic)  # when it last gave a sign
    refused_until: float = 0.0


def load_ray() -> Any:
    try:
        import ray
    except ImportError:
        raise YardError(
            "the executor ray needs Ray", hint="pip install 'botyard[ray]', or executor = \"local\""
        ) from None
    return ray


def keep_quiet(ray: Any) -> None:
    """Has Ray log what it tells of machines that died. By itself it writes that to our standard output, where a command
    may have been asked for JSON, and no option of it forbids that. Of what it logs, only errors are for our users."""
    logging.getLogger("ray").setLevel(logging.ERROR)
    private: Any = getattr(getattr(ray, "_private", None), "worker", None)
    if hasattr(private, "print_to_stdstream"):
        private.print_to_stdstream = lambda data, **_: LOG.info("Ray: %s", "; ".join(map(str, data.get("lines", ()))))


@contextlib.contextmanager
def own_signals(ray: Any) -> Iterator[None]:
    """Keeps SIGTERM ours while Ray is started: by itself it sets a handler that exits at once, and below Python's
    another one, which aborts a process that runs three seconds later. Bots in their cages may take longer to stop."""
    private: Any = getattr(getattr(ray, "_private", None), "utils", None)
    before, theirs = signal.getsignal(signal.SIGTERM), getattr(private, "set_sigterm_handler", None)
    if theirs:
        private.set_sigterm_handler = lambda handler: None
    try:
        yield
    finally:
        if theirs:
            private.set_sigterm_handler = theirs
        if before is not None and threading.current_thread() is threading.main_thread():  # nobody else may
            signal.signal(signal.SIGTERM, before)
            signal.alarm(0)  # those three seconds, if it came meanwhile


class RayCluster:
    far = True

    def __init__(
        self, workers: int = 0, address: str = "", level: Level | None = None, *, languages: bool = False
    ) -> None:
        """Programs must be held at a level; with `languages` workers tell which ones they have, which takes seconds."""
        self._ray = load_ray()
        self._waiting = threading.Lock()  # a cancelled `wait` leaves its thread running for a moment
        self._place: Path | None = None  # where a cluster of our own keeps its files
        self._level, self._languages = level, languages
        self._ours = not self._ray.is_initialized()
        if self._ours:
            self._join(address)
        self._grows = workers == 0
        self.workers = 0
        self._hired: dict[str, HiredWorker] = {}
        self._refused: dict[str, str] = {}
        self._calls: dict[Any, Call] = {}  # all pending calls
        self._sent: OrderedDict[str, tuple[Any, int]] = OrderedDict()  # references and sizes of sources, by hash
        self._works = 0  # pieces of work so far
        self._failed = 0  # workers in a row that never became ready
        self._looked = time.monotonic()
        self._grow(workers or self._cores())

    def _join(self, address: str) -> None:
        keep_quiet(self._ray)
        told = {"address": address or "local", "log_to_driver": False, "logging_level": "error"}
        told |= {"configure_logging": False, **({} if address else self._own_cluster())}
        try:
            # In a thread of its own it would work until that ends: the kernel then kills the cluster that was started.
            with own_signals(self._ray):
                self._ray.init(**told)
        except BaseException as error:  # whoever presses Ctrl-C now finds nothing left behind, either
            self._ray.shutdown()
            self._clear()
            if not isinstance(error, OSError | ValueError | RuntimeError):
                raise
            where = f"at {address!r}" if address else "can be started here"
            reason = str(error).splitlines() or [type(error).__name__]
            raise YardError(f"there is no Ray cluster {where}", hint=reason[0]) from None

    def _own_cluster(self) -> dict[str, Any]:
        """Returns the options of a cluster of our own, with a private folder. By default Ray keeps its files where
        everybody may write, and joins any cluster that a file there names; another user could put one there."""
        short = len(tempfile.gettempdir()) <= SOCKETS_ROOM
        self._place = Path(tempfile.mkdtemp(prefix="by-ray-", dir=None if short else "/tmp"))
        own: dict[str, Any] = {"include_dashboard": False, "_temp_dir": str(self._place)}
        if not os.access("/dev/shm", os.W_OK):
            own |= {"_plasma_directory": str(self._place), "object_store_memory": STORE_BYTES}
        return own

    # Workers come and go

    def _cores(self) -> int:
        return max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def _grow(self, most: int) -> None:
        """Asks for workers up to a number; of a cluster that shrinks nobody is sent away."""
        while self.workers < most:
            self.workers += 1
            self._hire(f"worker {self.workers}")

    def _hire(self, worker: str) -> None:
        """Asks for a worker. It gets work only when it is ready, because a cluster that shrank has no room for all."""
        actor = self._ray.remote(num_cpus=1, max_restarts=0, concurrency_groups={SIGNS: 1})(RayWorker)
        self._hired[worker] = HiredWorker(actor.remote())
        self._calls[self._hired[worker].actor.ready.remote(self._languages)] = Call(worker, READY)

    def _admit(self, worker: str, told: Any) -> None:
        """Lets a worker work that has come, or refuses it."""
        hired = self._hired[worker]
        hired.facts = WorkerFacts.of(told)
        self._failed = 0
        if sentence := refusal_of(hired.facts, self._level):
            self._refused[worker] = sentence
            hired.refused_until = time.monotonic() + REFUSED_S
        else:
            self._refused.pop(worker, None)
            self._ask_news(worker)

    def _ask_news(self, worker: str) -> None:
        """Asks for signs of life. This call is always pending, so that a death is noticed while nothing is done."""
        asked = self._hired[worker].actor.news.options(concurrency_group=SIGNS).remote()
        self._calls[asked] = Call(worker, NEWS)

    def _forget(self, worker: str) -> HiredWorker:
        """Dismisses a worker and asks for another one in its place."""
        for ref in [ref for ref, call in list(self._calls.items()) if call.worker == worker]:
            del self._calls[ref]
        hired = self._hired.pop(worker)
        self._ray.kill(hired.actor)
        self._hire(worker)
        return hired

    def _lost(self, worker: str, reason: str) -> list[Event]:
        before = self._forget(worker)
        self._failed += before.facts is None
        if self._failed > PATIENCE * self.workers:
            raise YardError("no worker could be started on the Ray cluster", hint=reason)
        return [Lost(worker, reason)] if before.working else []

    def idle(self) -> list[str]:
        return [
            name
            for name, hired in list(self._hired.items())
            if hired.facts is not None and not hired.working and not hired.refused_until
        ]

    def stopped(self) -> list[str]:
        return []  # Ray tells of workers that died, not of those that stand still

    def refused(self) -> dict[str, str]:
        return dict(self._refused)

    def facts(self, worker: str) -> WorkerFacts | None:
        hired = self._hired.get(worker)
        return hired.facts if hired else None

    # Work

    def start(self, worker: str, work: Work) -> None:
        parcel, sources = packed_work(work)
        hired = self._hired[worker]
        self._works += 1
        hired.working, hired.heard = self._works, time.monotonic()
        call = hired.actor.play.remote(self._works, parcel, {name: self._ship(one) for name, one in sources.items()})
        self._calls[call] = Call(worker, WORK)

    def _ship(self, source: Source) -> Any:
        """Returns the reference to a source in Ray's object store, where it is put once."""
        if source.digest not in self._sent:
            content = source.content()
            self._sent[source.digest] = self._ray.put(content), len(content)
        self._sent.move_to_end(source.digest)
        reference, _ = self._sent[source.digest]
        while sum(size for _, size in self._sent.values()) > SENT_BYTES and len(self._sent) > 1:
            self._sent.popitem(last=False)  # work that was given out keeps its own reference
        return reference

    async def wait(self, seconds: float) -> list[Event]:
        return await asyncio.to_thread(self._wait, seconds)

    def _wait(self, seconds: float) -> list[Event]:
        with self._waiting:
            if not self._hired:
                return []
            self._look_around()
            if not self._calls:  # all of them were refused
                time.sleep(seconds)
                return []
            ready, _ = self._ray.wait(list(self._calls), num_returns=1, timeout=seconds)
            if ready:
                ready, _ = self._ray.wait(list(self._calls), num_returns=len(self._calls), timeout=0)
            ready.sort(key=lambda ref: self._calls[ref].kind != WORK)  # what was done counts, whatever died since
            return [event for ref in ready for event in self._hear(ref)] + self._stalled()

    def _hear(self, ref: Any) -> list[Event]:
        call = self._calls.pop(ref, None)
        if call is None:  # its worker was dismissed a moment ago
            return []
        try:
            answer = self._ray.get(ref)
        except self._ray.exceptions.RayError as error:
            return self._lost(call.worker, f"the worker died ({str(error).strip().splitlines()[-1]})")
        hired = self._hired[call.worker]
        if call.kind == READY:
            self._admit(call.worker, answer)
            return []
        if call.kind == WORK:
            hired.working = 0
            return [Done(call.worker, answer)]
        self._ask_news(call.worker)
        signs = [sign for number, sign in answer if number == hired.working]
        if signs:
            hired.heard = time.monotonic()
        return [Signed(call.worker, sign) for sign in signs]

    def _look_around(self) -> None:
        """Asks for more workers if machines have joined, and again for those that were refused a while ago."""
        now = time.monotonic()
        if self._grows and now - self._looked > GROWTH_S:
            self._looked = now
            self._grow(self._cores())
        for worker, hired in list(self._hired.items()):
            if hired.refused_until and hired.refused_until <= now:
                self._forget(worker)

    def _stalled(self) -> list[Event]:
        now = time.monotonic()
        late = [name for name, hired in self._hired.items() if hired.working and now - hired.heard > STALLED_S]
        for worker in late:
            self._end(worker)
        return [Lost(worker, f"no sign of life for {STALLED_S:g} s") for worker in late]

    async def end(self, worker: str) -> None:
        await asyncio.to_thread(self._end_one, worker)

    def _end_one(self, worker: str) -> None:
        with self._waiting:
            if worker in self._hired and self._hired[worker].working:
                self._end(worker)

    def _end(self, worker: str) -> None:
        """Kills a worker that hangs. Ray would ask it to leave and keep its room occupied until a timeout."""
        facts = self._hired[worker].facts
        assert facts is not None, "it works, so it has come"
        there = self._ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy(facts.node, soft=False)
        ending = self._ray.remote(num_cpus=0, max_retries=0, scheduling_strategy=there)(end).remote(facts.process)
        self._ray.wait([ending], timeout=ENDING_S)
        self._forget(worker)

    async def close(self) -> None:
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        with self._waiting:
            for hired in self._hired.values():
                self._ray.kill(hired.actor)
            self._hired, self._calls = {}, {}
            self._sent.clear()
            if self._ours:
                self._ray.shutdown()
            self._clear()

    def _clear(self) -> None:
        if self._place is not None:
            shutil.rmtree(self._place, ignore_errors=True)
