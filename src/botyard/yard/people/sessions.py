"""Sessions: a browser in which somebody signed in. Each has a secret of its own, made at login and kept as a hash."""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa

from botyard.kernel.plain import clean
from botyard.yard.caller import Caller
from botyard.yard.data.events import note_event
from botyard.yard.data.tables import PERSON, SESSION
from botyard.yard.data.times import DAY, MINUTE
from botyard.yard.people.notices import unseen_notices
from botyard.yard.people.secrets import HANDLE, digest_of, is_handle, new_secret
from botyard.yard.refusals import NotThere

LASTS = 30 * DAY  # after it was last used
LONGEST = 180 * DAY  # however often it is used
SEEN_EVERY = 10 * MINUTE  # how exact `seen_ms` is: a page that is looked at must not write each time
MOST_SESSIONS = 50  # of one person; a further one ends the oldest
AGENT_LENGTH = 200


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A session as its owner sees it."""

    handle: str
    made_ms: int
    seen_ms: int
    ends_ms: int
    address: str
    agent: str
    current: bool


@dataclass(frozen=True, slots=True)
class UserAgent:
    """The browser or program with which somebody signs in."""

    address: str
    said: str  # how it calls itself
    session: str = ""  # the digest of one that it has already, which ends


def open_session(connection: sa.Connection, person: int, agent: UserAgent, now_ms: int) -> str:
    """Begins a session; returns the secret that the browser gets, and nobody else.

    It is always a new one, so nobody can have put it into the browser beforehand.
    """
    secret = new_secret()
    if agent.session:
        connection.execute(sa.delete(SESSION).where(SESSION.c.digest == agent.session))
    row = {
        "digest": digest_of(secret),
        "person": person,
        "made_ms": now_ms,
        "seen_ms": now_ms,
        "ends_ms": now_ms + LASTS,
        "address": agent.address,
        "agent": clean(agent.said[:AGENT_LENGTH]),
    }
    connection.execute(sa.insert(SESSION).values(**row))
    note_event(connection, now_ms, "session.opened", f"person/{person}", person=person, concerns=person)
    drop_old(connection, person, now_ms)
    return secret


def drop_old(connection: sa.Connection, person: int, now_ms: int) -> None:
    """Removes the sessions of a person that have ended, and the oldest ones of too many."""
    latest = sa.select(SESSION.c.digest).where(SESSION.c.person == person)
    latest = latest.order_by(SESSION.c.seen_ms.desc(), SESSION.c.made_ms.desc()).limit(MOST_SESSIONS)
    kept = [row.digest for row in connection.execute(latest)]
    ended = (SESSION.c.ends_ms <= now_ms) | SESSION.c.digest.not_in(kept)
    connection.execute(sa.delete(SESSION).where(SESSION.c.person == person, ended))


@dataclass(frozen=True, slots=True)
class Bearer:
    """Who carries a session's secret, when that was last noted, and how many notices wait for them."""

    caller: Caller
    seen_ms: int
    unread: int


HOLDER = (  # written down once: every request with a session asks it
    sa.select(PERSON.c.id, PERSON.c.name, PERSON.c.role, SESSION.c.digest, SESSION.c.seen_ms)
    .join_from(SESSION, PERSON, SESSION.c.person == PERSON.c.id)
    .where(
        SESSION.c.digest == sa.bindparam("held"), SESSION.c.ends_ms > sa.bindparam("now"), PERSON.c.state == "active"
    )
)


def bearer_of(connection: sa.Connection, secret: str, now_ms: int) -> Bearer | None:
    """Returns who carries a secret, if their session lasts and they may come in."""
    row = connection.execute(HOLDER, {"held": digest_of(secret), "now": now_ms}).one_or_none()
    if row is None:
        return None
    return Bearer(Caller(row.id, row.name, row.role, row.digest), row.seen_ms, unseen_notices(connection, row.id))


def see_session(connection: sa.Connection, digest: str, now_ms: int) -> None:
    """Notes that a session is in use, which makes it last longer."""
    made = connection.execute(sa.select(SESSION.c.made_ms).where(SESSION.c.digest == digest)).scalar()
    if made is not None:
        ends = min(now_ms + LASTS, made + LONGEST)
        connection.execute(sa.update(SESSION).where(SESSION.c.digest == digest).values(seen_ms=now_ms, ends_ms=ends))


def sessions_of(connection: sa.Connection, person: int, now_ms: int, current: str = "") -> list[SignedIn]:
    """Returns the sessions of a person, the latest first."""
    own = sa.select(SESSION).where(SESSION.c.person == person, SESSION.c.ends_ms > now_ms)
    return [
        SignedIn(
            row.digest[:HANDLE], row.made_ms, row.seen_ms, row.ends_ms, row.address, row.agent, row.digest == current
        )
        for row in connection.execute(own.order_by(SESSION.c.seen_ms.desc(), SESSION.c.digest))
    ]


def end_session(connection: sa.Connection, person: int, digest: str, now_ms: int) -> None:
    """Ends the session with this digest, or whose digest begins with this handle."""
    named = (SESSION.c.person == person) & SESSION.c.digest.startswith(digest)
    if not is_handle(digest) or not connection.execute(sa.delete(SESSION).where(named)).rowcount:
        raise NotThere("this session has ended already")
    note_event(connection, now_ms, "session.ended", f"person/{person}", person=person, concerns=person)


def end_sessions_but(connection: sa.Connection, person: int, kept: str, now_ms: int) -> None:
    """Signs a person out everywhere but in the browser that asks for it."""
    count = end_sessions(connection, person, kept)
    note_event(connection, now_ms, "session.others", f"person/{person}", person=person, concerns=person, ended=count)


def end_sessions(connection: sa.Connection, person: int, besides: str = "") -> int:
    """Ends all sessions of a person but one; returns how many. What it is done for is told by another event."""
    others = (SESSION.c.person == person) & (SESSION.c.digest != besides)
    return connection.execute(sa.delete(SESSION).where(others)).rowcount
