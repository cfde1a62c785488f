"""Workers as the tables show them. An admin may drain a worker: it ends what it does and gets no more work."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa

from botyard.yard.data.database import insert_new
from botyard.yard.data.events import note_event
from botyard.yard.data.tables import WORKER
from botyard.yard.refusals import NotThere

IDLE, BUSY, DRAINED, GONE = "idle", "busy", "drained", "gone"


def greet_workers(connection: sa.Connection, names: list[str], about: Mapping[str, Any], now_ms: int) -> None:
    """Notes which workers there are now; all others have gone."""
    connection.execute(sa.update(WORKER).where(WORKER.c.name.not_in(names)).values(state=GONE))
    told = {"about": json.dumps(about, sort_keys=True), "seen_ms": now_ms}
    for name in names:
        if not insert_new(connection, WORKER, {"name": name, "state": IDLE, **told}):
            known = sa.update(WORKER).where(WORKER.c.name == name)
            connection.execute(known.values(**told, state=sa.case((WORKER.c.state == DRAINED, DRAINED), else_=IDLE)))


def note_workers(connection: sa.Connection, busy: Mapping[str, bool], now_ms: int) -> set[str]:
    """Notes which workers are at work; returns those that are drained."""
    for name, at_work in busy.items():
        state = sa.case((WORKER.c.state == DRAINED, DRAINED), else_=BUSY if at_work else IDLE)
        connection.execute(sa.update(WORKER).where(WORKER.c.name == name).values(state=state, seen_ms=now_ms))
    return set(connection.scalars(sa.select(WORKER.c.name).where(WORKER.c.state == DRAINED)))


def drain_worker(connection: sa.Connection, name: str, drained: bool, person: int, now_ms: int) -> None:
    """Has a worker get no more work, or get some again."""
    changed = sa.update(WORKER).where(WORKER.c.name == name, WORKER.c.state != GONE)
    if connection.execute(changed.values(state=DRAINED if drained else IDLE)).rowcount != 1:
        raise NotThere(f"there is no worker {name!r}")
    kind = "worker.drained" if drained else "worker.resumed"
    note_event(connection, now_ms, kind, f"worker/{name}", person=person)
