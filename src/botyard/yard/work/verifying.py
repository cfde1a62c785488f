"""A report counts only if its orders lead to its result: the steward plays every replay again before it is recorded.

Beyond that workers are trusted. They could invent orders and lateness, but not a result that the rules do not give.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

from botyard.contest.game_report import forfeited
from botyard.contest.messages import GameReport
from botyard.games import load
from botyard.kernel.errors import BadRecord
from botyard.match.loop import award
from botyard.match.replay import Replay
from botyard.match.series import by_player
from botyard.match.turns import START_TICK
from botyard.rank.results import Result
from botyard.yard.work.matches import MatchWork, place_name


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A report whose result follows from its orders."""

    report: GameReport
    replay: Replay
    result: Result  # by place
    orders_hash: str


def verified(work: MatchWork, report: GameReport) -> PlayedMatch:
    """Plays the replay of a report again; raises an error if it is of another game, or does not lead to its result."""
    if report.replay is None:
        raise BadRecord("the report has no replay")
    replay = Replay.from_bytes(report.replay, "the replay of the report")
    check_setup(work, replay)
    result = result_of(replay)
    if str(result) != report.result:
        raise BadRecord(f"the report says {report.result}", hint=f"its orders lead to {result}")
    return PlayedMatch(report, replay, result, orders_hash(replay))


def check_setup(work: MatchWork, replay: Replay) -> None:
    """Refuses the replay of another game than the one that was asked for."""
    book, seats = load(work.game), len(work.players)
    rules = book.settings(**work.settings).seated(seats).of_group("rules")
    asked = (work.game, book.facts.rules_version, work.seed, seats, rules)
    if (replay.game, replay.rules, replay.seed, len(replay.names), replay.settings) != asked:
        raise BadRecord("the report is of another game than was asked for")


def result_of(replay: Replay) -> Result:
    """Returns the result of a replay, by place, after it was played again.

    Bots that did not come, or ended the game without a result, forfeit it.
    """
    final = replay.verify()
    players = [place_name(place) for place in range(1, len(replay.entrants) + 1)]
    absent = {replay.entrants[miss.seat] for miss in replay.missed if miss.tick == START_TICK}
    culprits = {replay.entrants[seat] for seat in replay.culprits}
    forfeits = [players[player] for player in sorted(absent | culprits)]
    outcome = replay.outcome
    if outcome is None and replay.culprits:
        outcome = award(final.scores, replay.culprits)
    if outcome is not None:
        return forfeited(Result.of_outcome(by_player(outcome, replay.entrants), players, forfeits))
    if len(absent) == len(players):
        return Result.of([players], dict.fromkeys(players, 0), forfeits)
    raise BadRecord("the replay has no result")


def orders_hash(replay: Replay) -> str:
    return hashlib.sha256(json.dumps(replay.ticks, separators=(",", ":")).encode()).hexdigest()
