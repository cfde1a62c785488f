"""Events say what happened, in order and without a gap: the audit log, live pages and the API all read them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import sqlalchemy as sa

from botyard.yard.data.database import next_number
from botyard.yard.data.statements import insert_rows
from botyard.yard.data.tables import EVENT


@dataclass(frozen=True, slots=True)
class Event:
    number: int
    at_ms: int
    kind: str
    person: int | None
    subject: str
    public: bool
    body: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Occurrence:
    """What an event is going to tell. `person` did it; everybody hears of a public event, admins of every one, and
    `concerns` is who else may."""

    kind: str
    subject: str
    body: dict[str, Any]
    person: int | None = None
    public: bool = False
    concerns: int | None = None


def note_event(
    connection: sa.Connection,
    at_ms: int,
    kind: str,
    subject: str,
    /,
    *,
    person: int | None = None,
    public: bool = False,
    concerns: int | None = None,
    **body: Any,
) -> int:
    """Adds an event in the transaction of what it tells about; returns its number (see `Occurrence`)."""
    return note_events(connection, at_ms, [Occurrence(kind, subject, body, person, public, concerns)])


def note_events(connection: sa.Connection, at_ms: int, told: Sequence[Occurrence]) -> int:
    """Adds events in their order; returns the number of the first."""
    if not told:
        return 0
    first = next_number(connection, "event", len(told))
    insert_rows(
        connection,
        EVENT,
        [
            {
                "number": number,
                "at_ms": at_ms,
                "kind": news.kind,
                "person": news.person,
                "subject": news.subject,
                "public": int(news.public),
                "concerns": news.concerns,
                "body": json.dumps(news.body, sort_keys=True),
            }
            for number, news in enumerate(told, first)
        ],
    )
    return first


def events_after(
    connection: sa.Connection,
    after: int,
    *,
    person: int | None = None,
    admin: bool = False,
    kinds: Sequence[str] = (),
    limit: int = 200,
) -> list[Event]:
    """Returns the next events that a person may know of; nobody in particular hears of public ones."""
    wanted = {"after": after, "person": person, "kinds": list(kinds), "limit": limit}
    return [
        Event(row.number, row.at_ms, row.kind, row.person, row.subject, bool(row.public), json.loads(row.body))
        for row in connection.execute(next_events(person is not None, admin, bool(kinds)), wanted)
    ]


@cache
def next_events(known: bool, admin: bool, of_kinds: bool) -> sa.Select[Any]:
    chosen = sa.select(EVENT).where(EVENT.c.number > sa.bindparam("after")).order_by(EVENT.c.number)
    if not admin:
        public = EVENT.c.public == 1
        chosen = chosen.where(public | (EVENT.c.concerns == sa.bindparam("person")) if known else public)
    if of_kinds:
        chosen = chosen.where(EVENT.c.kind.in_(sa.bindparam("kinds", expanding=True)))
    return chosen.limit(sa.bindparam("limit", type_=sa.Integer))
