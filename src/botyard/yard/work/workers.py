"""Workers as the tables show them. An admin may drain a worker: it ends what it does and gets no more work.

A worker on another machine tells of itself when it comes. One that runs another Botyard is refused: that stands here
with the reason, and it gets nothing. What waits for a language that no worker has says so.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final

import sqlalchemy as sa

from botyard import __version__
from botyard.contest.executors import Executor, open_executor
from botyard.contest.executors.local import Local
from botyard.contest.plan import Running
from botyard.contest.worker_facts import WorkerFacts, own_toolchains
from botyard.jail.installed_languages import InstalledLanguage, language_title
from botyard.jail.limits import Level
from botyard.kernel.devices import core_count
from botyard.yard.config import YardConfig
from botyard.yard.data.database import insert_new
from botyard.yard.data.events import note_event
from botyard.yard.data.statements import TO, among, bound
from botyard.yard.data.tables import TASK, WAITING, WORKER
from botyard.yard.refusals import NotThere
from botyard.yard.site import Yard
from botyard.yard.work.hands_here import CALLED, HandsHere, hand_workers
from botyard.yard.work.leasing import in_languages
from botyard.yard.work.tasks import WAITS

IDLE, BUSY, DRAINED, REFUSED, GONE = "idle", "busy", "drained", "refused", "gone"
NOTE_S: Final = 2.0  # between two notes of what workers do; the status page misses them after five seconds
LOOK_S: Final = 0.5  # between two looks whether somebody has stopped a worker, which is noted at once
NO_LANGUAGE: Final = "waits for a worker that has "


def hired(config: YardConfig) -> Executor:
    """Returns the workers that a yard's file names. On this machine they have all cores but one, so that whatever the
    server does at a fixed pace is on time. Those of a cluster must be able to cage bots."""
    if config.executor == "local":
        return open_executor(Running(config.executor, config.workers or max(1, core_count() - 1)))
    running = Running(config.executor, config.workers, config.address)
    return HandsHere(open_executor(running, Level.CAGED, languages=True), Local(hand_workers(), CALLED))


class WorkerBoard:
    """Keeps the table of workers up to date, and knows who takes no work: who is drained or was stopped."""

    def __init__(self, yard: Yard) -> None:
        self._yard = yard
        self._noted = self._looked = 0.0
        self._drained: set[str] = set()
        self._stopped: set[str] = set()
        self._about: dict[str, str] = {}  # what the table holds of workers that are there
        self._lacked: frozenset[str] = frozenset()  # languages that no worker has

    @property
    def away(self) -> set[str]:
        """Returns the workers that get no work."""
        return self._drained | self._stopped

    async def note(self, executor: Executor, busy: Iterable[str]) -> None:
        """Notes what workers do, from time to time."""
        now, stopped = time.monotonic(), self._stopped
        if now - self._looked >= LOOK_S:
            self._looked, stopped = now, set(executor.stopped())
        if now - self._noted < NOTE_S and stopped == self._stopped:
            return
        self._noted, self._stopped = now, stopped
        refused = executor.refused()
        doing = dict.fromkeys(executor.idle(), IDLE) | dict.fromkeys(busy, BUSY)
        doing |= dict.fromkeys(refused, REFUSED) | dict.fromkeys(stopped, GONE)
        about = {name: told_about(executor.facts(name), refused.get(name, "")) for name in doing}
        news = {name: told for name, told in about.items() if self._about.get(name) != told}
        now_ms = self._yard.clock()
        await self._yard.change_for_now(note_workers, doing, news, now_ms)
        self._about = about
        lacked = lacked_by_all([facts for name in doing if (facts := executor.facts(name)) and name not in refused])
        if lacked or self._lacked:
            await self._yard.change_for_now(note_lacked, lacked)
        self._lacked = lacked
        self._drained = await self._yard.ask(drained_workers)


def told_about(facts: WorkerFacts | None, refused: str) -> str:
    """Returns what the table holds of a worker, as JSON."""
    told: dict[str, Any] = {"botyard": __version__}
    if facts is not None:
        languages = [language.as_json() for language in facts.languages]
        told = {"botyard": facts.botyard, "machine": facts.machine, "rules": dict(facts.rules), "languages": languages}
        told["toolchains"] = facts.toolchains
    if refused:
        told["refused"] = refused
    return json.dumps(told, sort_keys=True)


def lacked_by_all(workers: list[WorkerFacts]) -> frozenset[str]:
    """Returns the languages that none of these workers has; none if there are no workers."""
    return frozenset.intersection(*(facts.lacking for facts in workers)) if workers else frozenset()


def greet_workers(connection: sa.Connection, names: list[str], now_ms: int) -> None:
    """Notes which workers there are now; all others have gone, or are still to come."""
    note_workers(connection, dict.fromkeys(names, IDLE), dict.fromkeys(names, told_about(None, "")), now_ms)


def note_workers(
    connection: sa.Connection, doing: Mapping[str, str], about: Mapping[str, str], now_ms: int
) -> None:  # fmt: skip
    """Notes what workers do, and what is new about them; of those that are gone nothing was heard."""
    for name, what in doing.items():
        row = {"name": name, "state": what, "about": about.get(name, "{}"), "seen_ms": now_ms}
        if name in about and insert_new(connection, WORKER, row):
            continue
        known: dict[str, Any] = {"about": about[name]} if name in about else {}
        if what != GONE:
            known["seen_ms"] = now_ms
        connection.execute(worker_change(tuple(known)), {"called": name, "does": what, **bound({}, known)})
    left = sa.update(WORKER).where(WORKER.c.name.not_in(list(doing)), WORKER.c.state.not_in((DRAINED, GONE)))
    connection.execute(left.values(state=GONE))


@cache
def worker_change(also: tuple[str, ...]) -> sa.Update:
    """Returns the statement that notes what a worker does, unless it is drained, and these columns."""
    state = sa.case((WORKER.c.state == DRAINED, DRAINED), else_=sa.bindparam("does"))
    changed = sa.update(WORKER).where(WORKER.c.name == sa.bindparam("called"))
    return changed.values(state=state, **{name: sa.bindparam(TO + name) for name in also})


def note_lacked(connection: sa.Connection, lacked: frozenset[str]) -> None:
    """Has whatever waits for a language that no worker has say so, and what waits for it no more forget it."""
    waits = sa.update(TASK).where(TASK.c.state == WAITING)
    connection.execute(waits.where(TASK.c.why.startswith(NO_LANGUAGE)).values(why=WAITS))
    for language in sorted(lacked):
        told = f"{NO_LANGUAGE}{language_title(language)}: none is there"
        connection.execute(waits.where(in_languages([language])).values(why=told))


THERE = sa.select(WORKER.c.about).where(among(WORKER.c.state, IDLE, BUSY, DRAINED))


def told_languages(connection: sa.Connection) -> list[list[InstalledLanguage]]:
    """Returns the languages that workers on other machines have told of, each worker's."""
    told = [json.loads(about).get("languages") for about in connection.scalars(THERE)]
    return [[language_in(one) for one in languages] for languages in told if languages]


