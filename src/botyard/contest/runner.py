"""Runs a contest to its end: asks the format for the next wave, has it played, feeds the results back in their order.

Failure story: everything that counts is in the store, and the course of the contest follows from it alone. Whatever
dies, at whatever moment, the next run asks the same course for the same waves, finds most of their games recorded,
and has the others played. Which worker played a game, and when it was finished, never reaches the format.
"""

from __future__ import annotations

import contextlib
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path

from botyard.contest.executors import Done, Event, Executor, Lost, Signed, open_executor
from botyard.contest.messages import Job, Share, Sign
from botyard.contest.plan import Plan, changes
from botyard.contest.prepared import PreparedContest
from botyard.contest.rows import GameRow
from botyard.contest.schema import DONE, VOID
from botyard.contest.store import Store
from botyard.contest.store_file import StoreFile
from botyard.kernel.errors import BadRecord, YardError
from botyard.rank.formats import Course
from botyard.rank.results import parse
from botyard.rank.standings import ResultSums

SHARE = 256  # most games in one share of a worker
SHARES_EACH = 4  # a wave is cut so that every worker gets about so many: the last one is not waited for long
FIRST_SHARE = 8  # before it is known how long a game takes
SHARE_S = 5.0  # what a share may take: little is lost with a worker, and none is taken for dead
LOST_IN_A_ROW = 20  # then it is not this game or that worker: something is wrong with the machine
WAIT_S = 0.5
SIGN_S = 1.0  # between two notes of progress in the store


class GivenUp(YardError):
    """Something is wrong with the machine: going on makes no sense."""


@dataclass(slots=True)
class News:
    """How far a run is, for whoever watches."""

    done: int = 0  # recorded, earlier runs included
    before: int = 0  # recorded by earlier runs
    expected: int = 0  # at least so many games in all
    faults: int = 0
    began: float = field(default_factory=time.monotonic)
    table: ResultSums = field(default_factory=lambda: ResultSums(()))

    @property
    def rate(self) -> float:
        """Games per second of this run."""
        return (self.done - self.before) / max(1e-9, time.monotonic() - self.began)

    @property
    def leaders(self) -> list[tuple[str, float]]:
        """The best by points so far, whatever the format counts: a glimpse, not the standings."""
        shares = {bot: own.points / own.games for bot, own in self.table.tallies.items() if own.games}
        return sorted(shares.items(), key=lambda pair: -pair[1])[:3]


Watcher = Callable[[News], None]


def open_begun(plan: Plan) -> StoreFile:
    """The store a contest began with; refused with what changed if the contest was edited since."""
    store = StoreFile.open(plan.store_path)
    different = changes(store.identity, plan.identity)
    if different:
        store.close()
        raise BadRecord(
            f"{plan.path.name} was edited after the contest began",
            hint="\n       ".join([*different, "undo that, or begin again with --anew (the games so far are lost)"]),
        )
    return store


def open_store(plan: Plan, *, resume: bool, anew: bool) -> StoreFile:
    """The store of a contest: a fresh one, or the one it began with, if that is what is wanted and nothing changed."""
    path = plan.store_path
    if anew and path.exists():
        remove_store(path)
    if not path.exists():
        return StoreFile.create(path, plan.fingerprint, plan.identity)
    store = open_begun(plan)
    if not resume:
        counts = store.counts()
        store.close()
        raise YardError(
            f"{path.name} exists: {counts.recorded} games are recorded",
            hint="go on with --resume, or begin again with --anew (the games so far are lost)",
        )
    return store


def remove_store(path: Path) -> None:
    """Forgets a contest, whatever became of its store; not while somebody runs it."""
    with contextlib.suppress(BadRecord), StoreFile.open(path) as store:
        store.hold()
    StoreFile.remove(path)


