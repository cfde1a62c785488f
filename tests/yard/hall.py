"""A yard in which contests are held: an organiser, files, people who enter, and a steward that plays."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from botyard.contest.executors import Executor
from botyard.contest.executors.inline import Inline
from botyard.contest.opening import open_played
from botyard.contest.reading import read_plan
from botyard.contest.report import write_report
from botyard.contest.runner import play_built
from botyard.yard.config import YardConfig
from botyard.yard.contests.changing import DEEDS
from botyard.yard.contests.contests import Announcement, Contest, announce, contest_named
from botyard.yard.contests.reports import report_file
from botyard.yard.contests.running import contests_to_tend, tend_contest
from botyard.yard.data.contest_tables import CONTEST, CONTEST_GAME, OVER
from botyard.yard.data.database import Database, inserted_id
from botyard.yard.data.tables import PERSON
from botyard.yard.site import Yard
from botyard.yard.web.contest_pages import REPORT_PAGE, ContestPages
from botyard.yard.web.workshop import Workshop
from botyard.yard.work.steward import Steward
from tests.waiting import finished, soon, until
from tests.yard.league import PLAN

LONGEST_S = 900.0  # three hundred games, on a machine that has other things to do
EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "contests"


def open_yard(address: str, folder: Path) -> Yard:
    """A yard whose clock goes."""
    database = Database.at(address)
    database.create()
    return Yard(YardConfig(folder / "yard", database=address, ladders=(PLAN,)), database)


async def files_of_the_command(file: Path) -> dict[str, str]:
    """What `botyard contest run` and `report` write for a file."""
    plan = read_plan(file)
    await play_built(replace(plan, running=replace(plan.running, executor="inline")))
    with open_played(file) as played:
        paths = await write_report(played.plan, played.store, file.parent / "report")
    return {path.name: path.read_text() for path in paths}


class Hall:
    """Contests of a yard."""

    def __init__(self, yard: Yard) -> None:
        self.yard = yard
        self.organiser = self.person("Olga", "organiser")

    def person(self, name: str, role: str = "player") -> int:
        row = {"name": name, "name_key": name.casefold(), "role": role, "state": "active", "made_ms": 1}
        with self.yard.database.writing() as connection:
            return inserted_id(connection, PERSON, **row)

    def announce(self, file: str, **given: Any) -> Contest:
        with self.yard.database.writing() as connection:
            return announce(connection, self.organiser, Announcement(file, **given), self.yard.clock())

    def contest(self, slug: str) -> Contest:
        with self.yard.database.reading() as connection:
            return contest_named(connection, slug)

    def do(self, deed: str, contest: Contest) -> None:
        with self.yard.database.writing() as connection:
            DEEDS[deed](connection, contest.id, self.organiser, self.yard.clock())

    def tend(self) -> None:
        """What the steward does in every round."""
        with self.yard.database.writing() as connection:
            for contest in contests_to_tend(connection, self.yard.clock()):
                tend_contest(connection, contest, self.yard.clock())

    def games(self, contest: Contest) -> list[sa.Row[Any]]:
        chosen = sa.select(CONTEST_GAME).where(CONTEST_GAME.c.contest == contest.id).order_by(CONTEST_GAME.c.number)
        with self.yard.database.reading() as connection:
            return list(connection.execute(chosen))

    def root(self, contest: Contest) -> str:
        with self.yard.database.reading() as connection:
            return str(connection.execute(sa.select(CONTEST.c.root).where(CONTEST.c.id == contest.id)).scalar_one())

    def report(self, contest: Contest, name: str) -> str:
        if name == REPORT_PAGE:
            return self.page(contest, quoting=True)
        with self.yard.database.reading() as connection:
            return report_file(connection, self.yard.blobs, contest, name)

    def page(self, contest: Contest, *, quoting: bool) -> str:
        """The report as a page."""

        async def make() -> str:
            return await ContestPages(self.yard, Workshop()).page(contest, quoting=quoting)

        return finished(make())

    async def _progress(self, seen: Contest, task: asyncio.Task[None]) -> Contest:
        """Waits until something has happened since a contest was seen: as long as it does, it may take its time."""
        await until(lambda: task.done() or self.contest(seen.slug).changes != seen.changes)
        return self.contest(seen.slug)

    def play(self, contest: Contest, hire: Callable[[], Executor] = Inline) -> Contest:
        """Has a steward play a contest to its end."""

        async def play() -> None:
            steward = Steward(self.yard, hire)
            task = asyncio.create_task(steward.run())
            try:
                seen = self.contest(contest.slug)
                while not task.done() and seen.state != OVER:
                    seen = await self._progress(seen, task)
            finally:
                steward.end()
                await soon(task)

        self.do("begin", contest)
        finished(play(), LONGEST_S)
        return self.contest(contest.slug)
