"""The turn logs of a contest are bounded in size: when there are too many, those of the oldest games are dropped.

What a lost turn was and why stays known all the same: the row of its game keeps it (`contest/lost_turns.py`).
"""

from __future__ import annotations

import sqlalchemy as sa

from botyard.contest.schema import TURN_LOGS

LOGS_MAX = 256 * 1024 * 1024  # packed bytes of one contest: its store can still be copied and handed on
LOGS_LEFT = 0.9  # of the bound, after logs were dropped: so that not every game that follows drops some
PAGE = 500  # how many logs are looked at a time

SIZE = sa.func.length(TURN_LOGS.c.content)


def size_of_logs(connection: sa.Connection, contest: int) -> int:
    """Returns the size of all turn logs of a contest. It is not quick: all of them are looked at."""
    query = sa.select(sa.func.sum(SIZE)).where(TURN_LOGS.c.contest == contest)
    return int(connection.execute(query).scalar() or 0)


def drop_oldest(connection: sa.Connection, contest: int, size: int) -> int:
    """Drops the logs of the games with the lowest numbers, if all together are too large; returns the size left."""
    own = TURN_LOGS.c.contest == contest
    wanted = LOGS_LEFT * LOGS_MAX if size > LOGS_MAX else size
    while size > wanted:
        query = sa.select(TURN_LOGS.c.number, SIZE).where(own).order_by(TURN_LOGS.c.number).limit(PAGE)
        last = None
        for number, length in connection.execute(query):
            if size > wanted:
                last, size = number, size - length
        if last is None:
            return 0  # none are left
        connection.execute(sa.delete(TURN_LOGS).where(own, TURN_LOGS.c.number <= last))
    return size
