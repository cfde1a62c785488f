"""Accounts: people register, are renamed, given a role, kept out and forgotten. There is always an active admin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from botyard.kernel.plain import clean
from botyard.yard.bots.versions import withdraw_all
from botyard.yard.config import INVITATION, OPEN
from botyard.yard.data.database import insert_new, locked
from botyard.yard.data.events import note_event
from botyard.yard.data.statements import rows_by
from botyard.yard.data.tables import ADMIN, NOTICE, PERSON, PLAYER, ROLES, TICKET, TOKEN
from botyard.yard.ladders.hand_games import leave_hand_game
from botyard.yard.people.left_names import forget_left, is_kept_free, leave_name, need_few_left, take_back
from botyard.yard.people.names import RESERVED, BadName, check_name, key_of, name_key
from botyard.yard.people.sessions import end_sessions
from botyard.yard.refusals import InTheWay, NotAllowed, NotThere, Refusal
from botyard.yard.rooms.members import leave_all_rooms

REASON_LENGTH = 500
FORGOTTEN = "deleted"  # what stands where the name of a deleted person stood


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with an account, or who had one."""

    id: int
    name: str
    role: str
    state: str  # active, banned or deleted
    reason: str  # why they were banned
    made_ms: int
    has_password: bool

    @property
    def active(self) -> bool:
        return self.state == "active"


def person_from(row: sa.Row[Any]) -> Person:
    return Person(row.id, row.name, row.role, row.state, row.reason, row.made_ms, row.password is not None)


# Who is who


def person_of(connection: sa.Connection, person: int) -> Person:
    """Returns a person by number, whatever became of them."""
    rows = rows_by(connection, PERSON, {"id": person})
    if not rows:
        raise NotThere("there is no such person")
    return person_from(rows[0])


def find_named(connection: sa.Connection, name: str) -> Person | None:
    """Returns who has a name, or one that looks like it."""
    rows = rows_by(connection, PERSON, {"name_key": key_of(name)})
    return person_from(rows[0]) if rows else None


def person_named(connection: sa.Connection, name: str) -> Person:
    found = find_named(connection, name)
    if found is None:
        raise NotThere("nobody here has this name", hint="names are found whole, in any case")
    return found


def kept_password(connection: sa.Connection, name: str) -> tuple[int, str | None]:
    """Returns the number of who has a name, 0 if nobody has it, and what was kept of their password."""
    wanted = sa.select(PERSON.c.id, PERSON.c.password).where(PERSON.c.name_key == key_of(name))
    row = connection.execute(wanted).one_or_none()
    return (0, None) if row is None else (row.id, row.password)


# Coming


def need_open_registration(registration: str) -> None:
    """Refuses whoever comes without an invitation where that is needed."""
    if registration != OPEN:
        hint = "use the link of your invitation" if registration == INVITATION else "ask an admin of this yard"
        raise NotAllowed("registration is not open to everybody here", hint=hint)


def need_free_name(connection: sa.Connection, typed: str, now_ms: int, role: str = PLAYER) -> str:
    """Returns a name as it would be kept; refuses one that is taken, was left lately or sounds like an office."""
    name = need_plain_name(typed, role)
    if find_named(connection, name) is not None or is_kept_free(connection, name_key(name), None, now_ms):
        raise name_taken(name)
    return name


def need_plain_name(typed: str, role: str) -> str:
    name = check_name(typed)
    if role != ADMIN and name_key(name) in RESERVED:
        raise BadName(f"the name {name!r} sounds like an office", hint="choose another one")
    return name


def name_taken(name: str) -> InTheWay:
    return InTheWay(f"the name {name!r} is taken, or looks like one that is", hint="choose another one")


def register(connection: sa.Connection, name: str, password: str | None, now_ms: int, *, role: str = PLAYER) -> Person:
    """Adds a person with what is kept of their password; with none, a link that works once sets the first one.

    Whether they may register is decided by who calls this: `signing_in` and `tickets`.
    """
    kept = need_free_name(connection, name, now_ms, role)
    row = {"name": kept, "name_key": name_key(kept), "password": password, "role": role, "state": "active"}
    if not insert_new(connection, PERSON, {**row, "reason": "", "made_ms": now_ms}):
        raise name_taken(kept)
    person = person_named(connection, kept)
    subject = f"person/{person.id}"
    note_event(connection, now_ms, "person.registered", subject, person=person.id, concerns=person.id, role=role)
    return person


# Changing


def set_password(connection: sa.Connection, person: int, password: str, now_ms: int, *, keep_session: str = "") -> None:
    """Replaces what is kept of a password, and ends all sessions but the one in which that was asked for."""
    row = need_active(connection, person)
    connection.execute(sa.update(PERSON).where(PERSON.c.id == row.id).values(password=password))
    end_sessions(connection, person, keep_session)
    note_event(connection, now_ms, "person.password", f"person/{person}", person=person, concerns=person)


