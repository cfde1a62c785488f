"""What a game costs, by game and language, and what it asks of the database: the figures of docs/scale.md.

    PYTHONPATH=src:. python bench/scale.py [--seconds N] [--games N] [--only GAME] [--json bench/scale.json]

Every starter whose language is on this machine plays itself in cages, one game after another, as a worker plays matches
of a yard. Told is processor time, ours and the bots' together, and never time on the wall: on a machine where others
are at work that says nothing. The start-up part is that of games which are broken off after the first turns. Then the
real steward records games that were played before, and the statements and transactions are counted that the database
gets for each. What a page costs is measured by `bench/site.py`; `bench/scale_model.py` makes the model of all of it.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import json
import os
import resource
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Coroutine
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from statistics import fmean
from typing import Any

import sqlalchemy as sa
import steward as stewarding
from tests.yard.league import PLAN, League

from botyard.contest.messages import CageOptions, GameReport
from botyard.contest.prepared import unheard
from botyard.contest.worker import Worker
from botyard.games import load
from botyard.games.game import Game
from botyard.games.starters import Starter, all_starters
from botyard.jail.canonical import Source, pack_bot
from botyard.jail.installed_languages import installed
from botyard.jail.spawner import leave_spawner, spawner
from botyard.links.bot_spec import BotSpec, Seating
from botyard.match.clock import LoopClock
from botyard.match.loop import play_game
from botyard.yard.config import YardConfig
from botyard.yard.data.database import Database
from botyard.yard.ladders.listing import ladder_table
from botyard.yard.ladders.plans import settings_values
from botyard.yard.site import Yard
from botyard.yard.work.matches import MatchPlayer, MatchWork
from botyard.yard.work.sources import source_spec

FIRST_TURNS = 2  # of a game that is broken off
STARTS = 4  # games that are broken off, for the start-up part


@dataclass(frozen=True, slots=True)
class StarterCost:
    """What a game between two copies of a starter costs."""

    game: str
    language: str
    games: int
    ticks: float
    cpu_s: float  # of a game
    start_s: float  # of it, until the first turns were answered
    replay_bytes: int
    turn_log_bytes: int

    @property
    def per_core_hour(self) -> float:
        return 3600 / self.cpu_s


def used_s() -> float:
    """Processor time of this process and of all that it started and that has ended."""
    leave_spawner()  # it waited for the bots, so their time counts from now on
    told = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in told)


def source_of(starter: Starter) -> Source:
    packed = io.BytesIO()
    pack_bot(starter.folder, packed, only=[PurePosixPath(name) for name in starter.files])
    return Source.of(packed.getvalue())


class Pair:
    """Two copies of a starter, and the games between them."""

    def __init__(self, starter: Starter) -> None:
        self.book, self.cage = load(starter.game), CageOptions()
        self.settings = self.book.settings.read({}).seated(2)
        self._source, self._worker, self._played = source_of(starter), Worker(), 0

    async def play(self) -> GameReport:
        """One match as a worker plays it."""
        self._played += 1
        players = tuple(MatchPlayer(name, self._source) for name in ("one", "other"))
        values = settings_values(self.settings)
        work = MatchWork(self._played, self.book.facts.name, values, self._played, players, self.cage)
        report = await work.done_by(self._worker, unheard)
        assert not report.trouble, report.trouble
        return report

    async def begin(self, spec: BotSpec) -> None:
        """The beginning of a game."""
        seating = Seating(self.book, self.settings, LoopClock())
        players = [spec.seat_player(seating, at) for at in range(2)]
        game = Game(self.book, self.settings, 1)
        await play_game(game, players, enough=lambda turns: len(turns) >= FIRST_TURNS)

    async def spec(self) -> BotSpec:
        spec = await source_spec(self._source, "one", self.book, self.cage.policy)
        assert await spec.build() is None
        return spec


def spent(act: Callable[[], Coroutine[Any, Any, None]]) -> float:
    """Returns the processor time of something, without that of starting what starts programs."""
    before = used_s()
    spawner()
    empty = used_s() - before
    before = used_s()
    asyncio.run(act())
    return max(0.0, used_s() - before - empty)


def cost_of(starter: Starter, seconds: float, most: int) -> StarterCost:
    pair = Pair(starter)
    reports: list[GameReport] = []

    async def begin(times: int) -> None:
        spec = await pair.spec()
        for _ in range(times):
            await pair.begin(spec)

    async def play() -> None:
        until = time.monotonic() + seconds
        while not reports or (time.monotonic() < until and len(reports) < most):
            reports.append(await pair.play())

    asyncio.run(pair.play())  # builds it, and loads what is compiled
    start_s = (spent(lambda: begin(STARTS + 1)) - spent(lambda: begin(1))) / STARTS
    cpu_s = spent(play) / len(reports)
    return StarterCost(
        starter.game,
        starter.language,
        len(reports),
        fmean(report.ticks for report in reports),
        round(cpu_s, 3),
        round(start_s, 3),
        round(fmean(len(report.replay or b"") for report in reports)),
        round(fmean(len(report.turn_log or b"") for report in reports)),
    )


# The database


def database_cost(games: int) -> dict[str, float]:
    """Counts what the database is asked for each game that is asked, leased and recorded."""
    counted: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        database = Database.at(f"sqlite:///{folder / 'yard.db'}")
        database.create()
        yard = Yard(YardConfig(folder, ladders=(PLAN,)), database)
        league = League(yard)
        for number in range(30):
            league.rivals(f"Bot {number}")
        played = stewarding.long_game()
        empty = stewarding.bytes_on_disk(yard, folder)

        def execute(_: Any, __: Any, statement: str, *___: Any) -> None:
            word = statement.lstrip()[:6].upper()
            counted["reads" if word == "SELECT" else "writes"] += word not in ("BEGIN ", "PRAGMA", "BEGIN")

        def commit(connection: sa.Connection) -> None:
            counted["transactions"] += bool(connection.get_execution_options().get("writes"))

        sa.event.listen(database.engine, "before_cursor_execute", execute)
        sa.event.listen(database.engine, "commit", commit)
        each = asyncio.run(stewarding.play(yard, played, games))
        done = stewarding.recorded(yard)
        size = (stewarding.bytes_on_disk(yard, folder) - empty) / done
        records = len(played.report.replay or b"") + len(played.report.turn_log or b"")
        yard.close()
    told = {name: round(number / done, 1) for name, number in sorted(counted.items())}
    best, middle = (round(1000 * seconds, 2) for seconds in (each[0], each[len(each) // 2]))
    told |= {"steward_cpu_ms_best": best, "steward_cpu_ms_middle": middle}
    return {"games": done, **told, "bytes": round(size), "bytes_beside_records": round(size - records)}


def table_cost(bots: int = 400) -> dict[str, float]:
    """Measures what it takes to read the table of a ladder, which is kept until a pair is closed."""
    with tempfile.TemporaryDirectory() as place:
        database = Database.at(f"sqlite:///{Path(place) / 'yard.db'}")
        database.create()
        yard = Yard(YardConfig(Path(place), ladders=(PLAN,)), database)
        league = League(yard)
        league.rivals(*(f"Bot {number}" for number in range(bots)))
        took = []
        for _ in range(7):
            with database.reading() as connection:
                began = time.process_time()
                rows = len(ladder_table(connection, league.ladder))
                took.append((time.process_time() - began) * 1e6 / rows)
        yard.close()
    return {"table_us_an_entry": round(min(took), 1)}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=8.0, help="of games for each starter")
    parser.add_argument("--most", type=int, default=40, help="games of each starter")
    parser.add_argument("--games", type=int, default=600, help="that the steward records")
    parser.add_argument("--only", default="", help="one game")
    parser.add_argument("--json", default="", help="a file for all figures")
    options = parser.parse_args()
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print("game         language    games  ticks  CPU s a game  start-up  games a core and hour  replay  turn log")
    costs = []
    for starter in all_starters():
        if options.only in ("", starter.game):
            if trouble := installed(starter.language).trouble:
                print(f"{starter.game:12} {starter.language:10} not here: {trouble}")
                continue
            costs.append(one := cost_of(starter, options.seconds, options.most))
            print(
                f"{one.game:12} {one.language:10} {one.games:6} {one.ticks:6.0f} {one.cpu_s:13.3f} {one.start_s:9.3f}"
                f" {one.per_core_hour:22.0f} {one.replay_bytes:7} {one.turn_log_bytes:9}", flush=True,
            )  # fmt: skip
    asked = database_cost(options.games) | table_cost()
    print("\n".join(f"{name:22} {value}" for name, value in asked.items()))
    if options.json:
        keep(Path(options.json), costs, asked)


def keep(path: Path, costs: list[StarterCost], asked: dict[str, float]) -> None:
    """Writes figures to a file; those of starters that were not measured now stay in it."""
    known = json.loads(path.read_text()) if path.exists() else {"games": []}
    now = {(one.game, one.language) for one in costs}
    kept = [one for one in known["games"] if (one["game"], one["language"]) not in now]
    games = sorted([*kept, *map(asdict, costs)], key=lambda one: (one["game"], one["language"]))
    path.write_text(json.dumps({**known, "games": games, "database": asked}, indent=1) + "\n")


if __name__ == "__main__":
    main()
