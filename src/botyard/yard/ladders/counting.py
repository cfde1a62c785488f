"""Counting pairs that are closed: they get their numbers, and change ratings and encounters, one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from botyard.rank.ladder import closed, rated_kept, rated_pair
from botyard.rank.ratings import Rating
from botyard.rank.results import Result
from botyard.yard.data.statements import insert_rows
from botyard.yard.data.tables import RATING_STEP
from botyard.yard.ladders.closed_games import ClosedGame, ClosingPair
from botyard.yard.ladders.kept_ratings import keep_rating, kept_rating
from botyard.yard.ladders.ladders import policy_in
from botyard.yard.ladders.meetings import note_repetitions
from botyard.yard.ladders.rows import THESE_ENTRIES, change_entries, changed_values, ladder_entry

WEIGHT = 8  # of what a game cost before, against the newest one


def count_pairs(
    connection: sa.Connection, ladder: sa.Row[Any], pairs: Sequence[ClosingPair], now_ms: int
) -> dict[int, sa.Row[Any]]:
    """Counts closed pairs of a ladder, whose row is locked, in this order. They get the numbers after the last one that
    was recorded. Returns the rows of their entries as they were before."""
    played = sorted({entry for pair in pairs for entry in pair.players})
    rows = {row.id: row for row in connection.execute(THESE_ENTRIES, {"entries": played})}
    policy, number = policy_in(ladder.policy), ladder.recorded
    entries = {entry: ladder_entry(row) for entry, row in rows.items()}
    costs = {entry: row.game_ms for entry, row in rows.items()}
    steps: list[dict[str, Any]] = []
    for number, pair in enumerate(pairs, ladder.recorded + 1):
        players = dict(sorted(pair.players.items()))
        before = {str(entry): entries[entry].rating for entry in players}
        results = [game.by_entry for game in pair.games]
        ratings = rated_pair(before, results)
        earlier = {entry: version for entry, version in players.items() if version != rows[entry].version}
        count_for_earlier(connection, earlier, before, results)
        for entry, version in players.items():
            rating = ratings[str(entry)]
            entries[entry] = closed(entries[entry], rating, policy, own_version=entry not in earlier)
            costs[entry] = cost(costs[entry], pair.games)
            step = {"ladder": ladder.id, "number": number, "entry": entry, "season": pair.row.season, "at_ms": now_ms}
            steps.append({**step, "version": version, "mu": rating.mu, "sigma": rating.sigma, "games": rating.games})
    changes = {entry: {**changed_values(entries[entry]), "game_ms": costs[entry]} for entry in played}
    change_entries(connection, ladder.id, changes, recorded=number)
    insert_rows(connection, RATING_STEP, steps)
    met = [(pair.games[0].words, pair.orders) for pair in pairs if len(pair.players) == 2]
    note_repetitions(connection, ladder.id, met)
    return rows


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
