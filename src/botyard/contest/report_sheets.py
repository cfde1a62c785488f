"""This module makes the tables of a report for spreadsheets (CSV). Programs find bots by key, people by name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from botyard.contest.pair_games import ENDING_WORDS
from botyard.contest.sheets import csv_line, csv_text
from botyard.contest.summary_records import ContestSummary, place_of


def games_csv(lines: Iterable[tuple[Any, ...]]) -> str:
    """Returns a table with every game on a line of its own."""
    return csv_text(["game", "match", "number", "bots", "seed", "result", "ticks", "house_faults"], lines)


def pairs_csv(summary: ContestSummary) -> str:
    """Returns a table with every game of every pair, and how it ended for the first bot."""
    parts = [csv_line(["bot", "rival", "game", "ending"])]
    for pair in summary.pairs:
        bots = csv_line(pair.bots).removesuffix("\n")  # once for all games: there may be very many
        games = zip(pair.numbers, pair.endings, strict=True)
        parts.append("".join(f"{bots},{number},{ENDING_WORDS[ending]}\n" for number, ending in games))
    return "".join(parts)


def lost_csv(summary: ContestSummary) -> str:
    """Returns a table of the turns that bots lost, by verdict, each with an example."""
    lines = [
        [bot, summary.name(bot), verdict, lost.count, lost.game, lost.tick, lost.reason, lost.remedy]
        for bot in summary.ranked
        for verdict, lost in sorted(summary.bots[bot].lost.items())
    ]
    return csv_text(["bot", "name", "verdict", "turns", "game", "tick", "reason", "remedy"], lines)


def standings_csv(summary: ContestSummary) -> str:
    heads = ["place", "bot", "name", *summary.standings.heads, "elo", "elo_low", "elo_high", "mu", "sigma"]
    lines = []
    for row in summary.standings.rows:
        strength, rating = summary.strengths[row.bot], summary.ratings[row.bot]
        more = [strength.elo, strength.low, strength.high, round(rating.mu, 3), round(rating.sigma, 3)]
        lines.append([place_of(row), row.bot, summary.name(row.bot), *row.columns.values(), *more])
    return csv_text(heads, lines)


def cross_csv(summary: ContestSummary) -> str:
    """Returns a table of the wins-draws-losses of the row's bot against the column's."""
    bots = summary.ranked
    return csv_text(["bot", *bots], [[one, *(cell(summary, one, other) for other in bots)] for one in bots])


def cell(summary: ContestSummary, one: str, other: str) -> str:
    return str(summary.cross[one].get(other, ""))
