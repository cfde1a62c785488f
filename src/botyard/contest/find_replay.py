"""Games that are looked at again: from the replay that was kept, or played once more where house bots play alone."""

from __future__ import annotations

import asyncio
import contextlib

from botyard.contest.messages import Job
from botyard.contest.plan import Plan
from botyard.contest.schema import DONE, GameRow
from botyard.contest.store import Store
from botyard.contest.worker import Worker, report_of
from botyard.kernel.errors import BadRecord, YardError
from botyard.match.replay import Replay


def replay_of(plan: Plan, store: Store, row: GameRow) -> Replay:
    """The replay of a recorded game, with the names the bots have in the contest."""
    if row.state != DONE:
        raise YardError(f"game {row.number} is {row.state}", hint="only games that were played have a replay")
    kept = store.replay(row.number)
    if kept is not None:
        replay = Replay.from_bytes(kept, f"the replay of game {row.number}")
    elif all(plan.bots[bot].startswith("house:") for bot in row.pairing.bots):
        replay = play_again(plan, row)
    else:
        raise YardError(f"no replay of game {row.number} was kept", hint="replays = true in [run] keeps them")
    replay.names = tuple(row.pairing.bots[player] for player in replay.entrants)
    return replay


def play_again(plan: Plan, row: GameRow) -> Replay:
    """House bots play the same game again; if it ends otherwise the record is not true."""
    job = Job(row.number, row.pairing.bots, row.seed)
    with contextlib.chdir(plan.folder):
        worker = Worker(plan.brief)
        played = asyncio.run(worker.play_through(worker.new_game(job), job))
    report = report_of(job, played, replays=False)
    if report.result != str(row.result):
        raise BadRecord(
            f"game {row.number} is recorded as {row.result}, played again it is {report.result or report.trouble}",
            hint="it was recorded by other rules or other bots",
        )
    return played.replay
