"""This module drops games of a contest and gives those that stay new numbers, within one transaction."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from botyard.contest.rows import read_bots
from botyard.contest.schema import DONE, FAULTS, GAMES, NO_LEASE, REPLAYS, TURN_LOGS
from botyard.rank.results import Result

NUMBERED = (GAMES, REPLAYS, TURN_LOGS, FAULTS)


def keep_only(
    connection: sa.Connection, contest: int, kept: Mapping[int, int], tables: Sequence[sa.Table] = NUMBERED
) -> None:
    """Keeps these games under new numbers, with all that belongs to them, and removes the others."""
    for table in tables:
        own = table.c.contest == contest
        there = set(connection.execute(sa.select(table.c.number).where(own)).scalars())
        change_each(connection, sa.delete(table).where(own, table.c.number == sa.bindparam("old")), there - kept.keys())
        moved = {old: kept[old] for old in there & kept.keys() if kept[old] != old}
        # First to negative numbers, which nobody has: old and new numbers overlap.
        aside = sa.update(table).where(own, table.c.number == sa.bindparam("old"))
        change_each(connection, aside.values(number=-sa.bindparam("new", type_=sa.Integer)), moved)
        connection.execute(sa.update(table).where(own, table.c.number < 0).values(number=-table.c.number))


def change_each(connection: sa.Connection, change: Any, numbers: Iterable[int] | Mapping[int, int]) -> None:
    news = numbers if isinstance(numbers, Mapping) else {}
    rows = [{"old": old, "new": news[old]} if old in news else {"old": old} for old in sorted(numbers)]
    if rows:
        connection.execute(change, rows)


def forfeit(connection: sa.Connection, contest: int, numbers: Iterable[int], left: Iterable[str]) -> None:
    """Records games that will not be played as forfeits of the bots that have left."""
    gone = set(left)
    for number in numbers:
        own = (GAMES.c.contest == contest) & (GAMES.c.number == number)
        bots = read_bots(connection.execute(sa.select(GAMES.c.bots).where(own)).scalar(), f"game {number}")
        result = forfeited_by(bots, gone)
        connection.execute(sa.update(GAMES).where(own).values(**NO_LEASE, state=DONE, result=str(result)))


def forfeited_by(bots: Sequence[str], left: Collection[str]) -> Result:
    """Returns the result of a game that is not played, because some of its bots have left."""
    groups = [[bot for bot in bots if bot not in left], [bot for bot in bots if bot in left]]
    return Result.of([group for group in groups if group], dict.fromkeys(bots, 0), set(left) & set(bots))
