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


def hired(config: YardConfig) -> Executor:
    """Returns the workers that a yard's file names. On this machine they have all cores but one, so that whatever the
    server does at a fixed pace is on time."""
    here = max(1, core_count() - 1) if config.executor == "local" else 0
    return open_executor(Running(config.executor, config.workers or here, config.address))


class WorkerBoard:
    """Keeps the table of workers up to date, and knows who is drained."""

    def __init__(self, yard: Yard) -> None:
        self._yard = yard
        self._noted = 0.0
        self.drained: set[str] = set()

    async def note(self, idle: Iterable[str], busy: Iterable[str]) -> None:
        """Notes what workers do, from time to time."""
        now = time.monotonic()
        if now - self._noted < NOTE_S:
            return
        self._noted = now
        at_work = dict.fromkeys(idle, False) | dict.fromkeys(busy, True)
        await self._yard.change_for_now(note_workers, at_work, self._yard.clock())
        self.drained = await self._yard.ask(drained_workers)


def greet_workers(connection: sa.Connection, names: list[str], about: Mapping[str, Any], now_ms: int) -> None:
    """Notes which workers there are now; all others have gone."""
    connection.execute(sa.update(WORKER).where(WORKER.c.name.not_in(names)).values(state=GONE))
    told = {"about": json.dumps(about, sort_keys=True), "seen_ms": now_ms}
    for name in names:
        if not insert_new(connection, WORKER, {"name": name, "state": IDLE, **told}):
            known = sa.update(WORKER).where(WORKER.c.name == name)
            connection.execute(known.values(**told, state=sa.case((WORKER.c.state == DRAINED, DRAINED), else_=IDLE)))


def note_workers(connection: sa.Connection, busy: Mapping[str, bool], now_ms: int) -> None:
    """Notes which workers are at work."""
    for name, at_work in busy.items():
        state = sa.case((WORKER.c.state == DRAINED, DRAINED), else_=BUSY if at_work else IDLE)
        connection.execute(sa.update(WORKER).where(WORKER.c.name == name).values(state=state, seen_ms=now_ms))


def drained_workers(connection: sa.Connection) -> set[str]:
    return set(connection.scalars(sa.select(WORKER.c.name).where(WORKER.c.state == DRAINED)))


def drain_worker(connection: sa.Connection, name: str, drained: bool, person: int, now_ms: int) -> None:
    """Has a worker get no more work, or get some again."""
    changed = sa.update(WORKER).where(WORKER.c.name == name, WORKER.c.state != GONE)
    if connection.execute(changed.values(state=DRAINED if drained else IDLE)).rowcount != 1:
        raise NotThere(f"there is no worker {name!r}")
    kind = "worker.drained" if drained else "worker.resumed"
    note_event(connection, now_ms, kind, f"worker/{name}", person=person)
