"""This module finds the games that are worth watching: the closest, the upsets, the longest, and each bot's best and
worst. It sees one game at a time and keeps a few of them, so that memory does not grow with their number."""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from botyard.rank.results import Duel, Result
from botyard.rank.strengths import Strength

Kind = Literal["closest", "upset", "longest", "best", "worst"]
MOST = 3  # games of each kind
UPSET_ELO = 50  # of two bots that are closer than this, either may win: the weaker one wins three games in seven

NONE_NOTABLE = "No game was closer, longer or more of a surprise than the others."


@dataclass(frozen=True, slots=True)
class NotableGame:
    """A game that is worth watching, and why."""

    kind: Kind
    number: int
    ahead: str  # a bot that came out ahead
    behind: str  # of this one
    figure: float  # of the closest: points between them; of an upset: Elo points between them; of the longest: ticks

    def why(self, names: Mapping[str, str]) -> str:
        """Returns what makes the game worth watching, with the names that people call the bots."""
        ahead, behind = (names.get(bot, bot) for bot in (self.ahead, self.behind))
        if self.kind == "closest":
            return f"{ahead} was ahead of {behind} by {self.figure:g} point{'s' * (self.figure != 1)}"
        if self.kind == "upset":
            return f"{ahead} beat {behind}, which is {self.figure:.0f} Elo points stronger"
        if self.kind == "longest":
            return f"{self.figure:.0f} ticks"
        if self.kind == "best":
            return f"it beat {behind}, the strongest rival that it ever beat"
        return f"it lost to {ahead}, the weakest rival that it ever lost to"


@dataclass(slots=True)
class Extremes:
    """The games with the greatest keys; of equal ones the earlier."""

    kept: list[tuple[tuple[float, ...], int, str, str]] = field(default_factory=list)
    keys: set[float] = field(default_factory=set)  # at most two different ones: whether they differ at all

    def add(self, key: tuple[float, ...], number: int, ahead: str, behind: str) -> None:
        if len(self.keys) < 2:
            self.keys.add(key[0])
        entry = (key, -number, ahead, behind)
        if len(self.kept) < MOST:
            heapq.heappush(self.kept, entry)
        else:
            heapq.heappushpop(self.kept, entry)

    def games(self, kind: Kind) -> list[NotableGame]:
        """Returns the games, the most extreme first; none if all games were alike."""
        if len(self.keys) < 2:
            return []
        return [
            NotableGame(kind, -number, ahead, behind, abs(key[0]))
            for key, number, ahead, behind in sorted(self.kept, reverse=True)
        ]


class NotableGames:
    """Collects what is worth watching among the games of these bots. Forfeits are not: somebody did not play."""

    def __init__(self, bots: Sequence[str]) -> None:
        self._bots, self._at = list(bots), {bot: at for at, bot in enumerate(bots)}
        self._closest, self._longest = Extremes(), Extremes()
        # Of the games in which the row's bot was ahead of the column's, the clearest: its number and its margin.
        self._number = np.zeros((len(bots), len(bots)), np.int64)
        self._margin = np.zeros((len(bots), len(bots)))

    def add(self, number: int, result: Result, duels: Sequence[Duel], ticks: int) -> None:
        if result.void or result.forfeits:
            return
        bots = result.bots
        if ticks and len(bots) > 1:
            self._longest.add((ticks,), number, bots[0], bots[1])
        scores = dict(result.scores)
        if scores and result.winner:
            second = max(result.groups[1], key=lambda bot: scores[bot])
            margin = scores[bots[0]] - scores[second]
            if margin > 0:  # else it was not the points that decided
                self._closest.add((-margin, sum(scores.values())), number, bots[0], second)
        for one, other, decided in duels:
            if decided:
                i, j = self._at[one], self._at[other]
                margin = scores.get(one, 0) - scores.get(other, 0)
                if not self._number[i, j] or margin > self._margin[i, j]:
                    self._number[i, j], self._margin[i, j] = number, margin

    def of_contest(self, strengths: Mapping[str, Strength]) -> tuple[NotableGame, ...]:
        """Returns the closest games, the upsets and the longest games."""
        upsets: list[NotableGame] = []
        for i, j in np.argwhere(self._number):
            ahead, behind = self._bots[i], self._bots[j]
            gap = strengths[behind].elo - strengths[ahead].elo
            if gap >= UPSET_ELO:
                upsets.append(NotableGame("upset", int(self._number[i, j]), ahead, behind, round(gap, 1)))
        upsets.sort(key=lambda game: (-game.figure, game.number))
        return (*self._closest.games("closest"), *upsets[:MOST], *self._longest.games("longest"))

    def of_bot(self, bot: str, strengths: Mapping[str, Strength]) -> tuple[NotableGame, ...]:
        """Returns a bot's clearest win over the strongest rival that it beat, and its clearest loss to the weakest."""
        at, notable = self._at[bot], []
        elo = [strengths[rival].elo for rival in self._bots]
        if beaten := np.flatnonzero(self._number[at]).tolist():
            rival = max(beaten, key=lambda rival: elo[rival])
            notable.append(NotableGame("best", int(self._number[at, rival]), bot, self._bots[rival], elo[rival]))
        if better := np.flatnonzero(self._number[:, at]).tolist():
            rival = min(better, key=lambda rival: elo[rival])
            notable.append(NotableGame("worst", int(self._number[rival, at]), self._bots[rival], bot, elo[rival]))
        return tuple(notable)
