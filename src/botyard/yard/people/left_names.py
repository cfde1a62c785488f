"""Names that somebody left are kept free for a while, so that nobody is taken for who had them a moment ago.

Whoever renamed themselves may go back. A name that an admin took away, and that of a deleted account, is nobody's until
the time is over. Only hashes are kept: the name of who was deleted is gone.
"""

from __future__ import annotations

import sqlalchemy as sa

from botyard.yard.data.tables import LEFT_NAME
from botyard.yard.data.times import DAY, SECOND
from botyard.yard.people.secrets import digest_of
from botyard.yard.refusals import TooMuch

KEPT = 30 * DAY
MOST_LEFT = 3  # names that one person has left by themselves and that are kept: nobody collects them


def leave_name(connection: sa.Connection, name_key: str, person: int | None, now_ms: int) -> None:
    """Keeps a name free for a person, or for nobody; forgets all whose time is over."""
    digest = digest_of(name_key)
    gone = (LEFT_NAME.c.until_ms <= now_ms) | (LEFT_NAME.c.digest == digest)
    connection.execute(sa.delete(LEFT_NAME).where(gone))
    connection.execute(sa.insert(LEFT_NAME).values(digest=digest, person=person, until_ms=now_ms + KEPT))


def is_kept_free(connection: sa.Connection, name_key: str, person: int | None, now_ms: int) -> bool:
    """Whether a name is kept, and not for this person.

    Ask this after whether somebody has the name: who leaves it keeps it free in the same transaction.
    """
    chosen = sa.select(LEFT_NAME.c.person).where(LEFT_NAME.c.digest == digest_of(name_key))
    row = connection.execute(chosen.where(LEFT_NAME.c.until_ms > now_ms)).one_or_none()
    return row is not None and (row.person is None or row.person != person)


def need_few_left(connection: sa.Connection, person: int, now_ms: int) -> None:
    """Refuses somebody who has left many names lately to leave another one."""
    own = sa.select(LEFT_NAME.c.until_ms).where(LEFT_NAME.c.person == person, LEFT_NAME.c.until_ms > now_ms)
    until = sorted(connection.execute(own).scalars())
    if len(until) >= MOST_LEFT:
        hint = f"each of them is kept for you for {KEPT // DAY} days; go back to one, or wait"
        raise TooMuch(f"you have left {len(until)} names lately", (until[0] - now_ms) // SECOND + 1, hint=hint)


def take_back(connection: sa.Connection, name_key: str) -> None:
    """Notes that a name which was kept free is in use again."""
    connection.execute(sa.delete(LEFT_NAME).where(LEFT_NAME.c.digest == digest_of(name_key)))


def forget_left(connection: sa.Connection, person: int) -> None:
    """Keeps nothing for a person any more."""
    connection.execute(sa.update(LEFT_NAME).where(LEFT_NAME.c.person == person).values(person=None))
