"""Tickets: links that work once. One makes an admin, one sets a lost password, one invites somebody.

Looking at a link changes nothing, because mail and chat programs look at links too; the form behind it does. The yard
keeps the hash of a link, so it can show none of them a second time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from botyard.yard.caller import Caller
from botyard.yard.config import NOBODY
from botyard.yard.data.events import note_event
from botyard.yard.data.tables import ADMIN, PERSON, PLAYER, TICKET
from botyard.yard.data.times import DAY
from botyard.yard.people.accounts import (
    need_active,
    need_free_name,
    person_of,
    register,
    set_password,
    set_role,
)
from botyard.yard.people.passwords import check_password, hashed
from botyard.yard.people.secrets import HANDLE, digest_of, is_handle, new_secret
from botyard.yard.people.sessions import UserAgent, open_session
from botyard.yard.refusals import NotAllowed, NotThere
from botyard.yard.site import Yard

FOR_ADMIN, FOR_PASSWORD, FOR_GUEST = "admin", "password", "invitation"
LASTS = {FOR_ADMIN: 7 * DAY, FOR_PASSWORD: 3 * DAY, FOR_GUEST: 60 * DAY}
PATH = "/ticket/"  # before the secret, in the address of a link


@dataclass(frozen=True, slots=True)
class Ticket:
    """A link as its admin or its bearer sees it."""

    handle: str  # by which an admin names it
    purpose: str
    person: int | None  # whose password it sets
    name: str  # theirs, or of who is invited; empty: whoever has the link
    made_ms: int
    ends_ms: int
    by: str  # who made it; empty: the yard itself


# Making


def make_ticket(
    connection: sa.Connection,
    purpose: str,
    now_ms: int,
    *,
    by: int | None = None,
    person: int | None = None,
    name: str | None = None,
) -> str:
    """Makes a link and returns its secret. An earlier one for the same person or name is worth nothing any more."""
    if person is not None:
        need_active(connection, person)
    same = TICKET.c.person == person if person is not None else TICKET.c.name == name
    if person is not None or name is not None:
        void(connection, (TICKET.c.purpose == purpose) & same, now_ms)
    secret = new_secret()
    digest = digest_of(secret)
    row = {"digest": digest, "purpose": purpose, "person": person, "name": name, "made_by": by}
    times = {"made_ms": now_ms, "ends_ms": now_ms + LASTS[purpose], "used_ms": None}
    connection.execute(sa.insert(TICKET).values(**row, **times))
    note_event(
        connection, now_ms, "ticket.made", f"ticket/{digest[:HANDLE]}", person=by, concerns=person, purpose=purpose
    )
    return secret


def void(connection: sa.Connection, which: sa.ColumnElement[bool], now_ms: int) -> int:
    """Ends unused tickets; returns how many."""
    ended = sa.update(TICKET).where(which, TICKET.c.used_ms.is_(None), TICKET.c.ends_ms > now_ms)
    return connection.execute(ended.values(ends_ms=now_ms)).rowcount


def end_ticket(connection: sa.Connection, handle: str, now_ms: int, *, by: int) -> None:
    """Makes a link worthless that nobody has used."""
    if not is_handle(handle) or not void(connection, TICKET.c.digest.startswith(handle), now_ms):
        raise NotThere("there is no such link any more", hint="it was used or has ended")
    note_event(connection, now_ms, "ticket.ended", f"ticket/{handle[:HANDLE]}", person=by)


# Looking


def tickets_open(connection: sa.Connection, now_ms: int) -> list[Ticket]:
    """Returns the links that can still be used, the latest first."""
    good = TICKET.c.used_ms.is_(None) & (TICKET.c.ends_ms > now_ms)
    rows = connection.execute(with_names().where(good).order_by(TICKET.c.made_ms.desc(), TICKET.c.digest))
    return [ticket_from(row) for row in rows]


def ticket_of(connection: sa.Connection, secret: str, now_ms: int) -> Ticket:
    """Returns what a link is good for."""
    row = connection.execute(with_names().where(TICKET.c.digest == digest_of(secret))).one_or_none()
    if row is None:
        raise NotThere("there is no such link", hint="copy all of it; an admin can make another one")
    if row.used_ms is not None:
        raise NotThere("this link was used already", hint="it works once; sign in, or ask an admin for another one")
    if row.ends_ms <= now_ms:
        raise NotThere("this link has ended", hint="ask an admin for another one")
    return ticket_from(row)


def with_names() -> sa.Select[Any]:
    owner, maker = PERSON.alias("owner"), PERSON.alias("maker")
    joined = sa.outerjoin(TICKET, owner, TICKET.c.person == owner.c.id).outerjoin(maker, TICKET.c.made_by == maker.c.id)
    return sa.select(TICKET, owner.c.name.label("owner"), maker.c.name.label("maker")).select_from(joined)


def ticket_from(row: sa.Row[Any]) -> Ticket:
    name = row.owner or row.name or ""
    return Ticket(row.digest[:HANDLE], row.purpose, row.person, name, row.made_ms, row.ends_ms, row.maker or "")


# Using


async def redeem(yard: Yard, secret: str, name: str, password: str, agent: UserAgent) -> str:
    """Uses a link with the password that was chosen, and the name where it leaves one open.

    Returns the secret of the session that begins.
    """
    ticket = await yard.ask(ticket_of, secret, yard.clock())
    if ticket.purpose == FOR_GUEST and yard.config.registration == NOBODY:
        raise NotAllowed("registration is closed", hint="ask an admin of this yard")
    chosen, role = ticket.name or name, ADMIN if ticket.purpose == FOR_ADMIN else PLAYER
    if ticket.person is None:
        chosen = await yard.ask(need_free_name, chosen, yard.clock(), role)
    check_password(password, chosen)
    kept = await hashed(password)

    def newcomer(connection: sa.Connection) -> int:
        return register(connection, chosen, kept, yard.clock(), role=role).id

    def owner(connection: sa.Connection) -> int:
        assert ticket.person is not None, "this link is for somebody"
        set_password(connection, ticket.person, kept, yard.clock())
        return ticket.person

    return await yard.change(use, secret, owner if ticket.person else newcomer, agent, yard.clock())


def use(
    connection: sa.Connection, secret: str, whose: Callable[[sa.Connection], int], agent: UserAgent, now_ms: int
) -> str:
    """Uses a link up and signs its bearer in, all in one transaction: of two at once, one gets in."""
    spend(connection, secret, now_ms)
    person = whose(connection)
    subject = f"ticket/{digest_of(secret)[:HANDLE]}"
    note_event(connection, now_ms, "ticket.used", subject, person=person, concerns=person)
    return open_session(connection, person, agent, now_ms)


def spend(connection: sa.Connection, secret: str, now_ms: int) -> Ticket:
    """Marks a link as used; refuses one that is not good any more."""
    ticket = ticket_of(connection, secret, now_ms)
    good = (TICKET.c.digest == digest_of(secret)) & TICKET.c.used_ms.is_(None)
    if not connection.execute(sa.update(TICKET).where(good).values(used_ms=now_ms)).rowcount:
        raise NotThere("this link was used already", hint="it works once; ask an admin for another one")
    return ticket


def become_admin(connection: sa.Connection, secret: str, caller: Caller, now_ms: int) -> None:
    """Makes who is signed in an admin, by a link for admins."""
    person = caller.need_session()
    if spend(connection, secret, now_ms).purpose != FOR_ADMIN:
        raise NotAllowed("this link makes nobody an admin")
    set_role(connection, person, ADMIN, now_ms, by=person)


def no_admin_yet(connection: sa.Connection) -> bool:
    """Whether a first link for an admin is to be printed."""
    active = sa.select(PERSON.c.id).where(PERSON.c.role == ADMIN, PERSON.c.state == "active").limit(1)
    return connection.execute(active).first() is None


def password_link(connection: sa.Connection, person: int, now_ms: int, *, by: int) -> str:
    """Makes a link with which somebody sets a password they have lost."""
    return make_ticket(connection, FOR_PASSWORD, now_ms, by=by, person=person_of(connection, person).id)
