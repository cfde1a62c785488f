"""The tournament of the original BattleBots control program (specification 8)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from botyard.games.battlebots.files import Bout, Match, contest_text
from botyard.games.battlebots.settings import BattlebotsSettings
from botyard.kernel.contract import ContestRecord

FILE = "battlebots.txt"
TOURNAMENT = "round_robin"  # the contest format that the original has

USUAL_FORMAT = TOURNAMENT
note = None


def format_defaults(kind: str, settings: BattlebotsSettings) -> Mapping[str, Any]:
    """Returns the defaults of a contest format; the original counts matches, not bouts."""
    if kind != TOURNAMENT:
        return {}
    swap = "alternate" if settings.swap_sides else "none"
    return {"bouts": settings.bouts_per_match, "count": "matches", "swap": swap}


def contest_files(contest: ContestRecord) -> Mapping[str, str]:
    """Writes what the original prints of a tournament: every pair once, by registration, with its bouts in order."""
    if contest.kind != TOURNAMENT:
        return {}
    order = {bot: at for at, bot in enumerate(contest.bots)}
    bouts: dict[str, list[Bout]] = {}
    pairs: dict[str, tuple[int, int]] = {}
    for game in contest.games:
        one, other = sorted(game.bots, key=lambda bot: order[bot])
        pairs[game.match] = (order[one], order[other])
        winner = None if game.winner is None else int(game.winner == other)
        bouts.setdefault(game.match, []).append(Bout(winner))
    matches = [Match(pairs[name], bouts[name]) for name in sorted(bouts, key=lambda name: pairs[name])]
    return {FILE: contest_text(contest.bots, matches)}
