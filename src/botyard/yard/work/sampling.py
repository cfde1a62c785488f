"""A sample of games is played again on another worker and compared.

A result is what its orders lead to, but a worker could invent orders. So one in a hundred matches that bots alone
played, and in which every question was answered in time, is played again elsewhere. If that gives other orders, and
the same ones however often it is tried, the bots are not what differs: one of the two machines is. Then both replays
are kept and admins are told. No result is ever changed by it. House bots always do the same, so with them alone
a single game is enough. Samples are kept in memory: if the server ends, they are not missed.
"""

from __future__ import annotations

import secrets
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import sqlalchemy as sa

from botyard.contest.executors import Done, Event, Executor, Signed
from botyard.contest.messages import GameReport
from botyard.kernel.errors import YardError
from botyard.kernel.verdict import Verdict
from botyard.yard.data.blobs import Blobs
from botyard.yard.data.events import note_event
from botyard.yard.data.tables import ADMIN, FAULT, PERSON
from botyard.yard.people.notices import notify
from botyard.yard.site import Yard
from botyard.yard.work.hand_work import HandWork
from botyard.yard.work.lessor import applicant
from botyard.yard.work.matches import MatchWork
from botyard.yard.work.verifying import PlayedMatch, verified

if TYPE_CHECKING:
    from botyard.contest.worker import Worker

ONE_IN: Final = 100  # matches
TRIALS: Final = 4  # that must agree; bots that throw dice may well give the same orders twice in a game of few ticks
WAITING_MAX: Final = 8  # samples; no further one is drawn until another worker has had time for these


@dataclass(frozen=True, slots=True)
class ComparedWork:
    """A match to play again; if it goes otherwise and programs play in it, as long as it goes the same way."""

    work: MatchWork
    replay: bytes  # as it was recorded

    async def done_by(self, worker: Worker, progress: Callable[[Any], None]) -> list[GameReport]:
        reports = [await self.work.done_by(worker, progress)]
        if any(not player.house for player in self.work.players):
            while len(reports) < TRIALS and self._alike(reports):
                reports.append(await self.work.done_by(worker, progress))
        return reports

    def _alike(self, reports: list[GameReport]) -> bool:
        """Whether it went otherwise, and always in the same way."""
        ways = {report.replay for report in reports}
        return len(ways) == 1 and ways.isdisjoint({None, self.replay})


@dataclass(frozen=True, slots=True)
class Sample:
    """A match that was recorded and is to be compared."""

    work: MatchWork
    played: PlayedMatch
    worker: str  # that played it
    node: str  # where that was, if it was on a cluster


@dataclass(frozen=True, slots=True)
class MatchDifference:
    """A match that another worker played otherwise."""

    match: int
    worker: str
    reason: str
    replay: bytes


class Sampler:
    """Draws matches, has them played again, and tells of those that went otherwise."""

    def __init__(
        self, yard: Yard, with_rules: Callable[[Callable[[], Any]], Awaitable[Any]], one_in: int = ONE_IN
    ) -> None:
        self._yard, self._with_rules, self._one_in = yard, with_rules, one_in
        self._due: deque[Sample] = deque()
        self._at_work: dict[str, Sample] = {}
        self.compared = 0  # that went the same way

    @property
    def busy(self) -> set[str]:
        """Returns the workers that play a sample."""
        return set(self._at_work)

    def consider(self, executor: Executor, work: MatchWork, played: PlayedMatch, worker: str) -> None:
        """Draws a match by lot, which no worker can know before."""
        if len(self._due) >= WAITING_MAX or executor.workers < 2 or isinstance(work, HandWork):
            return
        if answered_in_time(played.report) and secrets.randbelow(self._one_in) == 0:
            facts = executor.facts(worker)
            self._due.append(Sample(work, played, worker, facts.node if facts else ""))

    def give(self, executor: Executor, idle: list[str]) -> None:
        """Gives samples to idle workers, who are idle no more: to those of another machine first."""
        for sample in list(self._due):
            able = [
                worker
                for worker in idle
                if worker != sample.worker and not (who := applicant(executor, worker)).by_hand and not who.lacks
            ]
            elsewhere = [
                worker for worker in able if (facts := executor.facts(worker)) is None or facts.node != sample.node
            ]
            if able:
                worker = (elsewhere or able)[0]
                idle.remove(worker)
                self._due.remove(sample)
                self._at_work[worker] = sample
                replay = sample.played.report.replay
                assert replay is not None, "it was verified"
                executor.start(worker, ComparedWork(sample.work, replay))

    async def take(self, event: Event) -> None:
        """Takes what a worker tells that plays a sample. One that died is no witness, and its sample is dropped."""
        if isinstance(event, Signed):
            return
        sample = self._at_work.pop(event.worker)
        if not isinstance(event, Done):
            return
        reports: list[GameReport] = event.reports
        difference = await self._with_rules(lambda: difference_in(sample, event.worker, reports))
        if difference is None:
            self.compared += 1
            return
        await self._yard.change(record_difference, self._yard.blobs, difference, self._yard.clock())


def answered_in_time(report: GameReport) -> bool:
    """Whether nobody lost a turn: lateness is never the same twice."""
    return all(set(counts) <= {str(Verdict.OK)} for counts in (report.verdicts or {}).values())


def difference_in(sample: Sample, worker: str, reports: list[GameReport]) -> MatchDifference | None:
    """Returns how a match went otherwise elsewhere, if the bots are not what differs."""
    match, known = sample.work.match, sample.played.orders_hash
    if any(report.trouble or not answered_in_time(report) for report in reports):
        return None  # whoever could not play it says nothing about it, the second time neither
    shown = reports[0].replay or b""
    there = f"match {match}, which {sample.worker} played, was played again on {worker}"
    try:
        played = [verified(sample.work, report) for report in reports]
    except YardError as error:
        return MatchDifference(match, worker, f"{there}, whose report is not true: {error}", shown)
    orders = {game.orders_hash for game in played}
    if known in orders or len(orders) > 1:
        return None
    here, other = sample.played.replay.ticks, played[0].replay.ticks
    tick = next((at for at, (one, two) in enumerate(zip(here, other, strict=False)) if one != two), len(other))
    always = f" {len(played)} times, always" if len(played) > 1 else ""
    return MatchDifference(match, worker, f"{there}{always} with other orders from tick {tick} on", shown)


def record_difference(connection: sa.Connection, blobs: Blobs, found: MatchDifference, now_ms: int) -> None:
    """Keeps the other replay and tells admins; the match itself stays as it is."""
    replay = blobs.keep(connection, found.replay, now_ms) if found.replay else None
    row = {"worker": found.worker, "reason": found.reason, "match": found.match, "replay": replay, "at_ms": now_ms}
    connection.execute(sa.insert(FAULT).values(**row))
    note_event(connection, now_ms, "match.differs", f"match/{found.match}", worker=found.worker)
    admins = sa.select(PERSON.c.id).where(PERSON.c.role == ADMIN, PERSON.c.state == "active")
    for person in connection.scalars(admins).all():
        title = f"Match {found.match} went otherwise on another worker"
        notify(connection, person, title, f"{found.reason}. Its result stays.", now_ms, link="/admin/workers")
