"""Verifies what must hold in the tables whatever is played: blobs, references, numbers of events, tasks, people."""

from __future__ import annotations

import hashlib

import sqlalchemy as sa

from botyard.yard.data.blobs import Blobs
from botyard.yard.data.tables import (
    ADMIN,
    ASKED,
    BLOB,
    COUNTER,
    EVENT,
    LEASED,
    MATCH,
    PERSON,
    TASK,
    WAITING,
)
from botyard.yard.keeping.backup import Counting
from botyard.yard.keeping.findings import Findings
from botyard.yard.keeping.migrating import dangling_references

TASK_OF = {ASKED: WAITING, LEASED: LEASED}
"""The state of the one open task that a match has while it is in a state; in any other it has none."""


def verify_blobs(connection: sa.Connection, blobs: Blobs, found: Findings, counting: Counting) -> None:
    """Every blob is what its digest says, or was pruned and keeps only hash and size."""
    total = connection.execute(sa.select(sa.func.count()).select_from(BLOB)).scalar_one()
    rows = connection.execute(sa.select(BLOB).order_by(BLOB.c.digest), execution_options={"yield_per": 100})
    with counting("blobs", total) as advance:
        for row in rows:
            found.count("blobs" if row.pruned_ms is None else "pruned blobs")
            if trouble := blob_trouble(row, blobs):
                found.note("blobs", f"blob/{row.digest}", trouble)
            advance()


def blob_trouble(row: sa.Row[tuple[str, int, bytes | None, int, int | None]], blobs: Blobs) -> str:
    if row.pruned_ms is not None:
        return "" if row.content is None else "it was pruned, but its content is still there"
    try:
        content = row.content if row.content is not None else blobs.path(row.digest).read_bytes()
    except OSError as error:
        return f"its file cannot be read: {error.strerror}"
    if hashlib.sha256(content).hexdigest() != row.digest:
        return "it was altered"
    return "" if len(content) == row.size else f"it has {len(content)} bytes, not {row.size}"


def verify_references(connection: sa.Connection, found: Findings) -> None:
    """Every reference leads to a row. PostgreSQL lets nothing else in; SQLite only where it is told so."""
    if connection.dialect.name == "sqlite":
        for table, referred in dangling_references(connection):
            found.note("references", table, f"a row refers to one of {referred} that is not there")


def verify_events(connection: sa.Connection, found: Findings) -> None:
    """Events are numbered from 1 without a gap."""
    count, last = connection.execute(sa.select(sa.func.count(), sa.func.max(EVENT.c.number))).one()
    found.count("events", count)
    told = connection.execute(sa.select(COUNTER.c.value).where(COUNTER.c.name == "event")).scalar_one_or_none() or 0
    if (last or 0) != count:
        found.note("events", f"event/{last}", f"{last} is the last of {count} events: numbers are missing")
    if told != count:
        found.note("events", "counter/event", f"the counter says {told}, and there are {count} events")


def verify_tasks(connection: sa.Connection, found: Findings) -> None:
    """Whatever is leased has a worker, and a match has an open task while it is open."""
    open_ones = connection.execute(sa.select(TASK).where(TASK.c.state.in_((WAITING, LEASED)))).all()
    found.count("open tasks", len(open_ones))
    by_match: dict[int, list[str]] = {}
    for task in open_ones:
        if task.state == LEASED and not (task.worker and task.until_ms):
            found.note("tasks", f"task/{task.id}", "it is leased, but to nobody or for ever")
        if task.match is not None:
            by_match.setdefault(task.match, []).append(task.state)
    open_matches = sa.select(MATCH.c.id, MATCH.c.state).where(MATCH.c.state.in_(list(TASK_OF)))
    wanted = {row.id: [TASK_OF[row.state]] for row in connection.execute(open_matches)}
    for match in sorted(wanted.keys() | by_match.keys()):
        there, due = by_match.get(match, []), wanted.get(match, [])
        if there != due:
            told = f"its open tasks are {', '.join(there) or 'none'}; they should be {', '.join(due) or 'none'}"
            found.note("tasks", f"match/{match}", told)


def verify_people(connection: sa.Connection, found: Findings) -> None:
    """Where there has been an admin, there is an active one."""
    states = connection.scalars(sa.select(PERSON.c.state).where(PERSON.c.role == ADMIN)).all()
    found.count("people", connection.execute(sa.select(sa.func.count()).select_from(PERSON)).scalar_one())
    if states and "active" not in states:
        found.note("people", "person", "no admin is active; `botyard yard admin-link` makes one")
