"""In a gauntlet the first bot plays against each of the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from botyard.kernel.settings import setting
from botyard.rank.formats.bouts import SWAP_MEANING, SWAPS, bout_by_bout, bouts_of, games_of
from botyard.rank.formats.course import Changes, Course, Estimate, Format, Pairing
from botyard.rank.results import Result
from botyard.rank.standings import Standings, table


@dataclass(frozen=True, kw_only=True)
class Gauntlet(Format):
    NAME: ClassVar[str] = "gauntlet"
    SUMMARY: ClassVar[str] = "the first bot against each of the others"
    CHANGES: ClassVar[Changes] = Changes.OWN_GAMES

    bouts: int = setting(10, "bouts against each rival", at_least=1)
    swap: str = setting("same_seed", SWAP_MEANING, choices=SWAPS)

    def open(self, bots: Sequence[str]) -> GauntletCourse:
        return GauntletCourse(bots, self)

    def estimate(self, bots: int) -> Estimate:
        games = max(0, bots - 1) * games_of(self.bouts, self.swap, 2)
        return Estimate(games, games)

    @property
    def swaps(self) -> bool:
        return self.swap == "same_seed"


class GauntletCourse(Course):
    """A gauntlet under way. It ranks by the share of points won, because the first bot plays more games than others."""

    def __init__(self, bots: Sequence[str], options: Gauntlet) -> None:
        super().__init__(bots)
        self._options, self._asked = options, False

    def wave(self) -> list[Pairing]:
        if self._asked:
            return []
        self._asked = True
        first, options = self.bots[:1], self._options
        return bout_by_bout(
            (bouts_of((*first, rival), f"against {rival}", options.bouts, options.swap) for rival in self.bots[1:]),
            options.bouts,
        )

    def take(self, pairing: Pairing, result: Result) -> None:
        """Does nothing more: the standings follow from the sums in `field` alone."""

    def standings(self) -> Standings:
        tallies = self.sums.tallies
        shares = {bot: own.points / own.games if own.games else 0.0 for bot, own in tallies.items()}
        columns = {
            bot: {
                "share": round(shares[bot], 4),
                "points": own.points,
                "wins": own.wins,
                "draws": own.draws,
                "losses": own.losses,
                "games": own.games,
            }
            for bot, own in tallies.items()
        }
        verdict = "nobody took part"
        if self.bots:
            own = tallies[self.bots[0]]
            verdict = f"{self.called(self.bots[0])} took {own.points:g} of {own.games} points"
        return table(self.bots, {bot: (shares[bot],) for bot in self.bots}, columns, ("share of points",), verdict)
