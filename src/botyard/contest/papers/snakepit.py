"""The results files of Snakepit's matches (8.3): of the part with all bots, and of everybody's solo match."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from botyard.contest.plan import NOT_IN_NAMES, Plan
from botyard.contest.schema import DAMAGED, DONE
from botyard.contest.store import Store
from botyard.games.game import Game
from botyard.games.snakepit.files.results import Round, Wins, results_text, round_of
from botyard.games.snakepit.settings import SnakepitSettings
from botyard.kernel.errors import BadRecord, quoted
from botyard.rank.formats.king_of_the_hill import KingOfTheHill
from botyard.rank.formats.series import BestOf, SeriesFormat


def note(game: Game) -> dict[str, Any]:
    """Winner, points, pellets and ticks of a game."""
    return asdict(round_of(game))


def write(plan: Plan, store: Store) -> dict[str, str]:
    """A results file per match; where the settings append to it, one for all of them in their order (5.1)."""
    chosen = plan.settings
    assert isinstance(chosen, SnakepitSettings)
    if not chosen.preserve_results or not isinstance(plan.format, (KingOfTheHill, SeriesFormat)):
        return {}
    tallies: dict[str, tuple[Wins, SnakepitSettings, tuple[str, ...]]] = {}
    for row in store.rows():
        if row.state != DONE or row.note is None:
            continue
        if row.pairing.match not in tallies:
            settings = match_settings(plan, row.pairing.match)
            tallies[row.pairing.match] = Wins(settings, len(row.pairing.bots)), settings, row.pairing.bots
        tallies[row.pairing.match][0].add(round_noted(row.note, len(row.pairing.bots)))
    files: dict[str, str] = {}
    for match, (tally, settings, bots) in tallies.items():
        name = file_of(chosen, match)
        files[name] = files.get(name, "") + results_text(tally, settings, plan.seed, bots)
    return files


def round_noted(note: dict[str, Any], snakes: int) -> Round:
    """A game as it was taken down; a store may be damaged."""
    try:
        played = Round(**note)
        fits = len(played.points) == len(played.pellets) == snakes and played.winner in (None, *range(snakes))
        fits = fits and all(type(number) is int for number in (*played.points, *played.pellets, played.ticks))
    except TypeError:
        fits = False
    if not fits:
        raise BadRecord(f"the note {quoted(note)} of a game", hint=DAMAGED)
    return played


def file_of(settings: SnakepitSettings, match: str) -> str:
    """In the folder of the report, whatever folder the settings name."""
    path = Path(Path(settings.results_file).name)
    if settings.preserve_mode == "a" or match in ("hill", "match"):
        return path.name
    return f"{path.stem}_{NOT_IN_NAMES.sub('_', match)}{path.suffix}"


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