def rename(connection: sa.Connection, person: int, name: str, now_ms: int, *, by: int) -> str:
    """Gives a person another name; returns it as it is kept.

    The old name is kept free for them, or for nobody if an admin took it from them. Admins may give any free name.
    """
    row = need_present(connection, person)
    kept = need_plain_name(name, row.role)
    key, own = name_key(kept), by == person
    other = find_named(connection, kept)
    if (other is not None and other.id != person) or (own and is_kept_free(connection, key, person, now_ms)):
        raise name_taken(kept)
    take_back(connection, key)
    if key != row.name_key:
        if own:
            need_few_left(connection, person, now_ms)
        leave_name(connection, row.name_key, person if own else None, now_ms)
    renamed = sa.update(PERSON).where(PERSON.c.id == person).values(name=kept, name_key=key)
    try:
        connection.execute(renamed)
    except sa.exc.IntegrityError:  # somebody has registered this name at this very moment
        raise name_taken(kept) from None
    note_event(connection, now_ms, "person.renamed", f"person/{person}", person=by, concerns=person)
    return kept


def set_role(connection: sa.Connection, person: int, role: str, now_ms: int, *, by: int) -> None:
    """Makes somebody an admin, an organiser or a player."""
    if role not in ROLES:
        raise Refusal(f"there is no role {role!r}", hint=f"there are {', '.join(ROLES)}")
    if role != ADMIN:
        need_another_admin(connection, person)
    row = need_active(connection, person)
    if row.role == role:
        raise InTheWay(f"{row.name} is {role} already", hint="choose another role")
    connection.execute(sa.update(PERSON).where(PERSON.c.id == person).values(role=role))
    note_event(connection, now_ms, "person.role", f"person/{person}", person=by, concerns=person, role=role)


# Going


def ban(connection: sa.Connection, person: int, reason: str, now_ms: int, *, by: int) -> None:
    """Keeps somebody out: their sessions end, their tokens are refused, and their bots play nowhere any more."""
    if person == by:
        raise InTheWay("you cannot ban yourself", hint="another admin can")
    told = clean(reason.strip())[:REASON_LENGTH]
    if not told:
        raise Refusal("the reason is empty", hint="it is shown to the person; say what they did")
    need_another_admin(connection, person)
    row = need_active(connection, person)
    connection.execute(sa.update(PERSON).where(PERSON.c.id == row.id).values(state="banned", reason=told))
    end_sessions(connection, person)
    withdraw_all(connection, person, now_ms)
    leave_hand_game(connection, person, now_ms)
    leave_all_rooms(connection, person, now_ms)
    note_event(connection, now_ms, "person.banned", f"person/{person}", person=by, concerns=person, reason=told)


def unban(connection: sa.Connection, person: int, now_ms: int, *, by: int) -> None:
    """Lets somebody in again. Their bots stay withdrawn until they activate them."""
    back = sa.update(PERSON).where(PERSON.c.id == person, PERSON.c.state == "banned")
    if not connection.execute(back.values(state="active", reason="")).rowcount:
        raise InTheWay("this person is not banned", hint="there is nothing to do")
    note_event(connection, now_ms, "person.unbanned", f"person/{person}", person=by, concerns=person)


def delete(connection: sa.Connection, person: int, now_ms: int, *, by: int) -> None:
    """Forgets a person: name, password, sessions, tokens and notices go; the games that were played stay."""
    need_another_admin(connection, person)
    row = need_present(connection, person)
    withdraw_all(connection, person, now_ms, "its owner left")
    leave_hand_game(connection, person, now_ms)
    leave_all_rooms(connection, person, now_ms, forget_name=True)
    end_sessions(connection, person)
    connection.execute(sa.delete(TOKEN).where(TOKEN.c.person == person))
    connection.execute(sa.delete(TICKET).where((TICKET.c.person == person) | (TICKET.c.name == row.name)))
    connection.execute(sa.delete(NOTICE).where(NOTICE.c.person == person))
    forget_left(connection, person)
    leave_name(connection, row.name_key, None, now_ms)
    gone = {"name": FORGOTTEN, "name_key": f"deleted:{person}", "password": None, "reason": "", "role": PLAYER}
    connection.execute(sa.update(PERSON).where(PERSON.c.id == person).values(**gone, state="deleted"))
    note_event(connection, now_ms, "person.deleted", f"person/{person}", person=by)


def need_present(connection: sa.Connection, person: int) -> sa.Row[Any]:
    """Returns the row of a person who was not deleted; nobody else changes it until this transaction ends."""
    row = locked(connection, PERSON, person)
    if row is None or row.state == "deleted":
        raise NotThere("there is no such person")
    return row


def need_active(connection: sa.Connection, person: int) -> sa.Row[Any]:
    row = need_present(connection, person)
    if row.state != "active":
        raise InTheWay(f"{row.name} is {row.state}", hint="only somebody who is active can have this changed")
    return row


def need_another_admin(connection: sa.Connection, person: int) -> None:
    """Refuses what would leave no active admin.

    All admins are locked, in one order: of two who would each send the other away at once, the second one waits here,
    and then sees that it is the last.
    """
    admins = sa.select(PERSON.c.id).where(PERSON.c.role == ADMIN, PERSON.c.state == "active").order_by(PERSON.c.id)
    active = list(connection.execute(admins.with_for_update(key_share=True)).scalars())
    if active == [person]:
        raise InTheWay("there would be no admin left", hint="make somebody else an admin first")
