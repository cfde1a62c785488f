"""What goes to a worker and comes back: plain values that travel to other processes and machines."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from botyard.jail.limits import Level, Limits
from botyard.links.cage_policy import CagePolicy
from botyard.match.jitter import Lateness

ALL_TURNS, LOST_TURNS, NO_TURNS = TURN_LOGS = "all", "lost", "none"
"""Which turns of games with programs are kept: every one, those that were lost, or none."""


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
    """What a worker has to know of a contest to play its games."""

    contest: str  # its fingerprint, which also tells one content of a bot's files from another
    game: str
    settings: dict[str, Any]  # all of them, by name
    bots: dict[str, str]  # specifications by name
    folder: str  # where the bots' paths start
    cage: CageOptions
    replays: bool
    turn_logs: str = NO_TURNS
    drill: int = 0  # a fire drill: every so many games one fails once by a fault of ours

    @property
    def fingerprint(self) -> str:
        """Under which a worker keeps what it has made ready: another brief has another one."""
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Job:
    """One game to play."""

    number: int  # its place in the contest, from 1
    bots: tuple[str, ...]  # in the order they come
    seed: int
    attempt: int = 1
    game: int = 1  # of its match, counted from 1


@dataclass(frozen=True, slots=True)
class Share:
    """The games of one contest that a worker is given at a time, with all that it has to know to play them."""

    brief: Brief
    jobs: tuple[Job, ...]


@dataclass(frozen=True, slots=True)
class Sign:
    """A sign of life: a game goes on. Of a game that then hangs it tells what was last ordered."""

    number: int  # of the game
    ticks: int  # played so far
    orders: dict[str, str] = field(default_factory=dict)  # in the last tick, by bot: an order's name, or a verdict

    def __str__(self) -> str:
        orders = ", ".join(f"{bot}: {order}" for bot, order in self.orders.items())
        return f"game {self.number} after {self.ticks} ticks" + (f" ({orders})" if orders else "")


@dataclass(frozen=True, slots=True)
class GameReport:
    """What came of a job. House bots that play in a batch have no verdicts, times or cages: they are always OK."""

    number: int
    result: str = ""  # in the notation of results; nothing after a fault of ours
    trouble: str = ""  # the fault
    ticks: int = 0
    verdicts: dict[str, dict[str, int]] | None = None  # by bot
    timing: dict[str, tuple[int, float, float]] | None = None  # by bot: questions, milliseconds in all, the longest
    housing: dict[str, tuple[str | None, float | None]] | None = None  # by bot: level of its cage, most memory in MB
    jitter: Lateness | None = None  # how late our own timer woke meanwhile
    replay: bytes | None = None
    turn_log: bytes | None = None  # as far as the contest keeps it; packed as the file beside a replay
    note: dict[str, Any] | None = None  # what the original's files of the contest need


DRILL = "BOTYARD_FAULT_DRILL"
"""A fire drill, to see that it works: with N in this variable every N-th game fails once, and must be played again."""


def derive_seed(seed: int, chance: str) -> int:
    """The seed of a game, from the contest's seed and the game's place in it."""
    return int.from_bytes(hashlib.sha256(f"{seed}/{chance}".encode()).digest()[:8], "little")
