"""Games of pairs that are over, with their seats, as they are counted and told."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from botyard.rank.results import Result, parse
from botyard.yard.data.tables import MATCH, SEAT
from botyard.yard.ladders.rows import player_word

GAMES: sa.Select[Any] = (
    sa.select(
        MATCH.c.id, MATCH.c.pair, MATCH.c.state, MATCH.c.result, MATCH.c.orders_hash, MATCH.c.begun_ms, MATCH.c.done_ms
    )
    .where(MATCH.c.pair.in_(sa.bindparam("pairs", expanding=True)))
    .order_by(MATCH.c.pair, MATCH.c.half)
)
"""The games of pairs, without what is large in their rows."""
SEATS = sa.select(SEAT).where(SEAT.c.match.in_(sa.bindparam("matches", expanding=True))).order_by(SEAT.c.place)


@dataclass(frozen=True, slots=True)
class ClosedGame:
    """A game of a pair that is over, with its seats in their order."""

    match: sa.Row[Any]
    seats: tuple[sa.Row[Any], ...]

    @property
    def by_entry(self) -> Result:
        """Its result, by the numbers of entries instead of places."""
        result = parse(self.match.result)
        names = {f"p{seat.place}": str(seat.entry) for seat in self.seats}
        groups = [[names[player] for player in group] for group in result.groups]
        scores = {names[player]: points for player, points in result.scores}
        return Result.of(groups, scores, [names[player] for player in result.forfeits])

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(player_word(seat.version, seat.house) for seat in self.seats)

    @property
    def names(self) -> list[str]:
        return [seat.name for seat in self.seats]


@dataclass(frozen=True, slots=True)
class ClosingPair:
    """A pair all of whose games are over."""

    row: sa.Row[Any]
    games: list[ClosedGame]
    orders: str  # a hash over all orders

    @property
    def players(self) -> dict[int, int]:
        """The versions that played, by their entries."""
        return {seat.entry: seat.version for seat in self.games[0].seats}

    @property
    def silent(self) -> set[int]:
        """The entries that lost every turn of its last game."""
        return {seat.entry for seat in self.games[-1].seats if 0 < seat.turns <= seat.lost_turns}


def games_of_pairs(connection: sa.Connection, pairs: Sequence[int]) -> dict[int, list[sa.Row[Any]]]:
    """Returns the rows of all games of these pairs, by pair."""
    found: dict[int, list[sa.Row[Any]]] = {pair: [] for pair in pairs}
    for match in connection.execute(GAMES, {"pairs": pairs}):
        found[match.pair].append(match)
    return found


def with_seats(connection: sa.Connection, matches: Sequence[Any]) -> list[ClosedGame]:
    by_match: dict[int, list[sa.Row[Any]]] = {match.id: [] for match in matches}
    for seat in connection.execute(SEATS, {"matches": list(by_match)}):
        by_match[seat.match].append(seat)
    return [ClosedGame(match, tuple(by_match[match.id])) for match in matches]


def closing_pairs(
    connection: sa.Connection, over: Sequence[sa.Row[Any]], games: Mapping[int, Sequence[sa.Row[Any]]]
) -> list[ClosingPair]:
    """Returns pairs that are over with the seats of their games, which are given by pair."""
    if not over:
        return []
    seated = {game.match.id: game for game in with_seats(connection, [one for row in over for one in games[row.id]])}
    by_pair = [(row, [seated[match.id] for match in games[row.id]]) for row in over]
    return [ClosingPair(row, played, orders_hash(played)) for row, played in by_pair]


def games_of_pair(connection: sa.Connection, pair: int) -> list[ClosedGame]:
    return with_seats(connection, games_of_pairs(connection, [pair])[pair])


def orders_hash(games: list[ClosedGame]) -> str:
    """Returns a hash over all orders of a pair; it does not matter in which order its games were asked."""
    told = sorted((game.words, game.match.orders_hash) for game in games)
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()
