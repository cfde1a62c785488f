"""What a worker is told: plain values that travel to other processes and machines."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from botyard.jail.limits import Level, Limits
from botyard.links.cage_policy import CagePolicy


@dataclass(frozen=True, slots=True)
class CageOptions:
    """How programs are held."""

    level: str = ""  # caged, limited or open; nothing: caged
    memory_mb: int = 1024
    freeze: bool = False  # programs stand still between their turns
    toolchains: dict[str, str] = field(default_factory=dict)  # beside those the house finds: folders by name

    @property
    def policy(self) -> CagePolicy:
        level = Level(self.level) if self.level else None
        added = {name: Path(folder) for name, folder in self.toolchains.items()}
        return CagePolicy(level, Limits(memory_mb=self.memory_mb), self.freeze, added)


@dataclass(frozen=True, slots=True)
class Brief:
    """The contest as a worker sees it."""

    game: str
    settings: dict[str, Any]  # all of them, by name
    bots: dict[str, str]  # specifications by name
    folder: str  # where the bots' paths start
    cage: CageOptions
    replays: bool
    drill: int = 0  # a fire drill: every so many games one fails once by a fault of ours


@dataclass(frozen=True, slots=True)
class Job:
    """One game to play."""

    number: int  # its place in the contest, from 1
    bots: tuple[str, ...]  # in the order they come
    seed: int
    attempt: int = 1
    game: int = 1  # of its match, counted from 1


@dataclass(frozen=True, slots=True)
class GameReport:
    """What came of a job."""

    number: int
    result: str = ""  # in the notation of results; nothing after a fault of ours
    trouble: str = ""  # the fault
    ticks: int = 0
    verdicts: dict[str, dict[str, int]] | None = None  # by bot; None: house bots in a batch, all of them OK
    timing: dict[str, tuple[int, float, float]] | None = None  # by bot: questions, milliseconds in all, the longest
    replay: bytes | None = None
    note: dict[str, Any] | None = None  # what the original's files of the contest need


DRILL = "BOTYARD_FAULT_DRILL"
"""A fire drill, to see that it works: with N in this variable every N-th game fails once, and must be played again."""


def derive_seed(seed: int, chance: str) -> int:
    """The seed of a game, from the contest's seed and the game's place in it."""
    return int.from_bytes(hashlib.sha256(f"{seed}/{chance}".encode()).digest()[:8], "little")
