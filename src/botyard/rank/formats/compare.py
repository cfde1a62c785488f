"""Compare tests whether one bot is better than another: a sequential test on pairs of games, which stops by itself.

A pair is two games on one seed with the seats swapped. If the bots are equally good, a pair that is not even goes to
either with the same chance, whatever the seats, the maps and the draws are worth. So the test looks at those pairs
alone, in their order, and follows two likelihood ratios: "the first wins `better_percent` of them" against "half of
them", and the same for the second. By Ville's inequality a ratio of a fair coin ever reaches 1/x with probability at
most x, however long one looks; so with the limits below

- of equals, either is called better with probability at most `false_percent`;
- a bot that really wins `better_percent` of the uneven pairs is missed with probability at most `miss_percent`
  (as long as `most_pairs` does not end the test before).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from botyard.kernel.settings import setting
from botyard.rank.formats.course import Course, Estimate, Format, Pairing
from botyard.rank.results import Result, points_of
from botyard.rank.standings import Standings, table

Finding = Literal["better", "worse", "equal", "open"]


@dataclass(frozen=True, kw_only=True)
class Compare(Format):
    NAME: ClassVar[str] = "compare"
    SUMMARY: ClassVar[str] = "is the first bot better than the second? a sequential test on pairs with swapped seats"
    LEAST: ClassVar[int] = 2
    MOST: ClassVar[int] = 2

    better_percent: int = setting(60, "percentage of the uneven pairs that a better bot wins", at_least=51, at_most=99)
    false_percent: int = setting(
        5, "how often, at most, one of two equal bots is called better, in percent", at_least=1, at_most=49
    )
    miss_percent: int = setting(5, "how often, at most, a better bot is missed, in percent", at_least=1, at_most=49)
    most_pairs: int = setting(2000, "pairs after which the test gives up", at_least=1)
    wave_pairs: int = setting(32, "pairs that are played before the first look at the test", at_least=1)

    def open(self, bots: Sequence[str]) -> CompareCourse:
        return CompareCourse(bots, self)

    def estimate(self, bots: int) -> Estimate:
        test = Sequential(self)
        sure = math.ceil(test.upper / math.log(2 * test.share))  # the shortest test: one bot wins every pair
        waves = math.ceil(sure / self.wave_pairs)
        return Estimate(2 * min(self.most_pairs, waves * self.wave_pairs), 2 * self.most_pairs)

    @property
    def swaps(self) -> bool:
        return True


class Sequential:
    """The statistical test. It is told who won each pair, and its `finding` says what is known so far."""

    def __init__(self, options: Compare) -> None:
        self.share = options.better_percent / 100
        self.upper = math.log(2 * 100 / options.false_percent)  # two-sided: each side may err half as often
        self.lower = math.log(options.miss_percent / 100)
        self._won, self._lost = math.log(2 * self.share), math.log(2 * (1 - self.share))
        self.ratios = {"better": 0.0, "worse": 0.0}
        self._dropped = {"better": False, "worse": False}
        self.finding: Finding = "open"

    def add(self, ahead: int) -> None:
        """Takes the next pair: 1 if the first bot won it, -1 if the second did, 0 if it was even.

        Once there is a finding, further pairs change nothing.
        """
        if ahead == 0 or self.finding != "open":
            return
        self.ratios["better"] += self._won if ahead > 0 else self._lost
        self.ratios["worse"] += self._won if ahead < 0 else self._lost
        for side in ("better", "worse"):
            if self.ratios[side] >= self.upper and not self._dropped[side]:
                self.finding = "better" if side == "better" else "worse"
                return
            self._dropped[side] |= self.ratios[side] <= self.lower
        if all(self._dropped.values()):
            self.finding = "equal"


class CompareCourse(Course):
    """A comparison under way. It judges pairs in their order; pairs that were played after the finding do not count."""

    def __init__(self, bots: Sequence[str], options: Compare) -> None:
        super().__init__(bots)
        self._options = options
        self.test = Sequential(options)
        self.asked = self.pairs = self.uneven = self.void = 0
        self.taken = [0, 0]
        self._half: dict[str, list[Result]] = {}

    def wave(self) -> list[Pairing]:
        if self.test.finding != "open" or self.asked >= self._options.most_pairs:
            return []
        first, last = self.asked, min(self.asked + self._options.wave_pairs, self._options.most_pairs)
        self.asked = last
        one, other = self.bots
        return [
            Pairing(seats, f"pair {number}", game, f"pair {number}")
            for number in range(first + 1, last + 1)
            for game, seats in enumerate(((one, other), (other, one)), 1)
        ]

    def take(self, pairing: Pairing, result: Result) -> None:
        pair = self._half.setdefault(pairing.match, [])
        pair.append(result)
        if len(pair) < 2:
            return
        del self._half[pairing.match]
        if self.test.finding != "open":
            return
        if any(half.void for half in pair):
            self.void += 1
            return
        one, other = self.bots
        ahead = sum(points_of(half)[one] - points_of(half)[other] for half in pair)
        self.pairs += 1
        if abs(ahead) > 0.25:
            self.uneven += 1
            self.taken[ahead < 0] += 1
        self.test.add(0 if abs(ahead) <= 0.25 else 1 if ahead > 0 else -1)

    @property
    def verdict(self) -> str:
        options = self._options
        if len(self.bots) < 2:
            return "there are no bots to compare"
        one, other = map(self.called, self.bots)
        count = f"{self.taken[0]} to {self.taken[1]} of {self.pairs} pairs, {self.pairs - self.uneven} even"
        match self.test.finding:
            case "better" | "worse":
                better, beaten = (one, other) if self.test.finding == "better" else (other, one)
                return (
                    f"{better} is better than {beaten} ({count}; wrong at most {options.false_percent} % of the time)"
                )
            case "equal":
                return (
                    f"no difference that matters: neither wins {options.better_percent} % of the uneven pairs "
                    f"({count}; wrong at most {options.miss_percent} % of the time)"
                )
            case _:
                return f"undecided ({count})"

    def standings(self) -> Standings:
        keys = {bot: (self._favour(at), self.taken[at]) for at, bot in enumerate(self.bots)}
        columns = {
            bot: {
                "pairs won": self.taken[at],
                "pairs even": self.pairs - self.uneven,
                "wins": own.wins,
                "draws": own.draws,
                "losses": own.losses,
                "games": own.games,
            }
            for at, (bot, own) in enumerate(self.sums.tallies.items())
        }
        return table(self.bots, keys, columns, ("finding", "pairs won"), self.verdict)

    def _favour(self, at: int) -> int:
        return {"better": (1, 0), "worse": (0, 1)}.get(self.test.finding, (0, 0))[at]
