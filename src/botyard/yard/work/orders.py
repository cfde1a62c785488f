"""What a worker is told to do: a task as a message, made from the tables."""

from __future__ import annotations

import json

import sqlalchemy as sa

from botyard.contest.messages import CageOptions
from botyard.yard.bots.orders import build_work, check_work, source_in
from botyard.yard.data.blobs import BlobReader
from botyard.yard.data.tables import BUILD, MATCH, MATCH_TASK, PAIR, SEAT, VERSION
from botyard.yard.work.building import BuildWork
from botyard.yard.work.checking import CheckWork
from botyard.yard.work.hand_work import HandWork
from botyard.yard.work.matches import MatchPlayer, MatchWork
from botyard.yard.work.tasks import Lease

SEATS = (
    sa.select(SEAT, VERSION.c.source, MATCH.c.game, MATCH.c.settings, PAIR.c.seed)
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
        MatchPlayer(seat.name, house=seat.house or "")
        if seat.source is None
        else MatchPlayer(seat.name, source_in(connection, blobs, seat.source))
        for seat in seats
    )
    game, settings, seed = seats[0].game, json.loads(seats[0].settings), int(seats[0].seed)
    person = next((seat.place for seat in seats if seat.person is not None), None)
    if person is not None:
        return HandWork(match, game, settings, seed, players, cage, attempt, person)
    return MatchWork(match, game, settings, seed, players, cage, attempt)
