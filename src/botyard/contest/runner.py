"""This module runs a contest: it asks the course for a wave, has it played, and feeds the results back in their order.

Everything that counts is in the store, and the course follows from the store alone. So after a crash at any moment
the next run gets the same waves, finds most of their games recorded, and has the others played. The format never
learns which worker played a game, or when it was finished.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, zip_longest

from botyard.contest.executors import Done, Event, Executor, Lost, Signed, open_executor
from botyard.contest.messages import GameReport, Job, Share, Sign
from botyard.contest.opening import Agree, amended, open_store
from botyard.contest.plan import STOP, Plan
from botyard.contest.prepared import PreparedContest
from botyard.contest.roots import derive_seed
from botyard.contest.rows import GameRow
from botyard.contest.schema import DONE, VOID
from botyard.contest.store import PlayedGames, Store
from botyard.contest.travelling import Travellers, packed_bots
from botyard.jail.limits import Level
from botyard.jail.threads import in_thread
from botyard.kernel.errors import BadRecord, YardError
from botyard.rank.formats import Course, Pairing
from botyard.rank.results import parse
from botyard.rank.standings import ResultSums

SHARE = 256  # most games in one share of a worker
SHARES_EACH = 4  # shares per worker and wave: small enough that nobody waits long for the last one
FIRST_SHARE = 8  # games in a share while it is not known how long one takes
SHARE_S = 5.0  # how long a share should take, so that little is lost with a worker and none seems dead
LOST_IN_A_ROW = 20  # so many lost workers mean that something is wrong with the machine
WAIT_S = 0.5
SIGN_S = 1.0  # between two notes of progress in the store
NEXT_TOLD, LAST_TOLD = 8, 12  # games to come and games played that watchers are told of


class GivenUp(YardError):
    """The error that ends a run because something is wrong with the machine."""


@dataclass(frozen=True, slots=True)
class AtWork:
    """A worker that plays, the games it was given, and its last sign."""

    worker: str
    jobs: Sequence[Job]
    sign: Sign | None


@dataclass(slots=True)
class News:
    """The progress of a run, for those who watch it. They may be in another thread: lists are replaced, not changed."""

    done: int = 0  # games recorded, those of earlier runs included
    before: int = 0  # games recorded by earlier runs
    expected: int = 0  # games in all, at least
    faults: int = 0
    began: float = field(default_factory=time.monotonic)
    table: ResultSums = field(default_factory=lambda: ResultSums(()))
    at_work: tuple[AtWork, ...] = ()
    coming: tuple[Job, ...] = ()  # the next games, a few of them
    latest: tuple[tuple[int, str], ...] = ()  # number and result of the last games, the newest first

    @property
    def rate(self) -> float:
        """Games per second of this run."""
        return (self.done - self.before) / max(1e-9, time.monotonic() - self.began)

    @property
    def seconds_left(self) -> float | None:
        """How long the rest will take at this rate; None while that is not known."""
        return (self.expected - self.done) / self.rate if self.done > self.before else None

    @property
    def leaders(self) -> list[tuple[str, float]]:
        """The three best bots by share of points so far. The format may count otherwise: these are no standings."""
        shares = {bot: own.points / own.games for bot, own in self.table.tallies.items() if own.games}
        return sorted(shares.items(), key=lambda pair: -pair[1])[:3]


Watcher = Callable[[News], None]


class Run:
    """One run of a contest, which plays what its store does not hold yet."""

    def __init__(
        self,
        plan: Plan,
        store: Store,
        hire: Callable[[], Executor],
        watch: Watcher = lambda news: None,
        boards: bool = False,
    ) -> None:
        self._plan, self._store, self._hire, self._watch = plan, store, hire, watch
        self._brief = replace(plan.brief, boards=boards)
        self._executor: Executor | None = None  # opened when there is something to play
        self._pace = 0.0  # seconds per game of house bots; 0 while unknown
        self._started: dict[str, float] = {}
        self.news = News(expected=plan.estimate.least, table=ResultSums(tuple(plan.keys)))
        self._queue: deque[Job] = deque()
        self._playing: dict[str, list[Job]] = {}
        self._avoid: dict[int, str] = {}  # the worker where a game failed, which should not get it again
        self._signs: dict[str, Sign] = {}  # the last sign of each worker that plays
        self._signed = 0.0
        self._lost = 0  # workers lost in a row, with no share finished in between
        self._travellers: Travellers | None = None  # the bots, for workers on other machines

    async def play(self) -> Course:
        """Plays all waves and returns the course at its end."""
        course, first = self._plan.open_course(), 1
        self.news.before = self.news.done = self._store.counts().recorded
        root = self._store.root
        while wave := next_wave(self._plan, course, first):
            self._store.ask(first, wave, [derive_seed(root, pairing.chance) for pairing in wave])
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
        executor = self._executor or await self._hired()
        most = max(1, min(SHARE, len(self._queue) // (executor.workers * SHARES_EACH)))
        while self._queue or self._playing:
            idle = executor.idle()
            for worker in idle:
                size = min(most, int(SHARE_S / self._pace) if self._pace else FIRST_SHARE)
                share = self._next_share(worker, size, alone=not ({*idle, *self._playing} - {worker}))
                if share:
                    self._store.lease([job.number for job in share], worker)
                    self._playing[worker], self._started[worker] = share, time.monotonic()
                    executor.start(worker, Share(self._brief, tuple(share), self._travellers))
            self._tell()
            for event in await executor.wait(WAIT_S):
                self._take(event)
            refused = executor.refused()
            if len(refused) >= executor.workers:
                raise GivenUp("no worker of the cluster can play this contest", hint="; ".join(set(refused.values())))
            self._store.beat()
            self._tell()

    async def _hired(self) -> Executor:
        """Has workers come. To those on other machines the bots travel, as they were built here."""
        self._executor = executor = self._hire()
        if executor.far:
            unbuilt = await PreparedContest(self._brief).build()
            self._travellers = await in_thread(packed_bots, self._brief, unbuilt)
        return executor

    def _tell(self) -> None:
        """Tells the watcher how it stands, in few words: a contest of many short games comes here very often."""
        self.news.at_work = tuple(
            AtWork(worker, jobs, self._signs.get(worker)) for worker, jobs in self._playing.items()
        )
        self.news.coming = tuple(islice(self._queue, NEXT_TOLD))
        self._watch(self.news)

    async def close(self) -> None:
        """Ends all workers and leaves nothing running."""
        if self._executor is not None:
            await self._executor.close()

    def _next_share(self, worker: str, size: int, alone: bool) -> list[Job]:
        """Takes the next games from the queue: several new ones among house bots, or a single other game.

        A game that failed is given to another worker, unless this one is `alone`.
        """
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
            if not self._plan.is_house(following.bots) or following.attempt > 1:
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
            reason = event.reason if last is None else f"{event.reason}; its last sign: {last}"
            self._retry(self._playing.pop(event.worker, []), event.worker, reason)
            if self._lost > LOST_IN_A_ROW:
                raise GivenUp(f"{self._lost} workers died one after another", hint=f"the last: {event.reason}")
        else:
            self._record(event)

    def _record(self, event: Done) -> None:
        self._lost = 0
        self._signs.pop(event.worker, None)
        share = self._playing.pop(event.worker, [])
        if share and self._plan.is_house(share[0].bots):  # only the newest share counts, even one of a single game
            self._pace = (time.monotonic() - self._started[event.worker]) / len(share)
        jobs = {job.number: job for job in share}
        reports: Sequence[GameReport] = event.reports
        played = [report for report in reports if not report.trouble and report.number in jobs]
        self.news.done += self._store.record(played)
        for report in played:
            self.news.table.add(parse(report.result))
            jobs.pop(report.number)
        newest = ((report.number, report.result) for report in reversed(played[-LAST_TOLD:]))
        self.news.latest = (*newest, *self.news.latest)[:LAST_TOLD]
        troubles = {report.number: report.trouble for report in reports}
        for job in jobs.values():
            self._retry([job], event.worker, troubles.get(job.number, "the worker reported nothing about this game"))

    def _retry(self, jobs: Sequence[Job], worker: str, reason: str) -> None:
        if not jobs:
            return
        again = self._store.fault(jobs, worker, reason, self._plan.running.attempts)
        self.news.faults += len(jobs)
        self.news.done += len(jobs) - len(again)
        for job in again:
            self._avoid[job.number] = worker
            self._queue.append(job)


async def run_contest(
    plan: Plan, *, anew: bool = False, agree: Agree = lambda amendment: True, watch: Watcher = lambda news: None
) -> tuple[Course, News]:
    """Runs a contest to its end, or goes on with it; returns the course and the progress.

    The bots are built first, so that a contest that cannot begin leaves nothing behind.
    """
    await check_built(plan)
    return await play_built(plan, anew=anew, agree=agree, watch=watch)


async def play_built(
    plan: Plan,
    *,
    anew: bool = False,
    agree: Agree = lambda amendment: True,
    watch: Watcher = lambda news: None,
    boards: bool = False,
) -> tuple[Course, News]:
    """Runs a contest whose bots were built. Those that could not be built forfeit their games.

    With `boards` the watcher also learns the positions of games that go on.
    """
    with open_store(plan, anew=anew) as store:
        store.hold()
        plan = amended(plan, store, agree)
        run = Run(plan, store, lambda: open_executor(plan.running, level_of(plan)), watch, boards)
        try:
            return await run.play(), run.news
        finally:
            await run.close()


def level_of(plan: Plan) -> Level | None:
    """Returns the level at which programs of a contest are held; None if all of its bots are ours."""
    return None if plan.is_house(plan.keys) else Level(plan.cage.level) if plan.cage.level else Level.CAGED


async def check_built(plan: Plan) -> dict[str, str]:
    """Builds the bots; returns by key why some cannot be built. Raises an error if the contest must not begin so.

    Only then each is started once, too: elsewhere a bot that does not start forfeits its games as it comes to them.
    """
    prepared = PreparedContest(plan.brief)
    failed = await prepared.build()
    if plan.conduct.on_unbuilt == STOP and (failed := failed or await prepared.try_starts()):
        told = [f"{key}: {why}" for key, why in failed.items()]
        hint = "\n       ".join([*told, f"`botyard contest check {plan.path.name}` says more"])
        raise YardError(f"nothing is played: {len(failed)} of {len(plan.bots)} bots cannot play", hint=hint)
    return failed


def next_wave(plan: Plan, course: Course, first: int) -> list[Pairing]:
    """Returns the wave that begins with game number `first`, among the bots that are there by then."""
    course.present = plan.present(first - 1)
    return course.wave()


def unfinished_wave(plan: Plan, games: PlayedGames) -> tuple[Course, int, list[Pairing]]:
    """Returns the course up to the first wave of which a game is missing, the number of that wave's first game, and the
    wave itself; it is empty if the contest is over."""
    course, first = plan.open_course(), 1
    while wave := next_wave(plan, course, first):
        rows = list(games.rows(first, first + len(wave) - 1))
        if len(rows) < len(wave) or any(row.result is None for row in rows):
            break
        for pairing, row in zip(wave, rows, strict=True):
            assert row.result is not None
            course.add(pairing, row.result)
        first += len(wave)
    return course, first, wave


def replay_course(
    plan: Plan, store: PlayedGames, see: Callable[[GameRow], None] = lambda row: None
) -> tuple[Course, bool]:
    """Returns the course as far as it is recorded without a gap, and whether it is over. `see` is given each game."""
    course, first = plan.open_course(), 1
    while wave := next_wave(plan, course, first):
        last = first + len(wave) - 1
        for pairing, row in zip_longest(wave, store.rows(first, last)):
            if row is None or row.state not in (DONE, VOID) or row.result is None:
                return course, False
            if row.pairing != pairing:
                hint = "the store was made by another version of Botyard, or is damaged; begin again with --anew"
                raise BadRecord(f"game {row.number} is {row.pairing}, but the format asks for {pairing}", hint=hint)
            see(row)
            course.add(pairing, row.result)
        first = last + 1
    return course, True
