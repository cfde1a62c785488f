"""What is shown of a contest's games: its summary, made anew when something has changed, and the files of its report.

Standings, who beat whom, the list of games and the files of the originals are everybody's once the games are. What bots
were told and what they printed is not, and the texts that explain lost turns may quote it: those files are the
organiser's.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa

from botyard.contest.original_files import original_files
from botyard.contest.plan import Plan
from botyard.contest.report import REPORT_FILES
from botyard.contest.summary import summarize
from botyard.contest.summary_records import ContestSummary
from botyard.yard.contests.contests import Contest
from botyard.yard.contests.games import YardGames
from botyard.yard.contests.plans import plan_now, played_plan
from botyard.yard.data.blobs import BlobReader
from botyard.yard.data.contest_tables import CONTEST
from botyard.yard.refusals import NotThere

EVERYBODYS: Final = ("standings.csv", "cross.csv", "pairs.csv", "games.csv")
KEPT: Final = 8  # summaries of contests


@dataclass(frozen=True, slots=True)
class ContestReading:
    """A contest as it was played so far."""

    plan: Plan
    games: YardGames
    summary: ContestSummary


def contest_row(connection: sa.Connection, contest: int) -> sa.Row[Any]:
    return connection.execute(sa.select(CONTEST).where(CONTEST.c.id == contest)).one()


def record_of(
    connection: sa.Connection, blobs: BlobReader | None, contest: Contest, *, quoting: bool = True
) -> ContestReading:
    """Returns what was played of a contest, read from the tables; with what may quote bots, or without."""
    row = contest_row(connection, contest.id)
    plan = plan_now(connection, row) if row.plan is None else played_plan(row)
    games = YardGames(connection, contest.id, bytes.fromhex(row.root), blobs, quoting=quoting)
    return ContestReading(plan, games, summarize(plan, games))


def report_names(*, all_of_them: bool) -> list[str]:
    """Returns the files of a report that may be had."""
    return [name for name in REPORT_FILES if all_of_them or name in EVERYBODYS]


def report_file(connection: sa.Connection, blobs: BlobReader | None, contest: Contest, name: str) -> str:
    """Returns a file of the report: one of ours, or one that the game's original wrote."""
    record = record_of(connection, blobs, contest)
    if name in REPORT_FILES:
        return REPORT_FILES[name](record.plan, record.games, record.summary)
    found = original_files(record.plan, record.games)
    if name not in found:
        raise NotThere(f"there is no file {name!r} in this report", hint="the contest's page lists those there are")
    return found[name]


class ContestSummaries:
    """Summaries that were made last; one is made anew when its contest has changed."""

    def __init__(self) -> None:
        self._kept: OrderedDict[int, tuple[int, ContestSummary, tuple[str, ...]]] = OrderedDict()
        self._lock = threading.Lock()  # pages are made in threads, and a summary once for all of them

    def read(self, connection: sa.Connection, contest: Contest) -> tuple[ContestSummary, tuple[str, ...]]:
        """Returns the summary of a contest, and the names of the files that its original wrote."""
        with self._lock:
            known = self._kept.get(contest.id)
            if known is None or known[0] != contest.changes:
                record = record_of(connection, None, contest)
                known = contest.changes, record.summary, tuple(original_files(record.plan, record.games))
                self._kept[contest.id] = known
            self._kept.move_to_end(contest.id)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return known[1], known[2]
