"""What admins look through: everybody who has an account, and everything that happened."""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa

from botyard.yard.data.tables import BOT, EVENT, PERSON, SESSION, TOKEN
from botyard.yard.people.accounts import Person, person_from
from botyard.yard.people.belongings import latest_states
from botyard.yard.people.names import name_key

PAGE_LENGTH = 50


@dataclass(frozen=True, slots=True)
class Happened:
    """An event with the names of today's."""

    number: int
    at_ms: int
    kind: str
    who: str  # empty: the yard itself
    subject: str
    public: bool
    body: str


@dataclass(frozen=True, slots=True)
class Holdings:
    """How much somebody has here."""

    bots: int
    sessions: int
    tokens: int


@dataclass(frozen=True, slots=True)
class ListedBot:
    """A bot as admins find it."""

    id: int
    name: str
    game: str
    owner: int
    owned_by: str
    uploads: int
    latest: str  # the state of its latest version; empty: there is none
    made_ms: int


def find_people(connection: sa.Connection, words: str = "", state: str = "", after: str = "") -> list[Person]:
    """Returns people whose names have these words in them, by name, from some name on."""
    chosen = sa.select(PERSON).where(PERSON.c.state != "deleted").order_by(PERSON.c.name_key).limit(PAGE_LENGTH)
    if words:
        chosen = chosen.where(PERSON.c.name_key.contains(name_key(words), autoescape=True))
    if state:
        chosen = chosen.where(PERSON.c.state == state)
    if after:
        chosen = chosen.where(PERSON.c.name_key > name_key(after))
    return [person_from(row) for row in connection.execute(chosen)]


def count_people(connection: sa.Connection, state: str = "active") -> int:
    return connection.execute(
        sa.select(sa.func.count()).select_from(PERSON).where(PERSON.c.state == state)
    ).scalar_one()


def holdings_of(connection: sa.Connection, person: int, now_ms: int) -> Holdings:
    def count(*which: sa.ColumnElement[bool]) -> int:
        return connection.execute(sa.select(sa.func.count()).where(*which)).scalar_one()

    return Holdings(
        count(BOT.c.owner == person, BOT.c.deleted_ms.is_(None)),
        count(SESSION.c.person == person, SESSION.c.ends_ms > now_ms),
        count(TOKEN.c.person == person, TOKEN.c.ended_ms.is_(None)),
    )


def find_bots(connection: sa.Connection, words: str = "", game: str = "", before: int = 0) -> list[ListedBot]:
    """Returns bots whose names, or their owners', have these words in them, the latest first, before some bot."""
    joined = sa.join(BOT, PERSON, BOT.c.owner == PERSON.c.id)
    chosen = sa.select(BOT, PERSON.c.name.label("owned_by")).select_from(joined).where(BOT.c.deleted_ms.is_(None))
    if words:
        part = name_key(words)
        either = BOT.c.name_key.contains(part, autoescape=True) | PERSON.c.name_key.contains(part, autoescape=True)
        chosen = chosen.where(either)
    if game:
        chosen = chosen.where(BOT.c.game == game)
    if before:
        chosen = chosen.where(BOT.c.id < before)
    rows = connection.execute(chosen.order_by(BOT.c.id.desc()).limit(PAGE_LENGTH)).all()
    states = latest_states(connection, [row.id for row in rows])
    return [
        ListedBot(row.id, row.name, row.game, row.owner, row.owned_by, *states.get(row.id, (0, "")), row.made_ms)
        for row in rows
    ]


def count_bots(connection: sa.Connection) -> int:
    living = sa.select(sa.func.count()).select_from(BOT).where(BOT.c.deleted_ms.is_(None))
    return connection.execute(living).scalar_one()


def events_before(
    connection: sa.Connection, before: int = 0, kind: str = "", subject: str = "", limit: int = PAGE_LENGTH
) -> list[Happened]:
    """Returns what happened, the latest first, before some event; `kind` and `subject` are their beginnings."""
    joined = sa.outerjoin(EVENT, PERSON, EVENT.c.person == PERSON.c.id)
    chosen = sa.select(EVENT, PERSON.c.name).select_from(joined).order_by(EVENT.c.number.desc()).limit(limit)
    if before:
        chosen = chosen.where(EVENT.c.number < before)
    if kind:
        chosen = chosen.where(EVENT.c.kind.startswith(kind, autoescape=True))
    if subject:
        chosen = chosen.where(EVENT.c.subject == subject)
    return [
        Happened(row.number, row.at_ms, row.kind, row.name or "", row.subject, bool(row.public), row.body)
        for row in connection.execute(chosen)
    ]


LATEST_EVENT = sa.select(sa.func.max(EVENT.c.number))


def count_events(connection: sa.Connection) -> int:
    """Returns the number of the latest event; there is no gap before it."""
    return connection.execute(LATEST_EVENT).scalar() or 0
