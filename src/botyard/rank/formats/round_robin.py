"""In a round robin every bot meets every other, in pairs or in larger groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from typing import ClassVar

from botyard.kernel.settings import setting
from botyard.rank.formats.bouts import SWAP_MEANING, SWAPS, Bouts, bout_by_bout, bouts_of, games_of
from botyard.rank.formats.course import Changes, Course, Estimate, Format, Pairing, tie_breaks
from botyard.rank.formats.rounds import in_rounds
from botyard.rank.results import Result
from botyard.rank.standings import Standings, broken_ties, table


@dataclass(frozen=True, kw_only=True)
class RoundRobin(Format):
    NAME: ClassVar[str] = "round_robin"
    SUMMARY: ClassVar[str] = "everybody meets everybody"
    CHANGES: ClassVar[Changes] = Changes.OWN_GAMES

    seats: int = setting(2, "bots in a game", at_least=2)
    bouts: int = setting(1, "bouts of a match; all of them are played", at_least=1)
    swap: str = setting("none", SWAP_MEANING, choices=SWAPS)
    count: str = setting(
        "games", "games: points for every game; matches: a point for whoever wins most bouts of a match",
        choices=("games", "matches"),
    )  # fmt: skip
    tie_breaks: str = setting("", "tie-breaks, in order; without any, equal bots share a place")

    def check(self) -> None:
        tie_breaks(self.tie_breaks)

    def open(self, bots: Sequence[str]) -> RoundRobinCourse:
        return RoundRobinCourse(bots, self)

    def estimate(self, bots: int) -> Estimate:
        games = comb(bots, self.seats) * games_of(self.bouts, self.swap, self.seats)
        return Estimate(games, games)

    def tables(self, bots: int) -> tuple[int, ...]:
        return (self.seats,)

    @property
    def swaps(self) -> bool:
        return self.swap == "same_seed"


class RoundRobinCourse(Course):
    """A round robin under way. No match depends on another, so all of them are one wave, in an order
    that keeps the table comparable while it is played."""

    def __init__(self, bots: Sequence[str], options: RoundRobin) -> None:
        super().__init__(bots)
        self._options, self._asked = options, False
        self.matches = {" vs ".join(group): Bouts(group) for group in in_rounds(bots, options.seats)}

    def wave(self) -> list[Pairing]:
        if self._asked:
            return []
        self._asked = True
        options = self._options
        matches = (bouts_of(match.bots, name, options.bouts, options.swap) for name, match in self.matches.items())
        return bout_by_bout(matches, options.bouts)

    def take(self, pairing: Pairing, result: Result) -> None:
        self.matches[pairing.match].add(result)

    def standings(self) -> Standings:
        matches = dict.fromkeys(self.bots, 0)
        for match in self.matches.values():
            if match.winner is not None:
                matches[match.winner] += 1
        tallies = self.sums.tallies
        by_match = self._options.count == "matches"
        first = {bot: [matches[bot] if by_match else tallies[bot].points] for bot in self.bots}
        breaks = tie_breaks(self._options.tie_breaks)
        keys = broken_ties(self.sums, first, breaks)
        columns = {}
        for bot in self.bots:
            own = tallies[bot]
            lead = (
                {"matches": matches[bot], "bouts": own.wins} if by_match else {"points": own.points, "wins": own.wins}
            )
            columns[bot] = {**lead, "draws": own.draws, "losses": own.losses, "score": own.score, "games": own.games}
        return table(self.bots, keys, columns, ("matches" if by_match else "points", *breaks))
