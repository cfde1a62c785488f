"""A pair that is void because we failed at one of its games can be asked again, once that is mended.

Its versions and its seed stay those it was asked with. What was played of it stays played.
"""

from __future__ import annotations

import sqlalchemy as sa

from botyard.yard.data.database import locked
from botyard.yard.data.events import note_event
from botyard.yard.data.tables import ASKED, BEGUN, CANCELLED, FAILED, MATCH, PAIR, TASK, VOID, WAITING
from botyard.yard.ladders.ladders import OPEN, lock_ladder
from botyard.yard.ladders.pairs import CHALLENGE, LADDER_PAIR, TEST, count_flight
from botyard.yard.refusals import InTheWay
from botyard.yard.work.tasks import WAITS

AGAIN = LADDER_PAIR, CHALLENGE, TEST
"""Kinds of pairs for which nothing has gone on without them; a final has, and so has whoever played by hand."""


def ask_void_again(connection: sa.Connection, match: int, now_ms: int) -> None:
    """Has the games of a void pair wait again that were not played; refuses where it can count for nothing any more."""
    found = sa.select(PAIR.c.id, PAIR.c.ladder, PAIR.c.season).join(MATCH, MATCH.c.pair == PAIR.c.id)
    pair = connection.execute(found.where(MATCH.c.id == match)).one()
    if pair.ladder is not None:
        ladder = lock_ladder(connection, pair.ladder)
        if (ladder.state, ladder.season) != (OPEN, pair.season):
            raise InTheWay(f"match {match} is of a season that is over", hint="its pair counts for nobody any more")
    row = locked(connection, PAIR, pair.id)
    if row is None or row.state != VOID or row.kind not in AGAIN:
        raise InTheWay(
            f"match {match} cannot be played again", hint="only games of a void pair can, and none of a final"
        )
    wait_again(connection, MATCH.c.pair == pair.id, now_ms)
    connection.execute(sa.update(PAIR).where(PAIR.c.id == pair.id).values(state=BEGUN, closed_ms=None))
    count_flight(connection, pair.id, 1)
    note_event(connection, now_ms, "pair.again", f"pair/{pair.id}", concerns=row.person)


def wait_again(connection: sa.Connection, which: sa.ColumnElement[bool], now_ms: int) -> None:
    """Has those of these games wait for a worker again that were not played."""
    unplayed = sa.select(MATCH.c.id).where(which, MATCH.c.state.in_((VOID, CANCELLED)))
    tasks = sa.update(TASK).where(TASK.c.match.in_(unplayed), TASK.c.state.in_((FAILED, CANCELLED)))
    connection.execute(tasks.values(state=WAITING, why=WAITS, attempts=0, asked_ms=now_ms, ended_ms=None))
    games = sa.update(MATCH).where(which, MATCH.c.state.in_((VOID, CANCELLED)))
    connection.execute(games.values(state=ASKED, reason="", worker="", begun_ms=None))
