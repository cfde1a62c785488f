"""This module turns a played game into the report that goes back to the contest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from botyard.contest.lost_turns import LostTurns
from botyard.contest.messages import ALL_TURNS, LOST_TURNS, NO_TURNS, GameReport, Job
from botyard.kernel.verdict import Verdict
from botyard.match.board_notes import NOT_IN_CONTEST
from botyard.match.loop import Played
from botyard.match.series import by_player
from botyard.match.turns import START_TICK, SeatRecord, Turn, pack_turns
from botyard.rank.results import Result

TURN_LOG_MAX = 32 * 1024 * 1024  # packed bytes of one game's log; of a longer one only the lost turns are kept, or none


R = TypeVar("R", Turn, SeatRecord)

Explain = Callable[[Played, int], dict[str, LostTurns]]
"""Returns the lost turns of the bot that came to a game in this place, explained."""


def unexplained(played: Played, place: int) -> dict[str, LostTurns]:
    """Explains nothing; for games that are played again to be watched."""
    return {}


def report_of(
    job: Job, played: Played, replays: bool, turn_logs: str = NO_TURNS, explain: Explain = unexplained
) -> GameReport:
    """Returns the report of a played game. Bots that did not come, or ended the game without a result, forfeit it."""
    absent = {played.entrants[turn.seat] for turn in played.turns if turn.tick == START_TICK}
    culprits = {played.entrants[seat] for seat in played.culprits}
    forfeits = [job.bots[player] for player in sorted(absent | culprits)]
    ours = any(miss.verdict is Verdict.HOUSE for miss in played.replay.missed)
    outcome = played.outcome or played.awarded
    if outcome is not None:
        result = forfeited(Result.of_outcome(by_player(outcome, played.entrants), job.bots, forfeits))
    elif not ours and len(absent) == len(job.bots):
        result = Result.of([job.bots], dict.fromkeys(job.bots, 0), forfeits)
    else:
        return GameReport(job.number, trouble=played.trouble or "the game ended without an outcome")
    return GameReport(
        job.number,
        str(result),
        ticks=len(played.replay.ticks),
        verdicts=verdicts_of(job, played),
        timing=timing_of(job, played),
        cages={bot_at(job, played, at): (seat.level, seat.peak_mb) for at, seat in enumerate(played.seats)},
        jitter=played.jitter,
        replay=played.replay.to_bytes() if replays else None,
        turn_log=packed_turns(played, turn_logs),
        lost=lost_of(job, played, explain),
    )


def forfeited(result: Result) -> Result:
    """Returns a result in which whoever forfeits is behind all others, even where the rules let a game without it end
    in a draw."""
    others = [[bot for bot in group if bot not in result.forfeits] for group in result.groups]
    last = [bot for bot in result.bots if bot in result.forfeits]
    return replace(result, groups=tuple(tuple(sorted(group)) for group in (*others, last) if group))


def bot_at(job: Job, played: Played, seat: int) -> str:
    return job.bots[played.entrants[seat]]


def verdicts_of(job: Job, played: Played) -> dict[str, dict[str, int]]:
    return {
        bot_at(job, played, seat): {str(verdict): count for verdict, count in counts.items()}
        for seat, counts in enumerate(played.verdicts)
    }


def lost_of(job: Job, played: Played, explain: Explain) -> dict[str, dict[str, LostTurns]] | None:
    """Returns the lost turns of those bots that lost any."""
    losers = {played.entrants[turn.seat] for turn in played.turns if turn.verdict is not Verdict.OK}
    return {job.bots[place]: explain(played, place) for place in sorted(losers)} or None


def timing_of(job: Job, played: Played) -> dict[str, tuple[int, float, float]]:
    timing: dict[str, Any] = dict.fromkeys(job.bots, (0, 0.0, 0.0))
    for turn in played.turns:
        bot = bot_at(job, played, turn.seat)
        questions, whole, longest = timing[bot]
        timing[bot] = (questions + 1, round(whole + turn.ms, 3), max(longest, turn.ms))
    return timing


def without_notes(played: Played) -> Played:
    """Returns a played game of whose notes only their number is kept."""
    turns = [withheld(turn) for turn in played.turns]
    return replace(played, turns=turns, seats=tuple(map(withheld, played.seats)))


def withheld(record: R) -> R:
    return replace(record, notes=record.notes.withheld(NOT_IN_CONTEST)) if record.notes else record


def packed_turns(played: Played, which: str) -> bytes | None:
    """Returns the packed log of those turns that the contest keeps; None if it keeps none."""
    if which == NO_TURNS:
        return None
    log = played.log
    if which == LOST_TURNS:
        log.turns = [turn for turn in log.turns if turn.verdict is not Verdict.OK]
        if not log.turns:
            return None
    packed = pack_turns(log)
    if len(packed) <= TURN_LOG_MAX:
        return packed
    return packed_turns(played, LOST_TURNS if which == ALL_TURNS else NO_TURNS)
