"""Closing a pair: when its last game is over it gets its number, changes the ratings, and everybody may see it.

All of that happens in the transaction that records the last game. A pair with a void game counts for nobody; its other
games stay to be watched. Games that are recorded together close their pairs together, in the order of the games.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from botyard.yard.data.contest_tables import CONTEST
from botyard.yard.data.database import locked
from botyard.yard.data.events import Occurrence, note_events
from botyard.yard.data.statements import change_each
from botyard.yard.data.tables import ASKED, BEGUN, CANCELLED, CLOSED, DONE, LEASED, MATCH, PAIR, TASK, VOID
from botyard.yard.ladders.benching import bench_if_silent
from botyard.yard.ladders.closed_games import ClosingPair, closing_pairs, games_of_pairs
from botyard.yard.ladders.counting import count_pairs
from botyard.yard.ladders.ladders import locked_row
from botyard.yard.ladders.pairs import CHALLENGE, CONTEST_PAIR, LADDER_PAIR, count_flight
from botyard.yard.work.tasks import cancel_open_tasks

PUBLIC = LADDER_PAIR, "final", CHALLENGE, CONTEST_PAIR  # kinds of pairs that everybody is told of when they are closed
ENDINGS = {False: {DONE}, True: {DONE, VOID}}
"""How all games of a pair have ended when it is closed. In a contest a void game takes no other one with it."""
LOCKED_PAIRS = (
    sa.select(PAIR)
    .where(PAIR.c.id.in_(sa.select(MATCH.c.pair).where(MATCH.c.id.in_(sa.bindparam("ended", expanding=True)))))
    .order_by(PAIR.c.id)
    .with_for_update(key_share=True)
)


def close_those_over(connection: sa.Connection, ended: Sequence[int], now_ms: int) -> None:
    """Closes the pairs that are over now that these games have ended, in the order in which they have."""
    # Of two transactions with games of one pair, the second one to come here sees both.
    rows = {row.id: row for row in connection.execute(LOCKED_PAIRS, {"ended": ended})}
    games = games_of_pairs(connection, list(rows))
    by_match = {match.id: match for matches in games.values() for match in matches}
    last = {by_match[match].pair: match for match in ended}
    told: list[Occurrence] = []
    over: list[sa.Row[Any]] = []
    for match in ended:
        row = rows[by_match[match].pair]
        states, final = {game.state for game in games[row.id]}, last[row.id] == match
        if row.state != BEGUN:
            continue
        if VOID in states and LEASED not in states and row.contest is None:
            if final:
                void_pair(connection, row.id, "one of its games is void", now_ms)
        elif final and states <= ENDINGS[row.contest is not None]:
            over.append(row)
        elif by_match[match].state == DONE:  # what it came to is told with the pair: the other game has the same seed
            told.append(news_of(row, "match.played", f"match/{match}", pair=row.id))
    closing = closing_pairs(connection, over, games)
    if any(pair.silent for pair in closing):  # whether somebody is benched is seen after each pair
        note_events(connection, now_ms, told)
        for pair in closing:
            note_events(connection, now_ms, close_pairs(connection, [pair], now_ms))
    else:
        note_events(connection, now_ms, told + close_pairs(connection, closing, now_ms))


def close_pairs(connection: sa.Connection, pairs: Sequence[ClosingPair], now_ms: int) -> list[Occurrence]:
    """Closes pairs that are over, in this order; returns what is to be told of it.

    It is told at the end, because nobody else can note an event from then on until the transaction ends.
    """
    for contest in sorted({pair.row.contest for pair in pairs if pair.row.contest is not None}):
        note_progress(connection, contest)
    numbers: dict[int, int] = {}
    slugs: dict[int | None, str] = {}
    for number in sorted({pair.row.ladder for pair in pairs if pair.row.ladder is not None}):
        ladder = locked_row(connection, number)
        slugs[number] = ladder.slug
        counted = [pair for pair in pairs if pair.row.ladder == number and pair.row.kind == LADDER_PAIR]
        numbers |= count_and_bench(connection, ladder, counted, now_ms)
    change_each(connection, PAIR, [({"id": pair.row.id}, closed_values(pair, numbers, now_ms)) for pair in pairs])
    return [news_of_closed(pair, slugs.get(pair.row.ladder), numbers.get(pair.row.id)) for pair in pairs]


def count_and_bench(
    connection: sa.Connection, ladder: sa.Row[Any], pairs: Sequence[ClosingPair], now_ms: int
) -> dict[int, int]:
    """Counts closed pairs of a ladder; returns their numbers. If somebody was silent in it, it is the only one."""
    if not pairs:
        return {}
    rows = count_pairs(connection, ladder, pairs, now_ms)
    for pair in pairs:
        for entry in sorted(pair.silent):
            row = rows[entry]
            if row.house is None and row.version == pair.players[entry]:
                bench_if_silent(connection, row, pair.row.id, now_ms)
    return {pair.row.id: number for number, pair in enumerate(pairs, ladder.recorded + 1)}


def closed_values(pair: ClosingPair, numbers: Mapping[int, int], now_ms: int) -> dict[str, Any]:
    number = numbers.get(pair.row.id)
    closed = {"state": CLOSED, "closed_ms": now_ms, "orders_hash": pair.orders, "number": number}
    return {**closed, "rated": int(number is not None)}


def is_public(pair: sa.Row[Any]) -> bool:
    """Whether everybody may know of a pair. A contest may hold its games back, and tells of them later at once."""
    return pair.kind in PUBLIC and not pair.held


def note_progress(connection: sa.Connection, contest: int) -> None:
    """Has pages that were kept of a contest made anew, and its next games asked."""
    connection.execute(PROGRESS, {"of": contest})


PROGRESS = sa.update(CONTEST).where(CONTEST.c.id == sa.bindparam("of")).values(changes=CONTEST.c.changes + 1)


def news_of(pair: sa.Row[Any], kind: str, subject: str, /, **body: Any) -> Occurrence:
    """Returns what happened to a pair, for those who may know of it."""
    return Occurrence(kind, subject, body, public=is_public(pair), concerns=pair.person)


def news_of_closed(pair: ClosingPair, ladder: str | None, number: int | None) -> Occurrence:
    told = [{"match": game.match.id, "result": game.match.result, "names": game.names} for game in pair.games]
    about = {"sort": pair.row.kind, "games": told, "ladder": ladder, "number": number}
    return news_of(pair.row, "pair.closed", f"pair/{pair.row.id}", **about)


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
    note_events(connection, now_ms, [news_of(row, "pair.void", f"pair/{pair}", reason=reason)])
