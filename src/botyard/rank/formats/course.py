"""What every format shares: options an organiser may set, and the course of one contest.

A course is fed the finished games in the order in which it asked for them, and nothing else; so whoever feeds it the
same results gets the same next wave and the same standings, however often the work was interrupted.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from botyard.kernel.errors import SettingsError
from botyard.kernel.settings import Settings
from botyard.rank.results import Result
from botyard.rank.standings import TIE_BREAKS, ResultSums, Standings


class Pairing(NamedTuple):
    """A game that is to be played: who sits where, in which match, and what its seed is made from."""

    bots: tuple[str, ...]  # in the order they come to the table
    match: str  # a name of the match, unique in the contest
    game: int  # its number within the match, from 1
    chance: str  # games with the same word have the same seed


class Estimate(NamedTuple):
    """How many games a contest takes."""

    least: int
    most: int


class Course(ABC):
    """One contest under way."""

    def __init__(self, bots: Sequence[str]) -> None:
        self.bots = tuple(bots)
        self.field = ResultSums(self.bots)

    @abstractmethod
    def wave(self) -> list[Pairing]:
        """The next games, once all earlier ones were added; none when the contest is over."""

    def add(self, pairing: Pairing, result: Result) -> None:
        """The next finished game, in the order of the waves."""
        self.field.add(result)
        self.take(pairing, result)

    @abstractmethod
    def take(self, pairing: Pairing, result: Result) -> None:
        """What this format makes of a game."""

    @abstractmethod
    def standings(self) -> Standings: ...


@dataclass(frozen=True, kw_only=True)
class Format(Settings):
    """The options of a format. `least` and `most` say how many bots it takes (0: any number)."""

    NAME: ClassVar[str] = ""
    SUMMARY: ClassVar[str] = ""
    LEAST: ClassVar[int] = 0
    MOST: ClassVar[int] = 0

    @abstractmethod
    def open(self, bots: Sequence[str]) -> Course:
        """The course of a contest among these bots, in the order they registered."""

    @abstractmethod
    def estimate(self, bots: int) -> Estimate: ...

    def tables(self, bots: int) -> tuple[int, ...]:
        """The numbers of bots that meet in one game; a game must be able to seat them."""
        return (2,)

    @property
    def swaps(self) -> bool:
        """Whether seats are swapped on the same seed: then nothing but the order of the bots may decide the seats."""
        return False


def read_names(key: str, text: str, known: Iterable[str]) -> tuple[str, ...]:
    """Names between commas."""
    names = tuple(word.strip() for word in text.split(",") if word.strip())
    for name in names:
        if name not in known:
            raise SettingsError(key, got=text, hint=f"names between commas, of: {', '.join(known)}")
    return names


def tie_breaks(text: str) -> tuple[str, ...]:
    return read_names("tie_breaks", text, TIE_BREAKS)


def shuffled(items: Iterable[str], salt: str) -> list[str]:
    """In an order that looks random and is always the same for a salt."""
    return sorted(items, key=lambda item: hashlib.sha256(f"{salt}/{item}".encode()).digest())


def turned(bots: Sequence[str], by: int) -> tuple[str, ...]:
    """The same bots, each some seats further."""
    by %= max(1, len(bots))
    return (*bots[by:], *bots[:by])
