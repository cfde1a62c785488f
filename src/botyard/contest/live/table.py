"""This module follows the standings of a contest in its store, game by game, as the contest is played."""

from __future__ import annotations

import time
from itertools import islice
from typing import Any

from botyard.contest.plan import Plan
from botyard.contest.runner import next_wave
from botyard.contest.schema import DONE, VOID
from botyard.contest.store import Store
from botyard.rank.formats import Pairing
from botyard.rank.standings import Standings, concluded

ROWS = 100  # games that are read at a time


class LiveTable:
    """The standings up to the first game that is missing, as `contest status` shows them.

    It reads what is new since the last look. A course is only ever given games in their order, so this one is the same
    as that of the run, a little later.
    """

    def __init__(self, plan: Plan, store: Store) -> None:
        self._plan, self._store = plan, store
        self._course = plan.open_course()
        self._first, self._taken = 1, 0
        self._wave: list[Pairing] = next_wave(plan, self._course, 1)
        self._standings: Standings | None = None
        self.caught_up = False  # whether it has come to the first game that is missing

    @property
    def over(self) -> bool:
        """Whether the course has no game left."""
        return not self._wave

    @property
    def games(self) -> int:
        """How many games are counted."""
        return self._first + self._taken - 1

    def follow(self, seconds: float) -> None:
        """Takes games that were recorded since, for about so many seconds of this thread's processor time."""
        until = time.thread_time() + seconds
        self.caught_up = False
        while self._wave and self._take_some():
            self._standings = None
            if self._taken == len(self._wave):
                self._first, self._taken = self._first + self._taken, 0
                self._wave = next_wave(self._plan, self._course, self._first)
            if time.thread_time() > until:
                return
        self.caught_up = True

    def _take_some(self) -> int:
        """Takes the next games of the wave, up to the first that is missing; returns how many."""
        begin = self._first + self._taken
        rows = self._store.rows(begin, min(self._first + len(self._wave), begin + ROWS) - 1)
        count = 0
        for pairing, row in zip(islice(self._wave, self._taken, None), rows, strict=False):
            if row.state not in (DONE, VOID) or row.result is None:
                break
            self._course.add(pairing, row.result)
            count += 1
        self._taken += count
        return count

    @property
    def standings(self) -> Standings:
        if self._standings is None:
            self._standings = self._course.standings()
        return concluded(self._standings, self.over, self._plan.guests, self._plan.names)

    def values(self) -> dict[str, Any]:
        """Returns the table as the terminal shows it: headings, and a row of text for each bot, by name."""
        standings = self.standings
        rows = [
            [self._plan.names[row.bot], str(row.place or "guest"), *map(figure, row.columns.values())]
            for row in standings.rows
        ]
        return {
            "heads": ["bot", "place", *standings.heads],
            "rows": rows,
            "verdict": standings.verdict,
            "games": self.games,
        }


def figure(value: Any) -> str:
    """Returns a figure of the standings as people read it."""
    return f"{value:g}" if isinstance(value, float) else str(value)
