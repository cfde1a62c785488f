"""In a points table bots play a number of games, and the points of all games are added up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from botyard.kernel.settings import setting
from botyard.rank.formats.course import Course, Estimate, Format, Pairing, shuffled, tie_breaks, turned
from botyard.rank.results import Result
from botyard.rank.standings import Standings, broken_ties, table


@dataclass(frozen=True, kw_only=True)
class PointsTable(Format):
    NAME: ClassVar[str] = "points_table"
    SUMMARY: ClassVar[str] = "games of several bots; the points of all games are added up"
    LEAST: ClassVar[int] = 0

    games: int = setting(20, "games", at_least=1)
    seats: int = setting(0, "bots in a game; 0: all of them", at_least=0)
    tie_breaks: str = setting("wins, best", "tie-breaks, in order")

    def check(self) -> None:
        tie_breaks(self.tie_breaks)

    def at_table(self, bots: int) -> int:
        return min(self.seats or bots, bots)

    def open(self, bots: Sequence[str]) -> PointsTableCourse:
        return PointsTableCourse(bots, self)

    def estimate(self, bots: int) -> Estimate:
        games = self.games if bots else 0
        return Estimate(games, games)

    def tables(self, bots: int) -> tuple[int, ...]:
        return (self.at_table(bots),)


class PointsTableCourse(Course):
    """A points table under way. The bots that have played least come next, and they rotate seats from game to game.

    No game depends on the result of another, so all of them are one wave.
    """

    def __init__(self, bots: Sequence[str], options: PointsTable) -> None:
        super().__init__(bots)
        self._options, self._asked = options, False

    def wave(self) -> list[Pairing]:
        if self._asked or not self.bots:
            return []
        self._asked = True
        seats, played = self._options.at_table(len(self.bots)), dict.fromkeys(self.bots, 0)
        pairings = []
        for number in range(1, self._options.games + 1):
            chosen = sorted(shuffled(self.bots, str(number)), key=lambda bot: played[bot])[:seats]
            for bot in chosen:
                played[bot] += 1
            registered = [bot for bot in self.bots if bot in chosen]
            # Seeds follow from the last word: another one would make other games of the same contest.
            pairings.append(Pairing(turned(registered, number - 1), "points", number, f"field/{number}"))
        return pairings

    def take(self, pairing: Pairing, result: Result) -> None:
        """Does nothing more: the standings follow from the sums alone."""

    def standings(self) -> Standings:
        tallies, breaks = self.sums.tallies, tie_breaks(self._options.tie_breaks)
        keys = broken_ties(self.sums, {bot: [tallies[bot].score] for bot in self.bots}, breaks)
        columns = {
            bot: {
                "score": own.score,
                "wins": own.wins,
                "best": own.best if own.best is not None else "",
                "mean": round(own.score / own.games, 1) if own.games else "",
                "games": own.games,
            }
            for bot, own in tallies.items()
        }
        return table(self.bots, keys, columns, ("score", *breaks))
