"""The results files of Snakepit's matches (8.3): of the part with all bots, and of everybody's solo match."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from botyard.contest.plan import Plan
from botyard.contest.store import Store
from botyard.contest.tables import DONE
from botyard.games.game import Game
from botyard.games.snakepit.files.results import Round, Tally, results_text, round_of
from botyard.games.snakepit.settings import SnakepitSettings
from botyard.rank.formats.king_of_the_hill import KingOfTheHill
from botyard.rank.formats.series import BestOf, SeriesFormat


def note(game: Game) -> dict[str, Any]:
    """Winner, points, pellets and ticks of a game."""
    return asdict(round_of(game))


def write(plan: Plan, store: Store) -> dict[str, str]:
    """A results file per match."""
    if not isinstance(plan.format, (KingOfTheHill, SeriesFormat)):
        return {}
    tallies: dict[str, tuple[Tally, SnakepitSettings, tuple[str, ...]]] = {}
    for row in store.rows():
        if row.state != DONE or row.note is None:
            continue
        if row.pairing.match not in tallies:
            settings = match_settings(plan, row.pairing.match)
            tallies[row.pairing.match] = Tally(settings, len(row.pairing.bots)), settings, row.pairing.bots
        tallies[row.pairing.match][0].add(Round(**row.note))
    return {
        file_of(match): results_text(tally, settings, plan.seed, bots)
        for match, (tally, settings, bots) in tallies.items()
    }


def file_of(match: str) -> str:
    return "bs_results.txt" if match in ("hill", "match") else f"bs_results_{match.replace(' ', '_')}.txt"


def match_settings(plan: Plan, match: str) -> SnakepitSettings:
    """The match settings the original would have been given for this match."""
    settings, options = plan.settings, plan.format
    assert isinstance(settings, SnakepitSettings)
    if isinstance(options, KingOfTheHill) and match.startswith("solo "):
        return replace(settings, best_of=options.solo_games, match_length="fixed", match_winner=0)
    if isinstance(options, KingOfTheHill):
        bonus = options.bonus if options.match_bonus else 0
        return replace(settings, best_of=options.best_of, match_length="first_to", match_winner=bonus)
    assert isinstance(options, SeriesFormat)
    games, wins = options.length.get("games", 0), options.length.get("wins", 0)
    length = "fixed" if games else "first_to"
    if isinstance(options, BestOf):
        games = options.games
    return replace(settings, best_of=games or 2 * wins - 1, match_length=length, match_winner=options.bonus)
