"""What a worker is told to do: a task as a message, made from the tables."""

from __future__ import annotations

import json

import sqlalchemy as sa

from botyard.contest.messages import CageOptions
from botyard.yard.bots.orders import build_work, check_work, source_of
from botyard.yard.data.blobs import Blobs
from botyard.yard.data.tables import BUILD, MATCH, MATCH_TASK, PAIR, SEAT
from botyard.yard.work.building import BuildWork
from botyard.yard.work.checking import CheckWork
from botyard.yard.work.hand_work import HandWork
from botyard.yard.work.matches import MatchPlayer, MatchWork
from botyard.yard.work.tasks import Lease

TaskWork = MatchWork | BuildWork | CheckWork


def work_of(connection: sa.Connection, blobs: Blobs, cage: CageOptions, lease: Lease) -> TaskWork:
    """Returns the work of a task that is leased."""
    if lease.kind == MATCH_TASK:
        assert lease.match is not None, "such a task names its match"
        return match_work(connection, blobs, cage, lease.match, lease.attempt)
    assert lease.version is not None, "such a task names its version"
    return (build_work if lease.kind == BUILD else check_work)(connection, blobs, cage, lease.version)


def match_work(connection: sa.Connection, blobs: Blobs, cage: CageOptions, match: int, attempt: int = 1) -> MatchWork:
    """Returns a match as work, with the sources of its bots."""
    chosen = sa.select(MATCH.c.game, MATCH.c.settings, PAIR.c.seed).join(PAIR, MATCH.c.pair == PAIR.c.id)
    row = connection.execute(chosen.where(MATCH.c.id == match)).one()
    seats = connection.execute(sa.select(SEAT).where(SEAT.c.match == match).order_by(SEAT.c.place)).all()
    players = tuple(
        MatchPlayer(seat.name, house=seat.house or "")
        if seat.version is None
        else MatchPlayer(seat.name, source_of(connection, blobs, seat.version).source)
        for seat in seats
    )
    person = next((seat.place for seat in seats if seat.person is not None), None)
    if person is not None:
        return HandWork(match, row.game, json.loads(row.settings), int(row.seed), players, cage, attempt, person)
    return MatchWork(match, row.game, json.loads(row.settings), int(row.seed), players, cage, attempt)
