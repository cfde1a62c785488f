"""Who is still welcome: a session may have ended, a token too, and a person may have been banned or given another
role since somebody came in."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import sqlalchemy as sa

from botyard.yard.caller import Caller
from botyard.yard.data.tables import PERSON, SESSION, TOKEN


def still_welcome(connection: sa.Connection, callers: Collection[Caller], now_ms: int) -> set[Caller]:
    """Returns those of the callers who would be let in again today, with the same rights."""
    sessions = {caller.session for caller in callers if caller.session}
    tokens = {caller.token for caller in callers if caller.token}
    good = (SESSION.c.ends_ms > now_ms) & SESSION.c.digest.in_(sessions)
    by_session = roles_by(connection, SESSION, SESSION.c.digest, good) if sessions else {}
    good = TOKEN.c.ended_ms.is_(None) & TOKEN.c.id.in_(tokens)
    by_token = roles_by(connection, TOKEN, TOKEN.c.id, good) if tokens else {}
    return {
        caller
        for caller in callers
        if (by_session.get(caller.session) if caller.session else by_token.get(caller.token)) == caller.role
    }


def roles_by(
    connection: sa.Connection, table: sa.Table, found_by: sa.ColumnElement[Any], good: sa.ColumnElement[bool]
) -> dict[Any, str]:
    """Returns the roles of active people by the sessions or tokens of theirs that are good."""
    joined = sa.join(table, PERSON, table.c.person == PERSON.c.id)
    chosen = sa.select(found_by.label("held"), PERSON.c.role).select_from(joined)
    return {row.held: row.role for row in connection.execute(chosen.where(good, PERSON.c.state == "active"))}
