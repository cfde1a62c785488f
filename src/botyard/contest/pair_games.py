"""This module collects which games each pair of bots played, and how they ended for the first of the two."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from botyard.contest.rows import GameRow
from botyard.rank.results import Duel, Result

WON, DRAWN, LOST = ENDINGS = range(3)  # for one bot of a pair against the other
ENDING_WORDS = ("won", "drawn", "lost")
LISTED = 50  # games of a pair that a report lists; the others stand in pairs.csv
LISTED_IN_ALL = 10_000  # so many lines make a page of about two megabytes


@dataclass(frozen=True, slots=True)
class Meetings:
    """How often one bot won, drew and lost against another."""

    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    def __str__(self) -> str:
        return f"{self.wins}-{self.draws}-{self.losses}"


@dataclass(slots=True)
class PairGames:
    """The games of two bots, in their order: the number of each, and how it ended for the first of them."""

    bots: tuple[str, str]
    numbers: array[int] = field(default_factory=lambda: array("l"))
    endings: array[int] = field(default_factory=lambda: array("b"))

    @property
    def meetings(self) -> Meetings:
        return Meetings(*(self.endings.count(ending) for ending in ENDINGS))


@dataclass(frozen=True, slots=True)
class ListedGame:
    """A game that a report lists among those of a pair."""

    number: int
    match: str
    result: Result
    ticks: int  # 0 if it is not known


class PairTable:
    """Collects the games of all pairs."""

    def __init__(self, bots: Sequence[str]) -> None:
        self._at = {bot: at for at, bot in enumerate(bots)}
        self._pairs: dict[tuple[int, int], PairGames] = {}
        self._most = listed_of_pair(len(bots))
        self.listed: dict[int, ListedGame] = {}

    def add(self, row: GameRow, result: Result, duels: Sequence[Duel]) -> None:
        for one, other, decided in duels:
            i, j = self._at[one], self._at[other]
            ending = DRAWN if not decided else WON if i < j else LOST
            first, second = (one, other) if i < j else (other, one)
            key = (min(i, j), max(i, j))
            pair = self._pairs.get(key)
            if pair is None:
                pair = self._pairs[key] = PairGames((first, second))
            if len(pair.numbers) < self._most:
                self.listed[row.number] = ListedGame(row.number, row.pairing.match, result, row.ticks)
            pair.numbers.append(row.number)
            pair.endings.append(ending)

    @property
    def pairs(self) -> tuple[PairGames, ...]:
        """The pairs that met, in the order of registration."""
        return tuple(pair for _, pair in sorted(self._pairs.items()))


def listed_of_pair(bots: int) -> int:
    """Returns how many games of each pair a report lists: fewer, if there are very many pairs."""
    pairs = max(1, bots * (bots - 1) // 2)
    return max(1, min(LISTED, LISTED_IN_ALL // pairs))


def cross_of(bots: Sequence[str], pairs: Sequence[PairGames]) -> Mapping[str, Mapping[str, Meetings]]:
    """Returns the meetings of every bot with every rival that it met."""
    cross: dict[str, dict[str, Meetings]] = {bot: {} for bot in bots}
    for pair in pairs:
        (one, other), met = pair.bots, pair.meetings
        cross[one][other] = met
        cross[other][one] = Meetings(met.losses, met.draws, met.wins)
    return cross
