"""Closing a pair: when its last game is over it gets its number, changes the ratings, and everybody may see it.

All of that happens in the transaction that records the last game. A pair with a void game counts for nobody; its other
games stay to be watched.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import sqlalchemy as sa

from botyard.rank.ladder import closed, rated_kept, rated_pair
from botyard.rank.ratings import Rating
from botyard.rank.results import Result, parse
from botyard.yard.data.contest_tables import CONTEST
from botyard.yard.data.database import locked
from botyard.yard.data.events import note_event
from botyard.yard.data.ladder_tables import ENCOUNTER
from botyard.yard.data.statements import change_rows, insert_rows
from botyard.yard.data.tables import (
    ASKED,
    BEGUN,
    CANCELLED,
    CLOSED,
    DONE,
    LEASED,
    MATCH,
    PAIR,
    RATING_STEP,
    SEAT,
    TASK,
    VOID,
)
from botyard.yard.ladders.benching import bench_if_silent
from botyard.yard.ladders.kept_ratings import keep_rating, kept_rating
from botyard.yard.ladders.ladders import Ladder, lock_ladder
from botyard.yard.ladders.pairs import CHALLENGE, CONTEST_PAIR, LADDER_PAIR, count_flight
from botyard.yard.ladders.rows import THESE_ENTRIES, change_entries, changed_values, ladder_entry, player_word
from botyard.yard.work.tasks import cancel_open_tasks

PUBLIC = LADDER_PAIR, "final", CHALLENGE, CONTEST_PAIR  # kinds of pairs that everybody is told of when they are closed
ENDINGS = {False: {DONE}, True: {DONE, VOID}}
"""How all games of a pair have ended when it is closed. In a contest a void game takes no other one with it."""
WEIGHT = 8  # of what a game cost before, against the newest one


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


def close_if_over(connection: sa.Connection, pair: int, now_ms: int, *, played: int | None = None) -> bool:
    """Closes a pair whose last game is over; returns whether it is closed now, or void. `played` is that game."""
    row = locked(connection, PAIR, pair)  # of two games that end at once, the second one to come here sees both
    assert row is not None, "its game names it"
    matches = connection.execute(GAMES, {"of_pair": pair}).all()
    states = {match.state for match in matches}
    if row.state != BEGUN:
        return False
    if VOID in states and LEASED not in states and row.contest is None:
        void_pair(connection, pair, "one of its games is void", now_ms)
        return True
    if not states <= ENDINGS[row.contest is not None]:
        if played is not None:  # what it came to is told when the pair is closed: the other game has the same seed
            public, subject = is_public(row), f"match/{played}"
            note_event(connection, now_ms, "match.played", subject, public=public, concerns=row.person, pair=pair)
        return False
    games = with_seats(connection, matches)
    number, orders, ladder = None, orders_hash(games), None
    if row.contest is not None:
        note_progress(connection, row.contest)
    if row.ladder is not None:
        ladder = lock_ladder(connection, row.ladder)
        if row.kind == LADDER_PAIR:
            number = count_pair(connection, ladder, row, games, orders, now_ms)
    closed_pair = {"state": CLOSED, "closed_ms": now_ms, "orders_hash": orders, "number": number}
    change_rows(connection, PAIR, {"id": pair}, {**closed_pair, "rated": int(number is not None)})
    tell_closed(connection, row, ladder, games, number, now_ms)
    return True


def is_public(pair: sa.Row[Any]) -> bool:
    """Whether everybody may know of a pair. A contest may hold its games back, and tells of them later at once."""
    return pair.kind in PUBLIC and not pair.held


def note_progress(connection: sa.Connection, contest: int) -> None:
    """Has pages that were kept of a contest made anew, and its next games asked."""
    changed = sa.update(CONTEST).where(CONTEST.c.id == contest)
    connection.execute(changed.values(changes=CONTEST.c.changes + 1))


SEATS = sa.select(SEAT).where(SEAT.c.match.in_(sa.bindparam("matches", expanding=True))).order_by(SEAT.c.place)


GAMES = (
    sa.select(
        MATCH.c.id, MATCH.c.pair, MATCH.c.state, MATCH.c.result, MATCH.c.orders_hash, MATCH.c.begun_ms, MATCH.c.done_ms
    )
    .where(MATCH.c.pair == sa.bindparam("of_pair"))
    .order_by(MATCH.c.half)
)
"""The games of a pair, without what is large in their rows."""


def with_seats(connection: sa.Connection, matches: Sequence[Any]) -> list[ClosedGame]:
    seats = connection.execute(SEATS, {"matches": [match.id for match in matches]}).all()
    return [ClosedGame(match, tuple(seat for seat in seats if seat.match == match.id)) for match in matches]


def games_of_pair(connection: sa.Connection, pair: int) -> list[ClosedGame]:
    return with_seats(connection, connection.execute(GAMES, {"of_pair": pair}).all())


def orders_hash(games: list[ClosedGame]) -> str:
    """Returns a hash over all orders of a pair; it does not matter in which order its games were asked."""
    told = sorted((game.words, game.match.orders_hash) for game in games)
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()


def count_pair(
    connection: sa.Connection, ladder: Ladder, pair: sa.Row[Any], games: list[ClosedGame], orders: str, now_ms: int
) -> int:
    """Counts a closed pair: ratings, encounters, the bench; returns its number."""
    number = ladder.recorded + 1
    played = {seat.entry: seat.version for seat in games[0].seats}
    rows = {row.id: row for row in connection.execute(THESE_ENTRIES, {"entries": list(played)})}
    before = {str(entry): Rating(row.mu, row.sigma, row.games) for entry, row in rows.items()}
    results = [game.by_entry for game in games]
    ratings = rated_pair(before, results)
    earlier = {entry: version for entry, version in played.items() if version != rows[entry].version}
    count_for_earlier(connection, earlier, before, results)
    changes: dict[int, dict[str, Any]] = {}
    steps: list[dict[str, Any]] = []
    for entry, row in rows.items():
        rating, own = ratings[str(entry)], row.version == played[entry]
        after = closed(ladder_entry(row), rating, ladder.policy, own_version=own)
        changes[entry] = {**changed_values(after), "game_ms": cost(row.game_ms, games)}
        step = {"ladder": ladder.id, "number": number, "entry": entry, "season": pair.season, "at_ms": now_ms}
        steps.append({**step, "version": played[entry], "mu": rating.mu, "sigma": rating.sigma, "games": rating.games})
    change_entries(connection, ladder.id, changes, recorded=number)
    insert_rows(connection, RATING_STEP, steps)
    if len(played) == 2:
        note_repetition(connection, ladder.id, games[0].words, orders)
    for entry, row in rows.items():
        silent = any(seat.entry == entry and 0 < seat.turns <= seat.lost_turns for seat in games[-1].seats)
        if silent and row.house is None and row.version == played[entry]:
            bench_if_silent(connection, row, pair.id, now_ms)
    return number


def count_for_earlier(
    connection: sa.Connection, earlier: dict[int, int], before: dict[str, Rating], results: list[Result]
) -> None:
    """Counts a pair for the versions it was asked with, by entry, where another one has become active since."""
    kept: dict[str, Rating] = {}
    for entry, version in earlier.items():
        rating = kept_rating(connection, entry, version)
        assert rating is not None, "it was active when the pair was asked"
        kept[str(entry)] = rating
    after = rated_kept(before, kept, results)
    for entry, version in earlier.items():
        keep_rating(connection, entry, version, after[str(entry)])


def cost(before_ms: int, games: list[ClosedGame]) -> int:
    """Returns what a game of an entry costs a worker on average, the newest games counting most."""
    for game in games:
        taken = max(1, (game.match.done_ms or 0) - (game.match.begun_ms or 0))
        before_ms = ((WEIGHT - 1) * before_ms + taken) // WEIGHT if before_ms else taken
    return before_ms


MET = sa.update(ENCOUNTER).where(
    ENCOUNTER.c.ladder == sa.bindparam("of_ladder"),
    ENCOUNTER.c.one == sa.bindparam("of_one"),
    ENCOUNTER.c.other == sa.bindparam("of_other"),
)
SAME = sa.case((ENCOUNTER.c.orders_hash == sa.bindparam("played"), 1), else_=0)
REPEATED = MET.values(settled=SAME, orders_hash=sa.bindparam("played"))
MET_AGAIN = MET.values(pairs=ENCOUNTER.c.pairs + 1, last_ms=sa.bindparam("now"))


def note_repetition(connection: sa.Connection, ladder: int, words: tuple[str, ...], orders: str) -> None:
    """Notes whether two versions have played the same pair again, order for order."""
    one, other = sorted(words)
    connection.execute(REPEATED, {"of_ladder": ladder, "of_one": one, "of_other": other, "played": orders})


def note_meeting(connection: sa.Connection, ladder: int, words: tuple[str, ...], now_ms: int) -> None:
    """Notes that these are asked to meet, each pair of them."""
    for one, other in combinations(sorted(words), 2):
        met = {"of_ladder": ladder, "of_one": one, "of_other": other, "now": now_ms}
        if connection.execute(MET_AGAIN, met).rowcount == 0:
            row = {"ladder": ladder, "one": one, "other": other, "pairs": 1, "last_ms": now_ms}
            insert_rows(connection, ENCOUNTER, [row])


def tell_closed(
    connection: sa.Connection,
    pair: sa.Row[Any],
    ladder: Ladder | None,
    games: list[ClosedGame],
    number: int | None,
    now_ms: int,
) -> None:
    told = [{"match": game.match.id, "result": game.match.result, "names": names_of(game)} for game in games]
    about = {"sort": pair.kind, "games": told, "ladder": ladder and ladder.slug, "number": number}
    public = is_public(pair)
    note_event(connection, now_ms, "pair.closed", f"pair/{pair.id}", public=public, concerns=pair.person, **about)


def names_of(game: ClosedGame) -> list[str]:
    return [seat.name for seat in game.seats]


def void_pair(connection: sa.Connection, pair: int, reason: str, now_ms: int) -> None:
    """Ends a pair that counts for nobody. Games of it that wait are cancelled, games being played are void."""
    row = locked(connection, PAIR, pair)
    assert row is not None, "whoever voids it has seen it"
    connection.execute(sa.update(PAIR).where(PAIR.c.id == pair).values(state=VOID, closed_ms=now_ms))
    games = sa.select(MATCH.c.id).where(MATCH.c.pair == pair)
    cancel_open_tasks(connection, TASK.c.match.in_(games), reason, now_ms)
    for before, after in ((ASKED, CANCELLED), (LEASED, VOID)):
        ended = sa.update(MATCH).where(MATCH.c.pair == pair, MATCH.c.state == before)
        connection.execute(ended.values(state=after, reason=reason))
    count_flight(connection, pair, -1)
    public = is_public(row)
    note_event(connection, now_ms, "pair.void", f"pair/{pair}", public=public, concerns=row.person, reason=reason)
