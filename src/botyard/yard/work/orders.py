"""What a worker is told to do: a task as a message, made from the tables."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from botyard.contest.messages import CageOptions
from botyard.yard.bots.orders import build_work, check_work, source_in
from botyard.yard.data.blobs import BlobReader
from botyard.yard.data.contest_tables import CONTEST_GAME
from botyard.yard.data.tables import BUILD, MATCH, MATCH_TASK, PAIR, SEAT, UNBUILT, VERSION
from botyard.yard.work.building import BuildWork
from botyard.yard.work.checking import CheckWork
from botyard.yard.work.hand_work import HandWork
from botyard.yard.work.matches import MatchPlayer, MatchWork
from botyard.yard.work.tasks import Lease

SEATS: sa.Select[Any] = (
    sa.select(
        SEAT, VERSION.c.source, VERSION.c.state, VERSION.c.reason, MATCH.c.game, MATCH.c.settings, PAIR.c.seed,
        PAIR.c.contest, CONTEST_GAME.c.game.label("bout"),
    )
    .join(MATCH, SEAT.c.match == MATCH.c.id)
    .join(PAIR, MATCH.c.pair == PAIR.c.id)
    .outerjoin(VERSION, SEAT.c.version == VERSION.c.id)
    .outerjoin(CONTEST_GAME, CONTEST_GAME.c.match == MATCH.c.id)
    .where(SEAT.c.match.in_(sa.bindparam("matches", expanding=True)))
    .order_by(SEAT.c.place)
)  # fmt: skip
"""Who sits where in matches, with what it is played by."""

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
    return seated_work(connection, blobs, cage, seats_of(connection, [match])[match], attempt)


def seats_of(connection: sa.Connection, matches: Sequence[int]) -> dict[int, list[sa.Row[Any]]]:
    """Returns who sits where, by match."""
    found: dict[int, list[sa.Row[Any]]] = {match: [] for match in matches}
    for seat in connection.execute(SEATS, {"matches": matches}):
        found[seat.match].append(seat)
    return found


def seated_work(
    connection: sa.Connection, blobs: BlobReader, cage: CageOptions, seats: Sequence[sa.Row[Any]], attempt: int
) -> MatchWork:
    """Returns the match of these seats as work."""
    match = seats[0].match
    players = tuple(player_of(connection, blobs, seat) for seat in seats)
    game, settings, seed = seats[0].game, json.loads(seats[0].settings), int(seats[0].seed)
    person = next((seat.place for seat in seats if seat.person is not None), None)
    if person is not None:
        return HandWork(match, game, settings, seed, players, cage, attempt, place=person)
    return MatchWork(match, game, settings, seed, players, cage, attempt, seats[0].bout or 1)


def player_of(connection: sa.Connection, blobs: BlobReader, seat: sa.Row[Any]) -> MatchPlayer:
    """Returns who sits in a seat. What was handed in for a contest may have failed to build; then it forfeits."""
    if seat.source is None:
        return MatchPlayer(seat.name, house=seat.house or "")
    if seat.contest is not None and seat.state == UNBUILT:
        return MatchPlayer(seat.name, unbuilt=seat.reason or "it could not be built")
    return MatchPlayer(seat.name, source_in(connection, blobs, seat.source))
