"""The steward leases tasks, hands them to workers and records what comes back; nobody else does.

It is a loop in the server's event loop; whatever takes long runs in threads. A lease is renewed by progress alone: a
worker whose work stands still is ended, and the task is given to another one.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
import traceback
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar

from botyard.contest.executors import Done, Event, Executor, Lost, Signed
from botyard.contest.messages import GameReport, Sign
from botyard.kernel.errors import YardError
from botyard.rank.ladder import Load, TaskClass, next_classes
from botyard.yard.contests.tending import ContestTender
from botyard.yard.data.blobs import IN_ROW
from botyard.yard.data.database import DatabaseAway
from botyard.yard.data.tables import BUILD, WAITING
from botyard.yard.data.times import SECOND
from botyard.yard.ladders.opening import open_ladders
from botyard.yard.ladders.rechecks import ask_rechecks
from botyard.yard.ladders.supply import PairSupply
from botyard.yard.site import Yard
from botyard.yard.work.building import LogSign
from botyard.yard.work.grouping import Grouped
from botyard.yard.work.hand_seats import HandSeats
from botyard.yard.work.leasing import Applicant, Patience, TaskAtWork, count_waiting, take_back_overdue, take_over
from botyard.yard.work.lessor import Lessor, applicant
from botyard.yard.work.live import LiveMatches
from botyard.yard.work.matches import MatchWork
from botyard.yard.work.orders import TaskWork
from botyard.yard.work.recording import record_failure, record_matches, record_tried
from botyard.yard.work.sampling import ONE_IN, Sampler
from botyard.yard.work.tasks import STOP, Lease, leases_over, renew_lease
from botyard.yard.work.verifying import PlayedMatch, verified
from botyard.yard.work.workers import WorkerBoard, greet_workers, hired
from botyard.yard.work.worktime import WorkTime

LOG = logging.getLogger(__name__)
T = TypeVar("T")

WAIT_S: Final = 0.25  # for events of the executor
AWAY_S: Final = 1.0  # until a database that is away is asked again
RENEW_S: Final = 5.0  # between two renewals of a lease in the tables
UNVERIFIED: Final = 4  # matches for each worker that may wait to be played again; then no further match is begun
TOGETHER: Final = 16  # tasks at most are leased by one transaction, or reports recorded, or verified by one call
OVERDUE_S: Final = 30.0  # between two looks for leases of which nobody knows
LOST_IN_A_ROW: Final = 5  # so many lost workers mean trouble with the machine: from then on, it is given time
LONGEST_PAUSE_S: Final = 60
REASON_MAX: Final = 500  # characters


class Steward:
    """The one writer of results."""

    def __init__(
        self,
        yard: Yard,
        hire: Callable[[], Executor] | None = None,
        patience: Patience | None = None,
        *,
        sampled: int = ONE_IN,
    ) -> None:
        """Of so many matches as `sampled` says, one is played again elsewhere."""
        self.yard = yard
        self._hire = hire or (lambda: hired(yard.config))
        self._patience = patience or Patience()
        self._rules = ThreadPoolExecutor(1, "botyard-rules")  # rules that are loaded by two threads at once load badly
        self.live = LiveMatches(self._with_rules)
        self.hands = HandSeats()
        self._supply, self._contests = PairSupply(yard), ContestTender(yard)
        self._lessor = Lessor(yard, self.hands, self._patience)
        self._verifying = Grouped(self._verify, TOGETHER)
        self._recording = Grouped(self._record_matches, TOGETHER)
        self.samples = Sampler(yard, self._with_rules, sampled)
        self._executor: Executor | None = None
        self._running: dict[str, TaskAtWork] = {}
        self._finishing: dict[asyncio.Task[None], TaskAtWork] = {}
        self._endings: set[asyncio.Task[None]] = set()  # of workers
        self._board = WorkerBoard(yard)
        self._avoid: dict[int, str] = {}  # by task: the worker where it failed, which should not get it again
        self._time = WorkTime()
        self._waiting: dict[TaskClass, int] = {}
        self._usual_ms: dict[str, int] = {}  # of a match, by game
        self._lost = 0  # workers in a row, with nothing done in between
        self._paused_until = 0.0  # on the clock that never jumps: until then no task is given out
        self._looked = 0.0
        self._stirred = True  # something was asked for, or failed: what waits has to be counted again
        self._short = True  # pairs were begun or closed: others may have to be asked
        self._ending = False
        self._woken = asyncio.Event()

    # What pages ask

    def wake(self) -> None:
        """Has the steward look at once, because something was asked for."""
        self._stirred = True
        self._woken.set()

    def build_log(self, version: int) -> bytes | None:
        """Returns the log of a build that is at work, as far as it has come; None if none is."""
        for running in self._running.values():
            if running.lease.version == version and running.lease.kind == BUILD:
                return bytes(running.log)
        return None

    @property
    def load(self) -> Load:
        """What waits and what runs, for whoever explains why something waits."""
        at_work = [TaskClass(running.lease.urgency) for running in self._running.values()]
        began = [(TaskClass(running.lease.urgency), running.began_ms) for running in self._running.values()]
        return Load(
            workers=len(self._able),
            waiting=dict(self._waiting),
            running={one: at_work.count(one) for one in set(at_work)},
            used_ms=self._time.lately(began, self.yard.clock()),
        )

    @property
    def _able(self) -> set[str]:
        """Returns the workers that play for everybody: those that came, were not drained, and do not serve people."""
        if self._executor is None:
            return set()
        there = {*self._executor.idle(), *self._running, *self.samples.busy} - self._board.away
        return {worker for worker in there if not applicant(self._executor, worker).by_hand}

    @property
    def pausing(self) -> bool:
        """Whether no work is handed out for a while, because workers died one after the other."""
        return self._paused_until > time.monotonic()

    # The loop

    async def run(self) -> None:
        """Serves the yard until `end` is called; raises `TakenOver` if another steward has begun meanwhile."""
        try:
            await self._open()
            while not self._ending:
                try:
                    await self._tend()
                except DatabaseAway as error:
                    LOG.warning("%s; tried again", error)
                    await asyncio.sleep(AWAY_S)
        finally:
            await self._close()

    def end(self) -> None:
        """Asks `run` to come to an end."""
        self._ending = True
        self._woken.set()

    async def _open(self) -> None:
        now_ms = self.yard.clock()
        await self.hands.open()
        self._lessor.fence = await self.yard.change(take_over, now_ms)
        await self.yard.change(open_ladders, self.yard.config.ladders, now_ms)
        await self.yard.change(ask_rechecks, self.yard.config.cage, now_ms)
        self._executor = self._hire()
        await self.yard.change(greet_workers, self._executor.idle(), now_ms)

    async def _tend(self) -> None:
        """One round: what is overdue, what is due to be asked, what workers can take, and what they tell."""
        assert self._executor is not None, "it was opened"
        await self._end_overdue()
        if self._stirred or self._supply.due(self.yard.clock()):
            self._stirred = False
            await self._end_cancelled()
            await self._contests.look()
            self._waiting = await self.yard.ask(count_waiting)
            await self._supply.look()
            self._short = True
        if self._short:
            self._short = False
            await self._supply.fill(self._waiting, self._executor.workers)
        await self._hand_out()
        at_work = bool(self._running or self.samples.busy)
        if not at_work:  # then no worker has anything to tell, and whoever asks for something wakes us
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._woken.wait(), WAIT_S)
            self._woken.clear()
        for event in await self._executor.wait(WAIT_S if at_work else 0):
            await self._take(event)
        await self._board.note(self._executor, {*self._running, *self.samples.busy})

    async def _close(self) -> None:
        """Gives back what is at work, records what was done, and ends all workers."""
        given_back, self._running = list(self._running.values()), {}
        if self._endings:
            await asyncio.wait(self._endings)
        if self._executor is not None:
            await self._executor.close()
        await self.hands.close()
        if self._finishing:
            await asyncio.wait(self._finishing)
        for running in given_back:
            self.live.end(running.lease.match or 0)
            try:
                await self._record(record_failure, running.lease, "the server was stopped", how=STOP)
            except YardError:
                LOG.warning("task %d is taken back at the next start", running.lease.task)
        self._rules.shutdown()

    # Handing out

    async def _hand_out(self) -> None:
        """Gives tasks to idle workers, in the order of their classes."""
        assert self._executor is not None, "it was opened"
        idle = [worker for worker in self._executor.idle() if worker not in {*self._running, *self._board.away}]
        crowded = len(self._finishing) >= UNVERIFIED * self._executor.workers
        self.samples.give(self._executor, idle)
        while idle and not crowded and not self.pausing:
            classes = next_classes(self.load, min(len(idle), TOGETHER))
            if not classes:
                return
            now_ms = self.yard.clock()
            handed = await self._lessor.hand_out(classes, self._applicants(idle), now_ms)
            for lease, work in handed.given:
                idle.remove(lease.worker)
                self._begin(lease, work, now_ms)
            if handed.none is not None:
                self._waiting[handed.none] = 0

    def _applicants(self, idle: list[str]) -> list[Applicant]:
        """Returns what idle workers can do. A task that failed on one is given to another, unless this one is alone."""
        assert self._executor is not None, "it was opened"
        avoids: dict[str, set[int]] = {}
        if len(idle) > 1 or self._running:
            for task, where in self._avoid.items():
                avoids.setdefault(where, set()).add(task)
        return [applicant(self._executor, worker, frozenset(avoids.get(worker, ()))) for worker in idle]

    def _begin(self, lease: Lease, work: TaskWork, now_ms: int) -> None:
        """Has a worker begin what was leased to it."""
        assert self._executor is not None, "it was opened"
        until = time.monotonic() + self._lessor.preparing_s(lease.kind)
        self._waiting[TaskClass(lease.urgency)] -= 1
        self._running[lease.worker] = TaskAtWork(lease, work, now_ms, until)
        if isinstance(work, MatchWork):
            self.live.begin(work)
        self._executor.start(lease.worker, work)
        self._short = True

    # What workers tell

    async def _take(self, event: Event) -> None:
        running = self._running.get(event.worker)
        if running is None:
            if event.worker in self.samples.busy:
                await self.samples.take(event)
            return
        if isinstance(event, Signed):
            await self._take_sign(running, event.sign)
            return
        del self._running[event.worker]
        now_ms = self.yard.clock()
        self._time.add(TaskClass(running.lease.urgency), running.began_ms, now_ms)
        if isinstance(event, Lost):
            self._lost += 1
            if self._lost >= LOST_IN_A_ROW:
                self._paused_until = time.monotonic() + min(LONGEST_PAUSE_S, 1 << (self._lost - LOST_IN_A_ROW))
            await self._fail(running, event.reason)
        else:
            self._lost = 0
            finishing = asyncio.create_task(self._finish(running, event))
            self._finishing[finishing] = running
            finishing.add_done_callback(self._finishing.pop)

    async def _take_sign(self, running: TaskAtWork, sign: Any) -> None:
        if isinstance(sign, Sign) and running.lease.match is not None:
            self.live.hear(running.lease.match, sign)
        elif isinstance(sign, LogSign):
            del running.log[sign.at :]
            running.log += sign.text
        if sign.progress <= running.progress:
            return
        now, silence_s = time.monotonic(), self._silence_s(running)
        running.progress, running.until = sign.progress, now + silence_s
        if now - running.renewed > RENEW_S:
            running.renewed = now
            until_ms = self.yard.clock() + int(1000 * silence_s)
            if not await self.yard.change_for_now(renew_lease, running.lease, running.progress, until_ms):
                self._stirred = True  # nobody wants it any more

    def _silence_s(self, running: TaskAtWork) -> float:
        """Returns how long a worker may stand still that has made some progress."""
        if not isinstance(running.work, MatchWork):
            return running.work.longest_s
        return max(self._patience.match_s, 3 * self._usual_ms.get(running.work.game, 0) / SECOND)

    async def _end_overdue(self) -> None:
        assert self._executor is not None, "it was opened"
        now, now_ms = time.monotonic(), self.yard.clock()
        for worker, running in list(self._running.items()):
            if running.until <= now:
                self._end_worker(worker)
                await self._fail(running, f"its lease is over: it stands still at {running.progress}")
        if now - self._looked >= OVERDUE_S:
            self._looked = now
            known = {running.lease.fence for running in [*self._running.values(), *self._finishing.values()]}
            await self.yard.change(take_back_overdue, known, now_ms)

    async def _end_cancelled(self) -> None:
        """Ends workers whose tasks somebody has cancelled."""
        over = await self.yard.ask(leases_over, [running.lease.fence for running in self._running.values()])
        for worker, running in list(self._running.items()):
            if running.lease.fence in over:
                self._end_worker(worker)
                self.live.end(running.lease.match or 0)

    def _end_worker(self, worker: str) -> None:
        """Has nobody listen to a worker any more, and ends what it does."""
        assert self._executor is not None, "it was opened"
        del self._running[worker]
        ending = asyncio.create_task(self._executor.end(worker))  # one that obeys nothing takes its time
        self._endings.add(ending)
        ending.add_done_callback(self._endings.discard)

    # What becomes of it

    async def _finish(self, running: TaskAtWork, event: Done) -> None:
        """Records what a worker has done; a match only after it was played again."""
        report = event.reports
        try:
            if report.trouble:
                await self._fail(running, str(report.trouble))
            elif isinstance(running.work, MatchWork):
                await self._finish_match(running, running.work, report)
            else:
                await self._record(record_tried, self.yard.blobs, running.lease, report)
        except Exception:
            LOG.exception("what came of task %d could not be recorded", running.lease.task)
            await self._fail(running, f"it could not be recorded: {traceback.format_exc(limit=-2)}")
        self._short = True
        self._supply.stir()
        # A check may follow a build, and the next games of a contest the last one of a round.
        self._stirred |= running.lease.match is None or running.lease.urgency == TaskClass.CONTEST
        self._woken.set()

    async def _finish_match(self, running: TaskAtWork, work: MatchWork, report: GameReport) -> None:
        try:
            played = await self._verifying.do((work, report))
        except YardError as error:
            await self._fail(running, f"its report is not true: {error}")
            return
        for content in (report.replay, report.turn_log):
            if content is not None and len(content) > IN_ROW:
                await asyncio.to_thread(self.yard.blobs.lay_down, content)
        await self._recording.do((running.lease, played))
        self._avoid.pop(running.lease.task, None)
        self.live.end(work.match, played.replay.ticks)
        assert self._executor is not None, "it was opened"
        self.samples.consider(self._executor, work, played, running.lease.worker)
        taken, before = self.yard.clock() - running.began_ms, self._usual_ms.get(work.game, 0)
        self._usual_ms[work.game] = (7 * before + taken) // 8 if before else taken

    async def _verify(self, reported: Sequence[tuple[MatchWork, GameReport]]) -> list[PlayedMatch]:
        return await self._with_rules(lambda: [verified(work, report) for work, report in reported])

    async def _record_matches(self, played: Sequence[tuple[Lease, PlayedMatch]]) -> list[bool]:
        return await self._record(record_matches, self.yard.blobs, played)

    async def _fail(self, running: TaskAtWork, reason: str) -> None:
        self.live.end(running.lease.match or 0)
        state = await self._record(record_failure, running.lease, last_line(reason))
        self._avoid.pop(running.lease.task, None)
        if state == WAITING:
            self._avoid[running.lease.task] = running.lease.worker
        self._stirred = True

    async def _record(self, act: Callable[..., T], *args: Any, **options: Any) -> T:
        """Records something as soon as the database lets us: what a worker has done is not thrown away."""
        while True:
            try:
                return await self.yard.change(act, *args, self.yard.clock(), **options)
            except DatabaseAway as error:
                if self._ending:
                    raise
                LOG.warning("%s; tried again", error)
                await asyncio.sleep(AWAY_S)

    async def _with_rules(self, act: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._rules, act)


def last_line(reason: str) -> str:
    """Returns what a traceback comes to, in a line that is not too long."""
    lines = reason.strip().splitlines() or ["it said nothing"]
    return lines[-1][:REASON_MAX]
