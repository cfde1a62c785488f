"""Signing in, registering and proving who one is, as pages and the API do it.

Passwords are hashed between two transactions, never inside of one, and only after the limits were kept: what is refused
costs no hashing.
"""

from __future__ import annotations

import sqlalchemy as sa

from botyard.yard.caller import Caller
from botyard.yard.people.accounts import (
    delete,
    kept_password,
    need_active,
    need_free_name,
    need_open_registration,
    person_of,
    register,
    set_password,
)
from botyard.yard.people.limits import LOGIN, LOGIN_ANYWHERE, RateLimits
from botyard.yard.people.names import key_of
from botyard.yard.people.passwords import check_password, fits, hashed
from botyard.yard.people.sessions import UserAgent, open_session
from botyard.yard.refusals import NotAllowed, Refusal
from botyard.yard.site import Yard


class WrongPassword(Refusal):
    """A name and a password that do not belong together; which of them is wrong is nobody's business."""

    status = 403


async def sign_in(yard: Yard, limits: RateLimits, name: str, password: str, agent: UserAgent) -> str:
    """Begins a session and returns its secret."""
    keep_login_limits(limits, key_of(name), agent.address, yard.clock())
    person, kept = await yard.ask(kept_password, name)
    if not await fits(kept, password):
        raise WrongPassword("this name and this password do not fit", hint="an admin can make you a link for a new one")
    return await yard.change(begin_session, person, kept, agent, yard.clock())


def keep_login_limits(limits: RateLimits, name: str, address: str, now_ms: int) -> None:
    limits.spend(LOGIN, f"{name}@{address}", now_ms)
    limits.spend(LOGIN_ANYWHERE, name, now_ms)


def begin_session(connection: sa.Connection, person: int, kept: str | None, agent: UserAgent, now_ms: int) -> str:
    """Opens a session, unless the account changed while the password was looked at."""
    found = person_of(connection, person)
    if found.state == "banned":
        raise NotAllowed(f"this account is banned: {found.reason}", hint="write to an admin of this yard")
    if need_active(connection, person).password != kept:
        raise WrongPassword("the password was changed at this moment", hint="sign in with the new one")
    return open_session(connection, person, agent, now_ms)


async def join(yard: Yard, name: str, password: str, agent: UserAgent) -> str:
    """Registers somebody where everybody may, and signs them in; returns the secret of their session."""
    need_open_registration(yard.config.registration)
    kept_name = await yard.ask(need_free_name, name, yard.clock())
    check_password(password, kept_name)
    kept = await hashed(password)

    def joined(connection: sa.Connection) -> str:
        person = register(connection, kept_name, kept, yard.clock())
        return open_session(connection, person.id, agent, yard.clock())

    return await yard.change(joined)


async def prove(yard: Yard, limits: RateLimits, caller: Caller, password: str) -> int:
    """Has who is signed in show that it is they who sit there; returns their number."""
    person = caller.need_session()
    keep_login_limits(limits, key_of(caller.name), caller.address, yard.clock())
    _, kept = await yard.ask(kept_password, caller.name)
    if not await fits(kept, password):
        raise WrongPassword("this is not your password", hint="type the one that you sign in with")
    return person


async def change_password(yard: Yard, limits: RateLimits, caller: Caller, current: str, new: str) -> None:
    """Replaces the password of who is signed in; their other sessions end."""
    check_password(new, caller.name)
    person = await prove(yard, limits, caller, current)
    kept = await hashed(new)
    await yard.change(set_password, person, kept, yard.clock(), keep_session=caller.session)


async def delete_account(yard: Yard, limits: RateLimits, caller: Caller, password: str) -> None:
    """Forgets who is signed in, after they showed that it is they."""
    person = await prove(yard, limits, caller, password)
    await yard.change(delete, person, yard.clock(), by=person)