def known_toolchains(connection: sa.Connection) -> list[str]:
    """Returns what tells the toolchains apart that bots are checked with: those of the workers on other machines, as
    they were last heard of, or of this machine if there are none."""
    there = sa.select(WORKER.c.about).where(WORKER.c.state.in_((IDLE, BUSY, DRAINED)))
    told = {json.loads(about).get("toolchains", "") for about in connection.scalars(there)}
    return sorted(told - {""}) or [own_toolchains()]


def language_in(told: dict[str, Any]) -> InstalledLanguage:
    return InstalledLanguage(**{**told, "versions": tuple(told["versions"]), "libraries": tuple(told["libraries"])})


def drained_workers(connection: sa.Connection) -> set[str]:
    return set(connection.scalars(sa.select(WORKER.c.name).where(WORKER.c.state == DRAINED)))


def drain_worker(connection: sa.Connection, name: str, drained: bool, person: int, now_ms: int) -> None:
    """Has a worker get no more work, or get some again."""
    changed = sa.update(WORKER).where(WORKER.c.name == name, WORKER.c.state != GONE)
    if connection.execute(changed.values(state=DRAINED if drained else IDLE)).rowcount != 1:
        raise NotThere(f"there is no worker {name!r}")
    kind = "worker.drained" if drained else "worker.resumed"
    note_event(connection, now_ms, kind, f"worker/{name}", person=person)
