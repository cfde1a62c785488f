"""In rated waves bots meet rivals of about the same rating. Those that have played least are paired first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from botyard.kernel.settings import setting
from botyard.rank.formats.course import Changes, Course, Estimate, Format, Pairing
from botyard.rank.ratings import Ratings
from botyard.rank.results import Result
from botyard.rank.standings import Standings, table

AGAIN = 2.0  # each earlier meeting makes a rival look this many rating points further away


@dataclass(frozen=True, kw_only=True)
class RatedWaves(Format):
    NAME: ClassVar[str] = "rated_waves"
    SUMMARY: ClassVar[str] = "rated games between bots of similar strength; each bot plays about equally often"
    CHANGES: ClassVar[Changes] = Changes.NEXT_ROUND

    waves: int = setting(30, "number of waves; each bot plays about once in each", at_least=1)
    seats: int = setting(2, "bots in a game", at_least=2)

    def open(self, bots: Sequence[str]) -> RatedWavesCourse:
        return RatedWavesCourse(bots, self)

    def at_table(self, bots: int) -> int:
        return min(self.seats, bots)

    def estimate(self, bots: int) -> Estimate:
        games = self.waves * (bots // self.at_table(bots)) if bots > 1 else 0
        return Estimate(games, games)

    def tables(self, bots: int) -> tuple[int, ...]:
        return (self.at_table(bots),)


class RatedWavesCourse(Course):
    def __init__(self, bots: Sequence[str], options: RatedWaves) -> None:
        super().__init__(bots)
        self._options = options
        self.ratings = Ratings(bots)
        self._wave = 0
        self._seated = dict.fromkeys(bots, 0)  # games each bot was given; void ones count too, so that shares stay fair
        self._first = dict.fromkeys(bots, 0)

    def wave(self) -> list[Pairing]:
        seats = self._options.at_table(len(self.present))
        if self._wave >= self._options.waves or len(self.present) < 2:
            return []
        self._wave += 1
        waiting = sorted(self.present, key=lambda bot: self._seated[bot])
        waiting = waiting[: len(waiting) // seats * seats]  # the bots that have played most sit out
        games: list[Pairing] = []
        while waiting:
            host = min(waiting, key=lambda bot: (self._seated[bot], -self.ratings[bot].sigma))
            waiting.remove(host)
            rivals = sorted(waiting, key=lambda bot: self._distance(host, bot))[: seats - 1]
            for rival in rivals:
                waiting.remove(rival)
            games.append(self._seat([host, *rivals], len(games) + 1))
        return games

    def _distance(self, host: str, rival: str) -> float:
        apart = abs(self.ratings[host].mu - self.ratings[rival].mu)
        return apart + AGAIN * self.sums.met.get((host, rival), 0)

    def _seat(self, bots: list[str], number: int) -> Pairing:
        seated = sorted(bots, key=lambda bot: (self._first[bot], self.bots.index(bot)))
        self._first[seated[0]] += 1
        for bot in bots:
            self._seated[bot] += 1
        return Pairing(tuple(seated), f"wave {self._wave}", number, f"wave {self._wave}/{number}")

    def take(self, pairing: Pairing, result: Result) -> None:
        self.ratings.add(result)

    def standings(self) -> Standings:
        columns = {}
        for bot in self.bots:
            rating, own = self.ratings[bot], self.sums.tallies[bot]
            belief = {"rating": round(rating.sure, 2), "mu": round(rating.mu, 2), "sigma": round(rating.sigma, 2)}
            columns[bot] = {**belief, "wins": own.wins, "draws": own.draws, "losses": own.losses, "games": own.games}
        keys = {bot: (self.ratings[bot].sure,) for bot in self.bots}
        return table(self.bots, keys, columns, ("rating: mu - 3 sigma",))
