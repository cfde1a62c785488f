"""In a Swiss contest bots with equal points meet, if possible never twice; in an odd field one bot has a bye."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log2
from typing import ClassVar

from botyard.kernel.settings import setting
from botyard.rank.formats.bouts import SWAP_MEANING, SWAPS, Bouts, bouts_of, games_of
from botyard.rank.formats.course import Changes, Course, Estimate, Format, Pairing, tie_breaks
from botyard.rank.results import Result
from botyard.rank.standings import Standings, broken_ties, table

TRIES = 20_000  # pairings tried before one more repeated meeting is allowed


@dataclass(frozen=True, kw_only=True)
class Swiss(Format):
    NAME: ClassVar[str] = "swiss"
    SUMMARY: ClassVar[str] = "rounds in which bots with equal points meet"
    CHANGES: ClassVar[Changes] = Changes.NEXT_ROUND

    rounds: int = setting(0, "number of rounds; 0: as many as it takes until one bot is unbeaten", at_least=0)
    bouts: int = setting(2, "bouts of a match", at_least=1)
    swap: str = setting("alternate", SWAP_MEANING, choices=SWAPS)
    tie_breaks: str = setting("buchholz, sonneborn_berger, score", "tie-breaks, in order")

    def check(self) -> None:
        tie_breaks(self.tie_breaks)

    def rounds_for(self, bots: int) -> int:
        if bots < 2:
            return 0
        return self.rounds or ceil(log2(bots))

    def open(self, bots: Sequence[str]) -> SwissCourse:
        return SwissCourse(bots, self)

    def estimate(self, bots: int) -> Estimate:
        games = self.rounds_for(bots) * (bots // 2) * games_of(self.bouts, self.swap, 2)
        return Estimate(games, games)

    @property
    def swaps(self) -> bool:
        return self.swap == "same_seed"


class SwissCourse(Course):
    """A Swiss contest under way. A won match and a bye are worth a point, a drawn match half a point.

    No bot gets a second bye before all have had one.
    """

    def __init__(self, bots: Sequence[str], options: Swiss) -> None:
        super().__init__(bots)
        self._options = options
        self.round = 0
        self.points = dict.fromkeys(bots, 0.0)
        self.byes = dict.fromkeys(bots, 0)
        self.met: set[frozenset[str]] = set()
        self._first = dict.fromkeys(bots, 0)  # how often each sat first
        self._matches: dict[str, Bouts] = {}

    def wave(self) -> list[Pairing]:
        self._close_round()
        if self.round >= self._options.rounds_for(len(self.present)):
            return []
        self.round += 1
        games = []
        for number, pair in enumerate(self._pairs(), 1):
            seated = sorted(pair, key=lambda bot: self._first[bot])
            self._first[seated[0]] += 1
            self.met.add(frozenset(pair))
            name = f"round {self.round} match {number}"
            self._matches[name] = Bouts(seated)
            games += bouts_of(seated, name, self._options.bouts, self._options.swap)
        return games

    def take(self, pairing: Pairing, result: Result) -> None:
        self._matches[pairing.match].add(result)

    def _close_round(self) -> None:
        for match in self._matches.values():
            for bot, points in self._match_points(match).items():
                self.points[bot] += points
        self._matches = {}

    @staticmethod
    def _match_points(match: Bouts) -> dict[str, float]:
        """Returns what each bot gets for a match, by the points of its bouts; nothing if all its games were void."""
        one, other = match.bots
        if not match.played:
            return {one: 0.0, other: 0.0}
        ahead = match.points[one] - match.points[other]
        share = 0.5 if ahead == 0 else float(ahead > 0)
        return {one: share, other: 1 - share}

    def _pairs(self) -> list[tuple[str, str]]:
        """Returns pairs of bots close in points, from the top. The lowest of those with the fewest byes has the bye."""
        standing = {bot: at for at, bot in enumerate(self.bots)}
        order = sorted(self.present, key=lambda bot: (-self.points[bot], standing[bot]))
        if len(order) % 2:
            resting = min(reversed(order), key=lambda bot: self.byes[bot])
            self.byes[resting] += 1
            self.points[resting] += 1.0
            order.remove(resting)
        again = 0
        while (pairs := self._try_to_pair(order, again)) is None:
            again += 1
        return pairs

    def _try_to_pair(self, order: list[str], again: int) -> list[tuple[str, str]] | None:
        self._tries = TRIES
        return self._pair_up(order, again)

    def _pair_up(self, order: list[str], again: int) -> list[tuple[str, str]] | None:
        """Pairs the first bot with the nearest one below it for which the others can be paired, too.

        At most `again` of the pairs may have met before. Returns None if no such pairing is found in `TRIES` tries.
        """
        if not order:
            return []
        first, rest = order[0], order[1:]
        for at, rival in enumerate(rest):
            self._tries -= 1
            left = again - (frozenset((first, rival)) in self.met)
            if left < 0 or self._tries < 0:
                continue
            others = self._pair_up(rest[:at] + rest[at + 1 :], left)
            if others is not None:
                return [(first, rival), *others]
        return None

    def standings(self) -> Standings:
        points = dict(self.points)
        for match in self._matches.values():
            for bot, share in self._match_points(match).items():
                points[bot] += share
        self.sums.worth = points  # with byes: a bye does not make a bot a weaker rival
        breaks = tie_breaks(self._options.tie_breaks)
        keys = broken_ties(self.sums, {bot: [points[bot]] for bot in self.bots}, breaks)
        columns = {}
        for bot in self.bots:
            own = self.sums.tallies[bot]
            figures = {name: keys[bot][at + 1] for at, name in enumerate(breaks)}
            byes = {"byes": self.byes[bot]}
            columns[bot] = {"points": points[bot], **figures, "wins": own.wins, **byes, "games": own.games}
        return table(self.bots, keys, columns, ("points", *breaks))
