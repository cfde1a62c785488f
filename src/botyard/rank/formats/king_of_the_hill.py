"""In king of the hill each bot plays alone, then all play together, and the ranks of both parts are added."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, cast

from botyard.kernel.settings import setting
from botyard.rank.formats.course import Course, Estimate, Format, Pairing
from botyard.rank.formats.series import OWN_SEEDS, WASH_LIMIT, Series
from botyard.rank.results import Result
from botyard.rank.standings import RankMethod, Standings, rank, table

HILL = "hill"


@dataclass(frozen=True, kw_only=True)
class KingOfTheHill(Format):
    NAME: ClassVar[str] = "king_of_the_hill"
    SUMMARY: ClassVar[str] = "each bot alone, then all together; the two ranks are added"

    solo_games: int = setting(10, "games that each bot plays alone", at_least=1)
    best_of: int = setting(39, "the part with all bots is won by half as many wins, rounded up", at_least=1)
    bonus: int = setting(2500, "points for the winner of that part", at_least=0)
    match_bonus: bool = setting(True, "those points count")
    rank_method: str = setting(
        "competition", "ranks of equal scores; competition: 1 2 2 4, dense: 1 2 2 3", choices=("competition", "dense")
    )
    solo_replays: bool = setting(False, "a solo game without a single point is played again")
    rng_per_game: bool = setting(True, OWN_SEEDS)
    match_games_cap: int = setting(0, "that part stops after this many games; 0: no limit", at_least=0)
    wash_limit: int = setting(
        WASH_LIMIT, "that part ends after this many games in a row without a winner; 0: no limit", at_least=0
    )

    @property
    def wins(self) -> int:
        return (self.best_of + 1) // 2

    def open(self, bots: Sequence[str]) -> KingOfTheHillCourse:
        return KingOfTheHillCourse(bots, self)

    def estimate(self, bots: int) -> Estimate:
        if bots == 0:
            return Estimate(0, 0)
        alone, cap = bots * self.solo_games, self.match_games_cap
        least, most = self.wins, bots * (self.wins - 1) + 1
        return Estimate(alone + (min(least, cap) if cap else least), alone + (min(most, cap) if cap else most))

    def tables(self, bots: int) -> tuple[int, ...]:
        return (1, bots)


class KingOfTheHillCourse(Course):
    """King of the hill under way. All solo matches have the same seeds, game by game, so that no bot is luckier."""

    def __init__(self, bots: Sequence[str], options: KingOfTheHill) -> None:
        super().__init__(bots)
        self._options = options
        own = options.rng_per_game
        self.solo = {
            bot: Series((bot,), games=options.solo_games, again=options.solo_replays, own_seeds=own) for bot in bots
        }
        self.hill = Series(
            bots, wins=options.wins, cap=options.match_games_cap, wash_limit=options.wash_limit,
            bonus=options.bonus if options.match_bonus else 0, own_seeds=own,
        )  # fmt: skip

    def wave(self) -> list[Pairing]:
        alone = [game for bot, series in self.solo.items() for game in series.next_games(f"solo {bot}", chance="solo")]
        return [*alone, *self.hill.next_games(HILL)]

    def take(self, pairing: Pairing, result: Result) -> None:
        series = self.hill if pairing.match == HILL else self.solo[pairing.bots[0]]
        series.add(result)

    def standings(self) -> Standings:
        solo = {bot: series.sums[bot] for bot, series in self.solo.items()}
        return combine(self.bots, solo, self.hill.sums, self.hill.wins, cast(RankMethod, self._options.rank_method))


def combine(
    bots: Sequence[str], solo: dict[str, int], hill: dict[str, int], wins: dict[str, int], method: RankMethod
) -> Standings:
    """Ranks the bots by the sum of both ranks, then by their rank in the part with all bots (`hill`)."""
    solo_ranks = dict(zip(bots, rank([(solo[bot],) for bot in bots], method), strict=True))
    hill_ranks = dict(zip(bots, rank([(hill[bot],) for bot in bots], method), strict=True))
    keys = {bot: (-solo_ranks[bot] - hill_ranks[bot], -hill_ranks[bot], -solo_ranks[bot]) for bot in bots}
    columns = {
        bot: {
            "solo score": solo[bot],
            "solo rank": solo_ranks[bot],
            "hill score": hill[bot],
            "hill wins": wins[bot],
            "hill rank": hill_ranks[bot],
            "sum": solo_ranks[bot] + hill_ranks[bot],
        }
        for bot in bots
    }
    return table(bots, keys, columns, ("sum of ranks", "hill rank", "solo rank"))
