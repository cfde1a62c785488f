"""This module holds what every format shares: the options an organiser may set, and the course of one contest.

A course is given the finished games in the order in which it asked for them, and nothing else. So the same results
always lead to the same next wave and the same standings, however often the work was interrupted.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar, NamedTuple

from botyard.kernel.errors import SettingsError
from botyard.kernel.settings import Settings
from botyard.rank.results import Result
from botyard.rank.standings import TIE_BREAKS, ResultSums, Standings


class Pairing(NamedTuple):
    """A game that is to be played: who sits where, in which match, and what its seed is made from."""

    bots: tuple[str, ...]  # in the order in which they are handed to the game
    match: str  # the name of its match, unique in the contest
    game: int  # its number within the match, from 1
    chance: str  # what the seed is derived from: games with the same text here have the same seed


class Changes(Enum):
    """What it costs if bots come, go or change after the first game."""

    OWN_GAMES = "own games"  # no game depends on another: only those of the bot itself are played anew
    NEXT_ROUND = "next round"  # what was played stays, and the change holds from the next round on
    ALL_GAMES = "all games"  # everybody meets, or a bracket stands: the whole contest is played anew


class Estimate(NamedTuple):
    """The fewest and the most games that a contest may take."""

    least: int
    most: int


class Course(ABC):
    """One contest under way: it asks for games in waves, takes their results and gives the standings."""

    def __init__(self, bots: Sequence[str]) -> None:
        self.bots = tuple(bots)
        self.present = self.bots  # those that play the next wave; others have left, or are yet to come
        self.sums = ResultSums(self.bots)
        self.names: Mapping[str, str] = {}  # what people call the bots, where that is another word

    def called(self, bot: str) -> str:
        return self.names.get(bot, bot)

    @abstractmethod
    def wave(self) -> list[Pairing]:
        """Returns the next games, after all earlier ones were added; none when the contest is over."""

    def add(self, pairing: Pairing, result: Result) -> None:
        """Takes the next finished game, in the order of the waves."""
        self.sums.add(result)
        self.take(pairing, result)

    @abstractmethod
    def take(self, pairing: Pairing, result: Result) -> None:
        """Counts a game in the way of this format; `field` has summed it up already."""

    @abstractmethod
    def standings(self) -> Standings: ...


@dataclass(frozen=True, kw_only=True)
class Format(Settings):
    """The options of a format. `LEAST` and `MOST` say how many bots it takes (0: any number)."""

    NAME: ClassVar[str] = ""
    SUMMARY: ClassVar[str] = ""
    LEAST: ClassVar[int] = 0
    MOST: ClassVar[int] = 0
    CHANGES: ClassVar[Changes] = Changes.ALL_GAMES

    @abstractmethod
    def open(self, bots: Sequence[str]) -> Course:
        """Starts a contest among these bots, which are listed in the order of registration."""

    @abstractmethod
    def estimate(self, bots: int) -> Estimate: ...

    def tables(self, bots: int) -> tuple[int, ...]:
        """Returns the numbers of bots that meet in one game; the game must be able to seat each of them."""
        return (2,)

    @property
    def swaps(self) -> bool:
        """Whether bots swap seats on the same seed. Then the game itself must not shuffle the seats."""
        return False


def read_names(key: str, text: str, known: Iterable[str]) -> tuple[str, ...]:
    """Returns the names in a text that separates them by commas; refuses names that are not known."""
    names = tuple(word.strip() for word in text.split(",") if word.strip())
    for name in names:
        if name not in known:
            raise SettingsError(key, got=text, hint=f"must be names separated by commas, out of {', '.join(known)}")
    return names


def tie_breaks(text: str) -> tuple[str, ...]:
    return read_names("tie_breaks", text, TIE_BREAKS)


def shuffled(items: Iterable[str], salt: str) -> list[str]:
    """Returns the items in an order that looks random but is always the same for the same salt."""
    return sorted(items, key=lambda item: hashlib.sha256(f"{salt}/{item}".encode()).digest())


def turned(bots: Sequence[str], by: int) -> tuple[str, ...]:
    """Returns the bots rotated, so that each sits `by` seats further to the front."""
    by %= max(1, len(bots))
    return (*bots[by:], *bots[:by])
