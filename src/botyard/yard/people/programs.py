"""Programs sign in as people do, and get a token for it: `botyard login` and whatever else has no browser."""

from __future__ import annotations

from collections.abc import Collection

import sqlalchemy as sa

from botyard.yard.people.sessions import bearer_of, end_session
from botyard.yard.people.tokens import make_token
from botyard.yard.refusals import InTheWay, Refusal
from botyard.yard.site import Yard


async def token_for_session(yard: Yard, secret: str, name: str, scopes: Collection[str]) -> str:
    """Makes a token for who has just signed in; returns its secret. The session ends: a program has no use for it."""
    try:
        return await yard.change(exchange, yard, secret, name, scopes)
    except Refusal:
        await yard.change(forsake, yard, secret)
        raise


def exchange(connection: sa.Connection, yard: Yard, secret: str, name: str, scopes: Collection[str]) -> str:
    bearer = bearer_of(connection, secret, yard.clock())
    if bearer is None:
        raise InTheWay("the account was changed at this moment", hint="sign in again")
    token = make_token(connection, bearer.caller, name, scopes, yard.config.quotas, yard.clock())
    end_session(connection, bearer.caller.need(), bearer.caller.session, yard.clock())
    return token


def forsake(connection: sa.Connection, yard: Yard, secret: str) -> None:
    """Ends the session of a program that gets no token."""
    bearer = bearer_of(connection, secret, yard.clock())
    if bearer is not None:
        end_session(connection, bearer.caller.need(), bearer.caller.session, yard.clock())
