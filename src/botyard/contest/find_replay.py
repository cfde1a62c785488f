"""This module finds the replay and the turn log of a recorded game. Games among house bots need no stored replay: they
are played once more."""

from __future__ import annotations

import dataclasses

from botyard.contest.game_report import report_of
from botyard.contest.messages import Job
from botyard.contest.plan import Plan
from botyard.contest.prepared import PreparedContest
from botyard.contest.rows import GameRow
from botyard.contest.schema import DONE
from botyard.contest.store import PlayedGames
from botyard.kernel.errors import BadRecord, YardError
from botyard.match.replay import Replay
from botyard.match.turns import TurnLog, unpack_turns


async def replay_of(plan: Plan, store: PlayedGames, row: GameRow) -> Replay:
    """Returns the replay of a recorded game, with the names that the bots have in the contest."""
    if row.state != DONE:
        raise YardError(f"game {row.number} is {row.state}", hint="only games that were played have a replay")
    kept = store.replay(row.number)
    if kept is not None:
        replay = Replay.from_bytes(kept, f"the replay of game {row.number}")
    elif plan.is_house(row.pairing.bots):
        replay = await play_again(plan, row)
    else:
        raise YardError(f"no replay of game {row.number} was kept", hint="write replays = true into [run] to keep them")
    replay.names = tuple(row.pairing.bots[player] for player in replay.entrants)
    return replay


def turn_log_of(store: PlayedGames, row: GameRow, replay: Replay) -> TurnLog | None:
    """Returns the turns that were kept of a game, with the names of its replay; None if none were kept."""
    kept = store.turn_log(row.number)
    if kept is None:
        return None
    log = unpack_turns(kept, f"the turn log of game {row.number}")
    if len(log.seats) == len(replay.names):
        named = zip(log.seats, replay.names, strict=True)
        log.seats = tuple(dataclasses.replace(seat, name=name) for seat, name in named)
    return log


async def play_again(plan: Plan, row: GameRow) -> Replay:
    """Has house bots play a game again, and refuses a record that says another result."""
    job = Job(row.number, row.pairing.bots, row.seed)
    contest = PreparedContest(plan.brief)
    played = await contest.play_through(contest.new_game(job), job)
    report = report_of(job, played, replays=False)
    if report.result != str(row.result):
        raise BadRecord(
            f"game {row.number} is recorded as {row.result}, but now gives {report.result or report.trouble}",
            hint="it was recorded with other rules or other bots",
        )
    return played.replay