class Run:
    """One run of a contest over its store."""

    def __init__(
        self, plan: Plan, store: Store, hire: Callable[[], Executor], watch: Watcher = lambda news: None
    ) -> None:
        self._plan, self._store, self._hire, self._watch = plan, store, hire, watch
        self._brief = plan.brief
        self._executor: Executor | None = None  # hired when there is something to play
        self._pace = 0.0  # seconds for a game in a share, as far as it is known
        self._started: dict[str, float] = {}
        self.news = News(expected=plan.estimate.least, table=ResultSums(tuple(plan.names)))
        self._queue: deque[Job] = deque()
        self._playing: dict[str, list[Job]] = {}
        self._avoid: dict[int, str] = {}  # where a game has failed: elsewhere next time
        self._signs: dict[str, Sign] = {}  # the last of each worker that plays
        self._signed = 0.0
        self._lost = 0  # workers in a row, with no share finished in between

    async def play(self) -> Course:
        """All waves to the end."""
        course, first = self._plan.open_course(), 1
        self.news.before = self.news.done = self._store.counts().recorded
        while wave := course.wave():
            self._store.ask(first, wave, [self._plan.seed_of(pairing.chance) for pairing in wave])
            self.news.expected = max(self.news.expected, first + len(wave) - 1)
            await self._finish(first, len(wave))
            for pairing, row in zip(wave, self._store.rows(first, first + len(wave) - 1), strict=True):
                assert row.result is not None
                course.add(pairing, row.result)
            first += len(wave)
        return course

    async def _finish(self, first: int, count: int) -> None:
        self._queue = deque(self._store.waiting(first, count))
        if not self._queue:
            return
        self._executor = executor = self._executor or self._hire()
        most = max(1, min(SHARE, len(self._queue) // (executor.workers * SHARES_EACH)))
        while self._queue or self._playing:
            idle = executor.idle()
            for worker in idle:
                size = min(most, int(SHARE_S / self._pace) if self._pace else FIRST_SHARE)
                share = self._next_share(worker, size, alone=not ({*idle, *self._playing} - {worker}))
                if share:
                    self._store.lease([job.number for job in share], worker)
                    self._playing[worker], self._started[worker] = share, time.monotonic()
                    executor.start(worker, Share(self._brief, tuple(share)))
            for event in await executor.wait(WAIT_S):
                self._take(event)
            self._store.beat()
            self._watch(self.news)

    async def close(self) -> None:
        """Leaves nothing running."""
        if self._executor is not None:
            await self._executor.close()

    def _next_share(self, worker: str, size: int, alone: bool) -> list[Job]:
        """Fresh games of the same bots, many at a time; one that failed before goes by itself, elsewhere if it can."""
        for _ in range(len(self._queue)):
            if alone or self._avoid.get(self._queue[0].number) != worker:
                break
            self._queue.rotate(-1)
        else:
            return []
        share = [self._queue.popleft()]
        single = share[0].attempt > 1 or not self._plan.is_house(share[0].bots)
        while not single and self._queue and len(share) < size:
            following = self._queue[0]
            if following.bots != share[0].bots or following.attempt > 1:
                break
            share.append(self._queue.popleft())
        return share

    def _take(self, event: Event) -> None:
        if isinstance(event, Signed):
            self._signs[event.worker] = event.sign
            if time.monotonic() - self._signed > SIGN_S:
                self._signed = time.monotonic()
                self._store.note_progress(event.sign)
        elif isinstance(event, Lost):
            self._lost += 1
            last = self._signs.pop(event.worker, None)
            reason = event.reason if last is None else f"{event.reason}; last heard of: {last}"
            self._retry(self._playing.pop(event.worker, []), event.worker, reason)
            if self._lost > LOST_IN_A_ROW:
                raise GivenUp(f"{self._lost} workers died one after another", hint=f"the last: {event.reason}")
        else:
            self._record(event)

    def _record(self, event: Done) -> None:
        self._lost = 0
        self._signs.pop(event.worker, None)
        share = self._playing.pop(event.worker, [])
        if share and self._plan.is_house(share[0].bots):  # the newest share tells most, also one of a single game
            self._pace = (time.monotonic() - self._started[event.worker]) / len(share)
        jobs = {job.number: job for job in share}
        played = [report for report in event.reports if not report.trouble and report.number in jobs]
        self.news.done += self._store.record(played)
        for report in played:
            self.news.table.add(parse(report.result))
            jobs.pop(report.number)
        troubles = {report.number: report.trouble for report in event.reports}
        for job in jobs.values():
            self._retry([job], event.worker, troubles.get(job.number, "the worker told nothing of this game"))

    def _retry(self, jobs: Sequence[Job], worker: str, reason: str) -> None:
        if not jobs:
            return
        again = self._store.fault(jobs, worker, reason, self._plan.running.attempts)
        self.news.faults += len(jobs)
        self.news.done += len(jobs) - len(again)
        for job in again:
            self._avoid[job.number] = worker
            self._queue.append(job)


async def build_bots(plan: Plan) -> None:
    """Builds the bots, once, before the first game; all that cannot be built in one error."""
    failed = await PreparedContest(plan.brief).build()
    if failed:
        hint = "\n       ".join(f"{name}: {why}" for name, why in failed.items())
        raise YardError("not all bots can be built", hint=hint)


async def run_contest(
    plan: Plan, *, resume: bool = False, anew: bool = False, watch: Watcher = lambda news: None
) -> tuple[Course, News]:
    """Runs a contest to its end, or goes on with it."""
    with open_store(plan, resume=resume, anew=anew) as store:
        store.hold()
        await build_bots(plan)
        run = Run(plan, store, lambda: open_executor(plan.running), watch)
        try:
            return await run.play(), run.news
        finally:
            await run.close()


def replay_course(plan: Plan, store: Store, see: Callable[[GameRow], None] = lambda row: None) -> tuple[Course, bool]:
    """The course as far as it is recorded without a gap, and whether that is its end. `see` is shown every game."""
    course, first = plan.open_course(), 1
    while wave := course.wave():
        last = first + len(wave) - 1
        for pairing, row in zip_longest(wave, store.rows(first, last)):
            if row is None or row.state not in (DONE, VOID) or row.result is None:
                return course, False
            if row.pairing != pairing:
                hint = "the store was made by another version of Botyard, or damaged; run --anew"
                raise BadRecord(f"game {row.number} is {row.pairing}, the format asks for {pairing}", hint=hint)
            see(row)
            course.add(pairing, row.result)
        first = last + 1
    return course, True
