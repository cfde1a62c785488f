"""Lost turns told once: those that a seat loses one after another for the same reason are one stretch.

A bot that has died or was stopped loses every turn until the end. Whoever reads about it wants one line with the number
of turns, not as many lines as there were ticks. Nothing is taken out of the record: this is about how it is told.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from botyard.kernel.verdict import Verdict
from botyard.match.replay import Missed
from botyard.match.turns import START_TICK, Turn

NUMBER = re.compile(r"\d+")


@dataclass(slots=True)
class Stretch:
    """Turns of one seat that were lost one after another in the same way. The reason is that of the first."""

    seat: int
    verdict: Verdict
    reason: str
    first: int  # tick
    last: int
    turns: int = 1

    @property
    def when(self) -> str:
        if self.first <= START_TICK:
            return "at the start"
        if self.turns == 1:
            return f"in tick {self.first}"
        return f"in ticks {self.first} to {self.last} ({self.turns} turns)"


def kind_of(verdict: Verdict, reason: str) -> tuple[Verdict, str]:
    """What makes two lost turns the same; a number that differs, such as milliseconds, makes no difference."""
    return verdict, NUMBER.sub("0", reason)


def stretches(missed: Sequence[Missed], turns: Iterable[Turn]) -> list[Stretch]:
    """The lost turns of a game, in the order in which the stretches began; `turns` tells what lies between them."""
    answered: dict[int, list[int]] = {}
    for turn in turns:
        if turn.verdict is Verdict.OK:
            answered.setdefault(turn.seat, []).append(turn.tick)
    found: list[Stretch] = []
    latest: dict[int, Stretch] = {}
    for miss in sorted(missed, key=lambda miss: miss.tick):
        open_one = latest.get(miss.seat)
        if open_one is not None and continues(open_one, miss, answered.get(miss.seat, [])):
            open_one.last, open_one.turns = miss.tick, open_one.turns + 1
            continue
        latest[miss.seat] = Stretch(miss.seat, miss.verdict, miss.reason, miss.tick, miss.tick)
        found.append(latest[miss.seat])
    return found


def continues(stretch: Stretch, miss: Missed, answered: Sequence[int]) -> bool:
    """Whether a lost turn is one more of the same, with no answer since."""
    if kind_of(stretch.verdict, stretch.reason) != kind_of(miss.verdict, miss.reason) or stretch.first <= START_TICK:
        return False
    at = bisect_right(answered, stretch.last)
    return at == len(answered) or answered[at] > miss.tick
