"""What the steward costs. `PYTHONPATH=src:. python bench/steward.py [--games N] [--bots N] [--db ADDRESS] [--json]`

The real steward serves a ladder of one game; its workers answer at once with a game that was played before, so that
nothing is measured but asking, leasing and recording. The replay is not played again: `bench/retell.py` measures that.
Printed are the processor time of a game, the bytes that it takes on the disk, and the memory of the process at the end.
Processor time is told for the best of some batches, and for the middle one: on a machine where others are at work, too,
the same work takes more of it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from tests.yard.league import PLAN, League, carried_out

from botyard.contest.executors import Done, Event, Work
from botyard.contest.messages import GameReport
from botyard.yard.config import YardConfig
from botyard.yard.data.database import Database
from botyard.yard.data.tables import DONE, MATCH
from botyard.yard.ladders.plans import checked_ladder
from botyard.yard.site import Yard
from botyard.yard.work import steward as stewarding
from botyard.yard.work.matches import MatchPlayer, MatchWork
from botyard.yard.work.steward import Steward
from botyard.yard.work.verifying import PlayedMatch, verified

NEVER = 1 << 62  # no sample is drawn: these workers play nothing again
WORKERS = 4
BATCHES = 10
LONG = {**PLAN.settings, "max_turns": 1000}  # of the games whose bytes are kept


class AtOnce:
    """Workers that have played everything before."""

    workers, far = WORKERS, False

    def __init__(self, played: PlayedMatch) -> None:
        self._played = played
        self._given: dict[str, MatchWork] = {}

    def idle(self) -> list[str]:
        return [name for name in (f"worker {n}" for n in range(1, WORKERS + 1)) if name not in self._given]

    def stopped(self) -> list[str]:
        return []

    def refused(self) -> dict[str, str]:
        return {}

    def facts(self, worker: str) -> None:  # noqa: ARG002 - all are alike
        return None

    def start(self, worker: str, work: Work) -> None:
        assert isinstance(work, MatchWork), "nothing else is asked for here"
        self._given[worker] = work

    async def wait(self, seconds: float) -> list[Event]:  # noqa: ARG002 - it never takes any time
        given, self._given = self._given, {}
        return [Done(worker, self._report(work.match)) for worker, work in given.items()]

    def _report(self, match: int) -> GameReport:
        """The report of the game that was played, with a few bytes that no other has."""
        report, own = self._played.report, match.to_bytes(8)
        assert report.replay is not None, "games are played with replays"
        return replace(report, number=match, replay=report.replay + own, turn_log=(report.turn_log or b"") + own)

    async def end(self, worker: str) -> None:
        self._given.pop(worker, None)

    async def close(self) -> None:
        self._given = {}


def long_game() -> PlayedMatch:
    """A game of usual length with all its turns, as players' bots leave it."""
    players = (MatchPlayer("one", house="forager"), MatchPlayer("other", house="raider"))
    work = MatchWork(1, PLAN.game, {**checked_ladder(PLAN).settings, **LONG}, 7, players)
    return verified(work, carried_out(work))


async def play(yard: Yard, played: PlayedMatch, games: int) -> list[float]:
    """Has so many games recorded; returns the seconds of processor time of a game, by batch."""
    stewarding.verified = lambda _, report: replace(played, report=report)  # type: ignore[assignment, attr-defined]
    steward = Steward(yard, lambda: AtOnce(played), sampled=NEVER)
    serving = asyncio.create_task(steward.run())
    each: list[float] = []
    for _ in range(BATCHES):
        before, began = recorded(yard), time.process_time()
        while (done := recorded(yard) - before) * BATCHES < games:
            await asyncio.sleep(0.2)
        each.append((time.process_time() - began) / done)
    steward.end()
    await serving
    return sorted(each)


def recorded(yard: Yard) -> int:
    with yard.database.reading() as connection:
        counted = sa.select(sa.func.count()).select_from(MATCH).where(MATCH.c.state == DONE)
        return int(connection.execute(counted).scalar_one())


def bytes_on_disk(yard: Yard, folder: Path) -> int:
    """Returns what the tables and blobs of a yard on SQLite take."""
    with yard.database.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def measured(games: int, bots: int, address: str, folder: Path) -> dict[str, Any]:
    database = Database.at(address or f"sqlite:///{folder / 'yard.db'}")
    database.create()
    config = YardConfig(folder, database=address, ladders=(PLAN,))
    yard = Yard(config, database)
    league = League(yard)
    for number in range(bots):
        league.rivals(f"Bot {number}")
    played = long_game()
    empty = 0 if address else bytes_on_disk(yard, folder)
    each = [round(1000 * seconds, 2) for seconds in asyncio.run(play(yard, played, games))]
    done = recorded(yard)
    assert played.report.replay is not None
    told = {
        "games": done,
        "bots": bots,
        "cpu ms a game, best": each[0],
        "cpu ms a game, middle": each[BATCHES // 2],
        "peak memory MB": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1),
        "replay bytes": len(played.report.replay),
        "turn log bytes": len(played.report.turn_log or b""),
        "ticks": played.report.ticks,
    }
    if not address:
        told["disk bytes a game"] = (bytes_on_disk(yard, folder) - empty) // done
    yard.close()
    return told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--bots", type=int, default=30)
    parser.add_argument("--db", default="")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        told = measured(options.games, options.bots, options.db, Path(folder))
    print(json.dumps(told) if options.json else "\n".join(f"{name:22} {value}" for name, value in told.items()))


if __name__ == "__main__":
    main()
