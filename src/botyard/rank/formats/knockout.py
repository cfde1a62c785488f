"""In a knockout bots are seeded into a bracket, and a bot that loses a match is out. The best seeds get the byes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from botyard.kernel.settings import setting
from botyard.rank.formats.course import Course, Estimate, Format, Pairing
from botyard.rank.formats.series import Series
from botyard.rank.results import Result
from botyard.rank.standings import Standings, table

WASHES = 20


@dataclass(frozen=True, kw_only=True)
class Knockout(Format):
    NAME: ClassVar[str] = "knockout"
    SUMMARY: ClassVar[str] = "a seeded bracket, in which the loser of a match is out"

    wins: int = setting(2, "wins that decide a match; games without a winner are played again", at_least=1)
    wash_limit: int = setting(
        WASHES, "after this many games in a row without a winner, points decide, then the better seed", at_least=1
    )
    third_place: bool = setting(False, "the losers of the semi-finals play for third place")

    def open(self, bots: Sequence[str]) -> KnockoutCourse:
        return KnockoutCourse(bots, self)

    def estimate(self, bots: int) -> Estimate:
        matches = max(0, bots - 1) + (self.third_place and bots >= 4)
        return Estimate(matches * self.wins, matches * (2 * self.wins - 1))


def bracket(size: int) -> list[int]:
    """Returns the seeds in the order of the bracket, so that strong ones meet late: 1 4 2 3, or 1 8 4 5 2 7 3 6."""
    order = [1]
    while len(order) < size:
        order = [seed for one in order for seed in (one, 2 * len(order) + 1 - one)]
    return order


class KnockoutCourse(Course):
    """A knockout under way. Bots are seeded in the order of registration; all matches of a round are played at once."""

    def __init__(self, bots: Sequence[str], options: Knockout) -> None:
        super().__init__(bots)
        self._options = options
        self._seed = {bot: at for at, bot in enumerate(bots)}
        size = 1
        while size < len(bots):
            size *= 2
        self._alive: list[str | None] = [bots[seed - 1] if seed <= len(bots) else None for seed in bracket(size)]
        self._matches: dict[str, Series] = {}
        self._round = 0
        self._losers: list[str] = []  # the bots that lost in the last round
        self.reached = dict.fromkeys(bots, 0)  # the last round that each bot won or had a bye in
        self._third: str | None = None

    def wave(self) -> list[Pairing]:
        while not (games := self._running()):
            if self._matches:
                self._close_round()
            if len(self._alive) < 2:
                return []
            self._open_round()
        return games

    def _running(self) -> list[Pairing]:
        return [game for name, match in self._matches.items() for game in match.next_games(name, rotate=True)]

    def _open_round(self) -> None:
        self._round += 1
        final = len(self._alive) == 2
        for number, (one, other) in enumerate(zip(self._alive[::2], self._alive[1::2], strict=True), 1):
            if one is not None and other is not None:
                name = "final" if final else f"round {self._round} match {number}"
                self._matches[name] = self._match(one, other)
        if final and self._options.third_place and len(self._losers) == 2:
            self._matches["third place"] = self._match(*self._losers)

    def _match(self, one: str, other: str) -> Series:
        seeded = sorted((one, other), key=lambda bot: self._seed[bot])
        return Series(seeded, wins=self._options.wins, wash_limit=self._options.wash_limit)

    def _close_round(self) -> None:
        """Ends a round: the winners and the bots that had a bye stay in the bracket, the losers leave it."""
        third = self._matches.pop("third place", None)
        if third is not None:
            self._third = self._survivor(third)
        beaten = {bot for match in self._matches.values() for bot in match.bots if bot != self._survivor(match)}
        pairs = zip(self._alive[::2], self._alive[1::2], strict=True)
        self._alive = [next((bot for bot in pair if bot is not None and bot not in beaten), None) for pair in pairs]
        for bot in self._alive:
            if bot is not None:
                self.reached[bot] = self._round
        self._losers = sorted(beaten, key=lambda bot: self._seed[bot])
        self._matches = {}

    def _survivor(self, match: Series) -> str:
        """Returns the bot that goes on. If a match was stopped without a winner, that is the bot with more wins, then
        the one with more points, then the better seed."""
        return match.winner or max(match.bots, key=lambda bot: (match.wins[bot], match.scores[bot], -self._seed[bot]))

    def take(self, pairing: Pairing, result: Result) -> None:
        self._matches[pairing.match].add(result)

    def standings(self) -> Standings:
        keys = {bot: (self.reached[bot], bot == self._third) for bot in self.bots}
        tallies = self.sums.tallies
        columns = {
            bot: {"rounds survived": self.reached[bot], "wins": own.wins, "losses": own.losses, "games": own.games}
            for bot, own in tallies.items()
        }
        criteria = ("rounds survived", "third place") if self._options.third_place else ("rounds survived",)
        return table(self.bots, keys, columns, criteria)
