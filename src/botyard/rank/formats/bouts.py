"""This module makes and counts matches of a fixed number of bouts, and says who sits where in each of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from botyard.rank.formats.course import Pairing, turned
from botyard.rank.results import Result, points_of

SWAPS = ("none", "alternate", "same_seed")
SWAP_MEANING = (
    "none: seats as registered; alternate: they turn from bout to bout; same_seed: every bout is played once for each "
    "turn of the seats, on one seed"
)


def bouts_of(bots: Sequence[str], match: str, bouts: int, swap: str) -> list[Pairing]:
    """Returns all games of a match, with the seats swapped as `swap` says."""
    turns = len(bots) if swap == "same_seed" else 1
    games: list[Pairing] = []
    for bout in range(bouts):
        for turn in range(turns):
            seats = turned(bots, bout if swap == "alternate" else turn)
            games.append(Pairing(seats, match, len(games) + 1, f"{match}/{bout + 1}"))
    return games


def bout_by_bout(matches: Iterable[Sequence[Pairing]], bouts: int) -> list[Pairing]:
    """Returns the games of several matches: the first bout of each, then the second one of each, and so on."""
    every = list(matches)
    return [game for bout in range(bouts) for games in every for game in one_bout(games, bout, bouts)]


def one_bout(games: Sequence[Pairing], bout: int, bouts: int) -> Sequence[Pairing]:
    size = len(games) // bouts  # more than one if the seats are swapped on the same seed
    return games[bout * size : (bout + 1) * size]


def games_of(bouts: int, swap: str, seats: int) -> int:
    """Returns how many games a match has."""
    return bouts * (seats if swap == "same_seed" else 1)


class Bouts:
    """A match of two or more bots while it is played: it counts the bouts and points that each bot has won."""

    def __init__(self, bots: Sequence[str]) -> None:
        self.bots = tuple(bots)
        self.wins = dict.fromkeys(bots, 0)
        self.points = dict.fromkeys(bots, 0.0)
        self.played = False  # whether any game of the match has counted

    def add(self, result: Result) -> None:
        if result.void:
            return
        self.played = True
        if result.winner is not None:
            self.wins[result.winner] += 1
        for bot, points in points_of(result).items():
            self.points[bot] += points

    @property
    def winner(self) -> str | None:
        """The bot that won more bouts than any other, or None."""
        most = max(self.wins.values())
        ahead = [bot for bot, wins in self.wins.items() if wins == most]
        return ahead[0] if len(ahead) == 1 else None
