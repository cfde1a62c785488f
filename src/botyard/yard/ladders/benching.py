"""The bench: an entry that does not answer any more is not asked to play, if that is not a worker's fault."""

from __future__ import annotations

import json
from typing import Any

import sqlalchemy as sa

from botyard.rank.ladder import GameSeen, benched
from botyard.yard.data.tables import CLOSED, DONE, MATCH, PAIR, SEAT
from botyard.yard.ladders.entries import bench
from botyard.yard.ladders.pairs import LADDER_PAIR

LOOKED_AT = 12  # games: three in a row are needed, and some more may be until two workers or rivals have seen it
NEWEST = 1 << 62  # later than every recorded number


def bench_if_silent(connection: sa.Connection, entry: sa.Row[Any], pair: int, now_ms: int) -> bool:
    """Benches an entry that lost every turn of its last games; `pair` is being closed, and is the newest."""
    games = last_games(connection, entry, pair)
    found = benched(games) if games and games[-1].all_lost else None
    if found is None:
        return False
    return bench(connection, entry.id, found.why, first_lost_turn(connection, entry.id, int(found.first_game)), now_ms)


def last_games(connection: sa.Connection, entry: sa.Row[Any], pair: int) -> list[GameSeen]:
    """Returns the last games of an entry's active version, in the order in which they were recorded."""
    order = sa.case((PAIR.c.id == pair, NEWEST), else_=PAIR.c.number)
    chosen = (
        sa.select(MATCH.c.id, MATCH.c.worker, SEAT.c.place)
        .join(SEAT, SEAT.c.match == MATCH.c.id)
        .join(PAIR, MATCH.c.pair == PAIR.c.id)
        .where(SEAT.c.entry == entry.id, SEAT.c.version == entry.version, MATCH.c.state == DONE)
        .where(PAIR.c.kind == LADDER_PAIR)
        .where(sa.or_(PAIR.c.state == CLOSED, PAIR.c.id == pair), MATCH.c.begun_ms >= entry.since_ms)
        .order_by(order.desc(), MATCH.c.half.desc())
        .limit(LOOKED_AT)
    )
    games = list(reversed(connection.execute(chosen).all()))
    seats = connection.execute(sa.select(SEAT).where(SEAT.c.match.in_([game.id for game in games]))).all()
    return [seen(game, [seat for seat in seats if seat.match == game.id]) for game in games]


def seen(game: sa.Row[Any], seats: list[sa.Row[Any]]) -> GameSeen:
    own = next(seat for seat in seats if seat.place == game.place)
    others = (seat for seat in seats if seat.place != game.place)
    answered = frozenset(str(seat.entry) for seat in others if seat.lost_turns < seat.turns)
    return GameSeen(game=str(game.id), worker=game.worker, turns=own.turns, lost=own.lost_turns, answered=answered)


def first_lost_turn(connection: sa.Connection, entry: int, match: int) -> str:
    """Returns the address of the first turn that an entry lost in a game."""
    seat = sa.select(SEAT.c.place).where(SEAT.c.match == match, SEAT.c.entry == entry)
    place = connection.execute(seat).scalar_one()
    figures = connection.execute(sa.select(MATCH.c.figures).where(MATCH.c.id == match)).scalar_one()
    lost = json.loads(figures or "{}").get(str(place), {}).get("lost", {})
    ticks = [turns["tick"] for turns in lost.values()]
    return f"/matches/{match}#t={max(0, min(ticks, default=0))}"
