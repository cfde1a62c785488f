"""What a worker is told to do: a task as a message, made from the tables."""

from __future__ import annotations

import json

import sqlalchemy as sa

from botyard.contest.messages import CageOptions
from botyard.yard.bots.orders import build_work, check_work
from botyard.yard.data.blobs import BlobReader
from botyard.yard.data.tables import BUILD, MATCH, MATCH_TASK, PAIR, SEAT, VERSION
from botyard.yard.work.building import BuildWork
from botyard.yard.work.checking import CheckWork
from botyard.yard.work.matches import MatchPlayer, MatchWork
from botyard.yard.work.tasks import Lease

SEATS = (
    sa.select(SEAT.c.name, SEAT.c.house, VERSION.c.source, MATCH.c.game, MATCH.c.settings, PAIR.c.seed)
    .join(MATCH, SEAT.c.match == MATCH.c.id)
    .join(PAIR, MATCH.c.pair == PAIR.c.id)
    .outerjoin(VERSION, SEAT.c.version == VERSION.c.id)
    .where(SEAT.c.match == sa.bindparam("number"))
    .order_by(SEAT.c.place)
)
"""Who sits where in a match, with what it is played by."""

TaskWork = MatchWork | BuildWork | CheckWork


def work_of(connection: sa.Connection, blobs: BlobReader, cage: CageOptions, lease: Lease) -> TaskWork:
    """Returns the work of a task that is leased."""
    if lease.kind == MATCH_TASK:
        assert lease.match is not None, "such a task names its match"
        return match_work(connection, blobs, cage, lease.match, lease.attempt)
    assert lease.version is not None, "such a task names its version"
    return (build_work if lease.kind == BUILD else check_work)(connection, blobs, cage, lease.version)


def match_work(
    connection: sa.Connection, blobs: BlobReader, cage: CageOptions, match: int, attempt: int = 1
) -> MatchWork:
    """Returns a match as work, with the sources of its bots."""
    seats = connection.execute(SEATS, {"number": match}).all()
    players = tuple(
        MatchPlayer(seat.name, house=seat.house)
        if seat.house is not None
        else MatchPlayer(seat.name, blobs.read(connection, seat.source))
        for seat in seats
    )
    first = seats[0]
    return MatchWork(match, first.game, json.loads(first.settings), int(first.seed), players, cage, attempt)
