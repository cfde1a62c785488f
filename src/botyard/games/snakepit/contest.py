"""The competition of the original Snakepit (4.4, 4.5), and the results files of its matches (8.3)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import PurePath
from typing import Any

from botyard.games.game import Game
from botyard.games.snakepit.files.results import Round, Wins, results_text, round_of
from botyard.games.snakepit.settings import SnakepitSettings
from botyard.kernel.contract import ContestRecord
from botyard.kernel.errors import BadRecord, quoted

USUAL_FORMAT = "king_of_the_hill"
ONE_MATCH = ("best_of", "first_to", "fixed")  # formats with a single match
NAMELESS = ("hill", "match")  # a contest has only one match of such a name, so its file name does not show it
NOT_IN_NAMES = re.compile(r"[^\w.+-]+")


def format_defaults(kind: str, settings: SnakepitSettings) -> Mapping[str, Any]:
    if kind not in (USUAL_FORMAT, *ONE_MATCH):
        return {}
    options: dict[str, Any] = {
        "bonus": settings.match_winner,
        "wash_limit": settings.wash_limit,
        "match_games_cap": settings.match_games_cap,
        "rng_per_game": settings.rng_per_game,
    }
    if kind == "first_to":
        return {**options, "wins": settings.wins_needed}
    if kind in ONE_MATCH:
        return {**options, "games": settings.best_of}
    return {
        **options,
        "solo_games": settings.solo_games,
        "solo_replays": settings.solo_starved == "replay",
        "best_of": settings.koth_best_of,
        "match_bonus": settings.koth_match_bonus,
        "rank_method": settings.rank_method,
    }


def note(game: Game) -> dict[str, Any]:
    """Returns winner, points, pellets and ticks of a game."""
    return asdict(round_of(game))


def contest_files(contest: ContestRecord) -> Mapping[str, str]:
    """Writes a results file per match, or one file for all matches in order if the settings append to it (5.1)."""
    chosen: SnakepitSettings = contest.settings
    if not chosen.preserve_results or contest.kind not in (USUAL_FORMAT, *ONE_MATCH):
        return {}
    tallies: dict[str, tuple[Wins, SnakepitSettings, tuple[str, ...]]] = {}
    for game in contest.games:
        if game.note is None:
            continue
        if game.match not in tallies:
            settings = match_settings(contest, game.match)
            tallies[game.match] = Wins(settings, len(game.bots)), settings, game.bots
        tallies[game.match][0].add(round_noted(game.note, len(game.bots)))
    files: dict[str, str] = {}
    for match, (tally, settings, bots) in tallies.items():
        name = file_of(chosen, match)
        files[name] = files.get(name, "") + results_text(tally, settings, contest.seed, bots)
    return files


def round_noted(note: Mapping[str, Any], snakes: int) -> Round:
    """Reads back the note of a game."""
    try:
        played = Round(**note)
        fits = len(played.points) == len(played.pellets) == snakes and played.winner in (None, *range(snakes))
        fits = fits and all(type(number) is int for number in (*played.points, *played.pellets, played.ticks))
    except TypeError:
        fits = False
    if not fits:
        raise BadRecord(
            f"a game has the note {quoted(note)}",
            hint="the store is damaged: restore a copy of it, or begin again with --anew",
        )
    return played


def file_of(settings: SnakepitSettings, match: str) -> str:
    """Names the results file. It lies in the folder of the report, whatever folder the settings name."""
    path = PurePath(PurePath(settings.results_file).name)
    if settings.preserve_mode == "a" or match in NAMELESS:
        return path.name
    return f"{path.stem}_{NOT_IN_NAMES.sub('_', match)}{path.suffix}"


def match_settings(contest: ContestRecord, match: str) -> SnakepitSettings:
    """Returns the match settings that the original would have been given for this match."""
    settings: SnakepitSettings = contest.settings
    options = contest.options
    if contest.kind == USUAL_FORMAT and match.startswith("solo "):
        return replace(settings, best_of=options["solo_games"], match_length="fixed", match_winner=0)
    if contest.kind == USUAL_FORMAT:
        bonus = options["bonus"] if options["match_bonus"] else 0
        return replace(settings, best_of=options["best_of"], match_length="first_to", match_winner=bonus)
    games = 2 * options["wins"] - 1 if contest.kind == "first_to" else options["games"]
    length = "fixed" if contest.kind == "fixed" else "first_to"
    return replace(settings, best_of=games, match_length=length, match_winner=options["bonus"])
