"""Ratings follow bots from game to game, by openskill's Bradley–Terry model over full groups.

A rating consists of mu, the estimated strength, and sigma, how uncertain that is. Games are taken in the order in which
they were asked for or recorded, never in the order in which they happened to finish, so that the same contest always
gives the same numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from openskill.models import BradleyTerryFull

from botyard.rank.results import Result

START_MU: Final = 25.0
START_SIGMA: Final = START_MU / 3
BETA: Final = START_SIGMA / 2  # how much chance there is in a game, in points of mu

MODEL: Final = BradleyTerryFull(mu=START_MU, sigma=START_SIGMA, beta=BETA, kappa=0.0001)


@dataclass(frozen=True, slots=True)
class Rating:
    """The estimate of one bot's strength."""

    mu: float = START_MU
    sigma: float = START_SIGMA
    games: int = 0

    @property
    def sure(self) -> float:
        """The strength that the bot almost certainly has at least; rated tables are sorted by it."""
        return self.mu - 3 * self.sigma


def rated(before: Mapping[str, Rating], result: Result) -> dict[str, Rating]:
    """Returns the ratings of these bots after one more game among some of them.

    Void games and games of one bot say nothing about strength. Sums of floats depend on their order: the bots go in the
    order of `before`, which should therefore always be the same.
    """
    after = dict(before)
    if result.void or len(result.bots) < 2:
        return after
    order = {bot: at for at, bot in enumerate(before)}
    bots = sorted(result.bots, key=lambda bot: order[bot])
    teams = [[MODEL.rating(before[bot].mu, before[bot].sigma)] for bot in bots]
    for bot, (belief,) in zip(bots, MODEL.rate(teams, ranks=[result.place(bot) for bot in bots]), strict=True):
        after[bot] = Rating(belief.mu, belief.sigma, before[bot].games + 1)
    return after


class Ratings:
    """The ratings of all bots of a contest, updated after each game."""

    def __init__(self, bots: Sequence[str]) -> None:
        self._order = {bot: at for at, bot in enumerate(bots)}
        self._ratings = dict.fromkeys(bots, Rating())

    def add(self, result: Result) -> None:
        """Updates the ratings with a game."""
        bots = sorted(result.bots, key=lambda bot: self._order[bot])
        self._ratings |= rated({bot: self._ratings[bot] for bot in bots}, result)

    def __getitem__(self, bot: str) -> Rating:
        return self._ratings[bot]


def rate(bots: Sequence[str], results: Iterable[Result]) -> dict[str, Rating]:
    """Returns the ratings of the bots after these games, taken in their order."""
    ratings = Ratings(bots)
    for result in results:
        ratings.add(result)
    return {bot: ratings[bot] for bot in bots}
