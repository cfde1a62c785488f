"""A snapshot of a contest, or of several that are run one after another: all that the live page shows.

It is made in the thread of whoever asks, never in that of the run, and only so often that it takes up a twentieth of
that thread's time at most. The run puts its news where it is found; it waits for nobody.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from botyard.contest.live.boards import Boards
from botyard.contest.live.table import LiveTable
from botyard.contest.messages import Job
from botyard.contest.opening import played_plan
from botyard.contest.plan import Plan
from botyard.contest.runner import News
from botyard.contest.store_file import StoreFile
from botyard.kernel.errors import YardError
from botyard.kernel.plain import clean
from botyard.rank.results import Result, parse

REFRESH_S = 0.25  # a snapshot is not older than this, unless making it takes long
SHARE_OF_TIME = 20  # one part of so many of a processor goes into snapshots at most
LONGEST_S = 1.0  # but after so long people want to see something new
FOLLOW_S, FINAL_S = 0.01, 0.5  # of it for the standings at a time: while games are played, and when they are over

State = Literal["waiting", "running", "over", "stopped"]


class LiveContest:
    """One contest of the page."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.news = plan, News(expected=plan.estimate.least)
        self.state: State = "waiting"
        self.report: Path | None = None  # its page, once it is written
        self._boards = Boards(plan)
        self._table: LiveTable | None = None
        self._store: StoreFile | None = None

    def prepare(self) -> None:
        self._boards.prepare()

    # What the run tells

    def watch(self, news: News) -> None:
        self.news = news
        if self.state == "waiting":
            self.state = "running"

    def end(self, state: State, report: Path | None = None) -> None:
        self.state, self.report = state, report

    # What the page is told

    def values(self) -> dict[str, Any]:
        """Returns all that is shown of this contest; called in one thread at a time."""
        self._open()
        plan, news, form = self.plan, self.news, self.plan.format
        table = self._table
        if table is not None:
            table.follow(FINAL_S if self.state == "over" else FOLLOW_S)
        shown = self._boards.values(news.at_work) if self.state == "running" else {"boards": [], "heads": {}}
        left = news.seconds_left if self.state == "running" else None
        return {
            "title": clean(plan.title),
            "game": clean(plan.book.facts.title),
            "format": form.NAME.replace("_", " "),
            "about": clean(form.SUMMARY),
            "state": self._shown_state(table),
            "games": {"done": news.done, "expected": max(news.expected, news.done), "faults": news.faults},
            "rate": round(news.rate, 2) if self.state == "running" else None,
            "seconds_left": None if left is None else round(left, 1),
            "standings": self._told(table),
            **shown,
            "workers": len(news.at_work) if self.state == "running" else 0,
            "next": [self._coming(job) for job in news.coming] if self.state == "running" else [],
            "latest": [[number, self._result(parse(result))] for number, result in news.latest],
            "report": self.report is not None,
        }

    def _shown_state(self, table: LiveTable | None) -> State:
        """What is over is shown as such when the table has caught up; a contest that was broken off has no champion."""
        if self.state != "over" or table is None or table.over:
            return self.state
        return "stopped" if table.caught_up else "running"

    def _told(self, table: LiveTable | None) -> dict[str, Any]:
        if table is None:
            return {"heads": [], "rows": [], "verdict": "", "games": 0}
        told = table.values()
        return {**told, "rows": [list(map(clean, row)) for row in told["rows"]], "verdict": clean(told["verdict"])}

    def _coming(self, job: Job) -> list[Any]:
        return [job.number, [clean(self.plan.names[bot]) for bot in job.bots]]

    def _result(self, result: Result) -> list[Any]:
        """Returns a result as groups of [name, points or None, forfeited], best first."""
        scores, names = dict(result.scores), self.plan.names
        return [
            [[clean(names[bot]), scores.get(bot), bot in result.forfeits] for bot in group] for group in result.groups
        ]

    def _open(self) -> None:
        """Opens the store as soon as the run has made it, with the plan by which the run plays."""
        if self._table is None and self.state != "waiting":
            try:
                self._store = StoreFile.open(self.plan.store_path)
            except YardError:
                return  # it is not there yet, or no longer
            self.plan = played_plan(self._store, self.plan.path)
            self._boards = Boards(self.plan)
            self._table = LiveTable(self.plan, self._store)
            if self.state == "over":  # it was played before
                self.news.done = self._store.counts().recorded

    def close(self) -> None:
        if self._store is not None:
            self._store.close()


class LivePage:
    """All contests of a page, and the snapshot of them that is sent."""

    def __init__(self, plans: Sequence[Plan]) -> None:
        self.contests = [LiveContest(plan) for plan in plans]
        self._making = threading.Lock()
        self._text, self._due = b"", 0.0

    def snapshot(self) -> bytes:
        """Returns the snapshot as JSON. It blocks, so it is called in a thread."""
        with self._making:
            began, busy = time.monotonic(), time.thread_time()
            if began >= self._due:
                values = {"contests": [contest.values() for contest in self.contests], "now": self.now}
                self._text = json.dumps(values, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "replace")
                self._due = began + min(LONGEST_S, max(REFRESH_S, SHARE_OF_TIME * (time.thread_time() - busy)))
            return self._text

    @property
    def now(self) -> int:
        """The number of the contest to look at: the one that runs, else the last that ran."""
        begun = [at for at, contest in enumerate(self.contests) if contest.state != "waiting"]
        return begun[-1] if begun else 0

    def refresh(self) -> None:
        """Lets the next snapshot be a new one, because something has ended."""
        self._due = 0.0

    def close(self) -> None:
        with self._making:
            for contest in self.contests:
                contest.close()
