"""Tokens: what programs of a person carry. Each is good for some things only, and none for the account itself."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass

import sqlalchemy as sa

from botyard.kernel.errors import quoted
from botyard.kernel.plain import clean
from botyard.yard.caller import ADMINISTER, SCOPES, Caller
from botyard.yard.config import Quotas
from botyard.yard.data.database import inserted_id
from botyard.yard.data.events import note_event
from botyard.yard.data.tables import ADMIN, PERSON, TOKEN
from botyard.yard.data.times import MINUTE
from botyard.yard.people.quotas import TOKENS, check_quota
from botyard.yard.people.secrets import digest_of, new_secret
from botyard.yard.refusals import NotAllowed, NotSignedIn, NotThere, Refusal

MARK = "botyard_"  # by which people and scanners know one that lies about
USED_EVERY = MINUTE  # how exact `used_ms` is
NAME_LENGTH = 60


@dataclass(frozen=True, slots=True)
class Pass:
    """A token as its owner sees it; its secret is shown once, when it is made."""

    id: int
    name: str
    scopes: tuple[str, ...]
    made_ms: int
    used_ms: int | None


def make_token(
    connection: sa.Connection, caller: Caller, name: str, scopes: Collection[str], quotas: Quotas, now_ms: int
) -> str:
    """Makes a token for who is signed in; returns the secret, which is not kept."""
    person = caller.need_session()
    if not (label := clean(name.strip())[:NAME_LENGTH]):
        raise Refusal("the token has no name", hint="say what it is for, such as laptop")
    if not scopes:
        raise Refusal("the token would be good for nothing", hint=f"choose some of {', '.join(SCOPES)}")
    if unknown := set(scopes) - set(SCOPES):
        raise Refusal(f"there is no scope {quoted(min(unknown))}", hint=f"there are {', '.join(SCOPES)}")
    if ADMINISTER in scopes and caller.role != ADMIN:
        raise NotAllowed("only admins have tokens to administer", hint="leave that scope out")
    check_quota(connection, person, TOKENS, quotas, now_ms)
    secret = new_secret(MARK)
    chosen = json.dumps([scope for scope in SCOPES if scope in scopes])
    row = {"person": person, "name": label, "digest": digest_of(secret), "scopes": chosen, "made_ms": now_ms}
    number = inserted_id(connection, TOKEN, **row)
    note_event(connection, now_ms, "token.made", f"token/{number}", person=person, concerns=person)
    return secret


HELD = (  # written down once: every request with a token asks it
    sa.select(PERSON.c.id, PERSON.c.name, PERSON.c.role, TOKEN.c.scopes, TOKEN.c.id.label("token"), TOKEN.c.used_ms)
    .join_from(TOKEN, PERSON, TOKEN.c.person == PERSON.c.id)
    .where(TOKEN.c.digest == sa.bindparam("held"), TOKEN.c.ended_ms.is_(None), PERSON.c.state == "active")
)


def caller_of_token(connection: sa.Connection, secret: str) -> tuple[Caller, int] | None:
    """Returns who carries a token, and when it was last used, if it is good and they may come in."""
    row = connection.execute(HELD, {"held": digest_of(secret)}).one_or_none()
    if row is None:
        return None
    scopes = frozenset(json.loads(row.scopes))
    return Caller(row.id, row.name, row.role, token=row.token, scopes=scopes), row.used_ms or 0


def see_token(connection: sa.Connection, token: int, now_ms: int) -> None:
    connection.execute(sa.update(TOKEN).where(TOKEN.c.id == token).values(used_ms=now_ms))


def tokens_of(connection: sa.Connection, person: int) -> list[Pass]:
    """Returns the tokens of a person that are good, the latest first."""
    own = sa.select(TOKEN).where(TOKEN.c.person == person, TOKEN.c.ended_ms.is_(None)).order_by(TOKEN.c.id.desc())
    return [
        Pass(row.id, row.name, tuple(json.loads(row.scopes)), row.made_ms, row.used_ms)
        for row in connection.execute(own)
    ]


def end_this_token(connection: sa.Connection, secret: str, now_ms: int) -> None:
    """Makes the token worthless that a request carries, whatever it is good for: whoever finds one may end it."""
    found = caller_of_token(connection, secret)
    if found is None or found[0].person is None:
        raise NotSignedIn("this needs a token", hint="send the token that is to end: Authorization: Bearer botyard_…")
    end_token(connection, found[0].person, found[0].token, now_ms)


def end_token(connection: sa.Connection, person: int, token: int, now_ms: int) -> None:
    """Makes a token of a person worthless."""
    own = (TOKEN.c.person == person) & (TOKEN.c.id == token) & TOKEN.c.ended_ms.is_(None)
    if not connection.execute(sa.update(TOKEN).where(own).values(ended_ms=now_ms)).rowcount:
        raise NotThere("there is no such token of yours", hint="perhaps it has ended already")
    note_event(connection, now_ms, "token.ended", f"token/{token}", person=person, concerns=person)
