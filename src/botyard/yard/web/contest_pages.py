"""The report of a contest as one page to take home, made by the code that writes it on the command line.

Everybody may have it once the contest is over and released. What it quotes of bots, to explain why turns were lost,
stands only in the page of who decides about the contest.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from botyard.contest.report import report_page
from botyard.links.play import run_anywhere
from botyard.yard.contests.contests import Contest
from botyard.yard.contests.reports import record_of
from botyard.yard.site import Yard
from botyard.yard.web.workshop import Workshop

REPORT_PAGE: Final = "report.html"
KEPT: Final = 4  # pages, each of a megabyte at most


class ContestPages:
    """Makes the pages, and keeps those that were asked for last: films take a while."""

    def __init__(self, yard: Yard, workshop: Workshop) -> None:
        self._yard, self._workshop = yard, workshop
        self._kept: OrderedDict[tuple[int, int, bool], str] = OrderedDict()

    async def page(self, contest: Contest, *, quoting: bool) -> str:
        return await self._workshop.make(self._made, contest, quoting)

    def _made(self, contest: Contest, quoting: bool) -> str:
        """Returns the page. It runs in a thread of the workshop, where there is no event loop yet."""
        key = contest.id, contest.changes, quoting
        if key not in self._kept:
            with self._yard.database.reading() as connection:
                record = record_of(connection, self._yard.blobs, contest, quoting=quoting)
                self._kept[key] = run_anywhere(report_page(record.plan, record.games, record.summary))
        self._kept.move_to_end(key)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return self._kept[key]
