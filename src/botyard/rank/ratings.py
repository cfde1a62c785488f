"""Ratings follow bots from game to game, by openskill's Bradley–Terry model over full groups.

A rating consists of mu, the estimated strength, and sigma, how uncertain that is. Games are taken in contest order,
never in the order in which they happened to finish, so that the same contest always gives the same numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from openskill.models import BradleyTerryFull, BradleyTerryFullRating

from botyard.rank.results import Result

START_MU = 25.0
START_SIGMA = START_MU / 3


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


class Ratings:
    """The ratings of all bots of a contest, updated after each game."""

    def __init__(self, bots: Sequence[str]) -> None:
        self._order = {bot: at for at, bot in enumerate(bots)}
        self._model = BradleyTerryFull(mu=START_MU, sigma=START_SIGMA, beta=START_SIGMA / 2, kappa=0.0001)
        self._beliefs: dict[str, BradleyTerryFullRating] = {bot: self._model.rating() for bot in bots}
        self._games = dict.fromkeys(bots, 0)

    def add(self, result: Result) -> None:
        """Updates the ratings with a game. Void games and games of one bot say nothing about strength."""
        if result.void or len(result.bots) < 2:
            return
        # The bots go in a fixed order, because sums of floats depend on the order.
        bots = sorted(result.bots, key=lambda bot: self._order[bot])
        teams = self._model.rate([[self._beliefs[bot]] for bot in bots], ranks=[result.place(bot) for bot in bots])
        for bot, team in zip(bots, teams, strict=True):
            self._beliefs[bot] = team[0]
            self._games[bot] += 1

    def __getitem__(self, bot: str) -> Rating:
        belief = self._beliefs[bot]
        return Rating(belief.mu, belief.sigma, self._games[bot])


def rate(bots: Sequence[str], results: Iterable[Result]) -> dict[str, Rating]:
    """Returns the ratings of the bots after these games, taken in their order."""
    ratings = Ratings(bots)
    for result in results:
        ratings.add(result)
    return {bot: ratings[bot] for bot in bots}
