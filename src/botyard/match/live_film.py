"""A live film grows while its game is played. Whoever runs the game adds positions, and never waits for a watcher.

A watcher reads at its own pace what was added since it looked last, as the parts of `render/film.py`: what changed in
a tick, or a block. Whoever falls behind by more than a block gets the newest one, which begins with a key frame; what
lies between can be asked for as blocks. So a watcher that stands still costs nothing, and one that comes back is soon
there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from botyard.games.game import Game
from botyard.kernel.outcome import Outcome
from botyard.kernel.plain import clean
from botyard.kernel.verdict import Fault
from botyard.match.filming import LOST, Filming, lost_turns
from botyard.match.replay import Missed
from botyard.match.turnstile import Turnstile
from botyard.render.film import BLOCK, Film, compact
from botyard.render.marks import MOST, Mark

Watched: TypeAlias = tuple[int, int, int]
"""How much of a film was told: ticks, marks, and the head of which time."""


class LiveFilm:
    """The film of a game that is being played, for everybody or for one seat. It belongs to one event loop."""

    def __init__(self, game: Game, names: Sequence[str], seat: int | None = None) -> None:
        self.seat, self.over = seat, False
        self._filming = Filming(game, tuple(names), seat)
        self._amended = 0  # how often the head has changed
        self._written: dict[tuple[int, ...], tuple[str, Watched]] = {}  # news as text, for whoever has seen as much
        self._turnstile = Turnstile()  # where watchers wait; nobody's clock waits until all of them were told
        self.add(game)

    @property
    def film(self) -> Film:
        return self._filming.stock.film

    @property
    def ticks(self) -> int:
        return self._filming.stock.ticks

    # Whoever runs the game

    def add(self, game: Game) -> None:
        """Films the next position."""
        self._filming.add(game)
        self._tell()

    def lose(self, seat: int, fault: Fault) -> None:
        """Marks the turn before this position as lost."""
        self._filming.marks.append(Mark(max(self.ticks - 2, 0), seat, LOST, f"{fault.verdict}: {fault.reason}"))

    def rename(self, names: Sequence[str]) -> None:
        """Bots that connect say only then what they are called."""
        shown = [clean(name) for name in names]
        if self.film.head["names"] != shown:
            self.film.head["names"] = shown
            self._amended += 1

    def end(self, outcome: Outcome | None, missed: Sequence[Missed] = ()) -> None:
        """Nothing more will be added. The lost turns are by then known better than from tick to tick."""
        self.over = True
        if self.seat is None and missed:
            self._filming.marks = [mark for mark in self._filming.marks if mark.kind != LOST]
            self._filming.marks += lost_turns(missed)
        self._filming.end(outcome)
        self._amended += 1
        self._tell()

    def _tell(self) -> None:
        self._written.clear()
        self._turnstile.release()

    # Watchers

    def head(self) -> dict[str, Any]:
        """The head as it is by now."""
        return {**self.film.head, "marks": [list(mark) for mark in sorted(self._filming.marks)[:MOST]]}

    def block(self, number: int) -> dict[str, Any] | None:
        """A block, as far as it is filmed."""
        return self.film.blocks[number] if 0 <= number < len(self.film.blocks) else None

    async def news(self) -> None:
        """Waits until something is added, and then for one's turn."""
        await self._turnstile.wait()

    def parts_since(self, seen: int) -> list[Any]:
        """What was added after so many ticks; the newest block alone if more than the one before it is missing."""
        newest = self.film.blocks[-1]
        if seen > newest["at"]:
            return list(newest["ticks"][seen - newest["at"] - 1 :])
        missing: list[Any] = []
        if newest["at"] - BLOCK < seen < newest["at"]:
            before = self.film.blocks[-2]
            missing = before["ticks"][seen - before["at"] - 1 :]
        return [*missing, newest]

    def written(self, watching: Watching) -> str | None:
        """What has to be told to a watcher now, as text; it is written once for all who have seen as much."""
        key = (*watching.watched, self.ticks, self.amendments, self.mark_count)
        if key in self._written:
            text, watching.watched = self._written[key]
            return text
        news = watching.news()
        if news is None:
            return None
        self._written[key] = compact(news), watching.watched
        return self._written[key][0]

    @property
    def amendments(self) -> int:
        return self._amended

    def marks_since(self, known: int) -> list[list[Any]]:
        return [list(mark) for mark in self._filming.marks[known:MOST]]

    @property
    def mark_count(self) -> int:
        return min(len(self._filming.marks), MOST)


@dataclass(slots=True)
class Watching:
    """One who watches a live film: how much was told so far."""

    film: LiveFilm
    seen: int = 0
    marks: int = 0
    amended: int = -1

    @property
    def watched(self) -> Watched:
        return self.seen, self.marks, self.amended

    @watched.setter
    def watched(self, so_far: Watched) -> None:
        self.seen, self.marks, self.amended = so_far

    @property
    def done(self) -> bool:
        """Whether all was told that will ever be."""
        return self.film.over and self.seen == self.film.ticks and self.amended == self.film.amendments

    def news(self) -> dict[str, Any] | None:
        """What has to be told now: the head first, then parts and marks; None: nothing."""
        film = self.film
        told: dict[str, Any] = {}
        if self.amended != film.amendments:
            told["head"] = film.head()
            self.amended, self.marks = film.amendments, film.mark_count
        if self.marks != film.mark_count:
            told["marks"] = film.marks_since(self.marks)
            self.marks = film.mark_count
        if self.seen != film.ticks:
            told["parts"] = film.parts_since(self.seen) if self.seen else [film.film.blocks[-1]]
            self.seen = film.ticks
        return told or None
