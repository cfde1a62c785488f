"""Workers as the tables show them. An admin may drain a worker: it ends what it does and gets no more work."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping
from typing import Any, Final

import sqlalchemy as sa

from botyard.contest.executors import Executor, open_executor
from botyard.contest.plan import Running
from botyard.kernel.devices import core_count
from botyard.yard.config import YardConfig
from botyard.yard.data.database import insert_new
from botyard.yard.data.events import note_event
from botyard.yard.data.tables import WORKER
from botyard.yard.refusals import NotThere
from botyard.yard.site import Yard

IDLE, BUSY, DRAINED, GONE = "idle", "busy", "drained", "gone"
NOTE_S: Final = 2.0  # between two notes of what workers do; the status page misses them after five seconds
LOOK_S: Final = 0.5  # between two looks whether somebody has stopped a worker, which is noted at once


def hired(config: YardConfig) -> Executor:
    """Returns the workers that a yard's file names. On this machine they have all cores but one, so that whatever the
    server does at a fixed pace is on time."""
    here = max(1, core_count() - 1) if config.executor == "local" else 0
    return open_executor(Running(config.executor, config.workers or here, config.address))


class WorkerBoard:
    """Keeps the table of workers up to date, and knows who takes no work: who is drained or was stopped."""

    def __init__(self, yard: Yard) -> None:
        self._yard = yard
        self._noted = self._looked = 0.0
        self._drained: set[str] = set()
        self._stopped: set[str] = set()

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
        doing = dict.fromkeys(executor.idle(), IDLE) | dict.fromkeys(busy, BUSY) | dict.fromkeys(stopped, GONE)
        await self._yard.change_for_now(note_workers, doing, self._yard.clock())
        self._drained = await self._yard.ask(drained_workers)


def greet_workers(connection: sa.Connection, names: list[str], about: Mapping[str, Any], now_ms: int) -> None:
    """Notes which workers there are now; all others have gone."""
    connection.execute(sa.update(WORKER).where(WORKER.c.name.not_in(names)).values(state=GONE))
    told = {"about": json.dumps(about, sort_keys=True), "seen_ms": now_ms}
    for name in names:
        if not insert_new(connection, WORKER, {"name": name, "state": IDLE, **told}):
            known = sa.update(WORKER).where(WORKER.c.name == name)
            connection.execute(known.values(**told, state=sa.case((WORKER.c.state == DRAINED, DRAINED), else_=IDLE)))


def note_workers(connection: sa.Connection, doing: Mapping[str, str], now_ms: int) -> None:
    """Notes what workers do; of those that are gone nothing was heard."""
    for name, what in doing.items():
        state = sa.case((WORKER.c.state == DRAINED, DRAINED), else_=what)
        heard = {} if what == GONE else {"seen_ms": now_ms}
        connection.execute(sa.update(WORKER).where(WORKER.c.name == name).values(state=state, **heard))


def drained_workers(connection: sa.Connection) -> set[str]:
    return set(connection.scalars(sa.select(WORKER.c.name).where(WORKER.c.state == DRAINED)))


def drain_worker(connection: sa.Connection, name: str, drained: bool, person: int, now_ms: int) -> None:
    """Has a worker get no more work, or get some again."""
    changed = sa.update(WORKER).where(WORKER.c.name == name, WORKER.c.state != GONE)
    if connection.execute(changed.values(state=DRAINED if drained else IDLE)).rowcount != 1:
        raise NotThere(f"there is no worker {name!r}")
    kind = "worker.drained" if drained else "worker.resumed"
    note_event(connection, now_ms, kind, f"worker/{name}", person=person)
