"""Messages to and from workers: plain values that can be sent to other processes and machines."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from botyard.contest.lost_turns import LostTurns
from botyard.jail.limits import Level, Limits
from botyard.links.cage_policy import CagePolicy
from botyard.match.jitter import Lateness

if TYPE_CHECKING:
    from botyard.contest.travelling import Travellers
    from botyard.contest.worker import Worker

ALL_TURNS, LOST_TURNS, NO_TURNS = TURN_LOGS = "all", "lost", "none"
"""Which turns of games with programs are kept: every one, those that were lost, or none."""


@dataclass(frozen=True, slots=True)
class CageOptions:
    """The options of a contest that say how its programs are held."""

    level: str = ""  # caged, limited or open; empty: caged
    memory_mb: int = 1024
    freeze: bool = False  # whether programs are stopped between their turns
    toolchains: dict[str, str] = field(default_factory=dict)  # added to those that Botyard finds: folders by name

    @property
    def policy(self) -> CagePolicy:
        level = Level(self.level) if self.level else None
        added = {name: Path(folder) for name, folder in self.toolchains.items()}
        return CagePolicy(level, Limits(memory_mb=self.memory_mb), self.freeze, added)


@dataclass(frozen=True, slots=True)
class Brief:
    """All that a worker must know of a contest to play its games."""

    contest: str  # its fingerprint, which also covers the content of the bots' files
    game: str
    settings: dict[str, Any]  # every setting, by name
    bots: dict[str, str]  # specifications by name
    folder: str  # what the bots' paths are relative to
    cage: CageOptions
    replays: bool
    turn_logs: str = NO_TURNS
    notes: bool = False  # whether turn logs keep the notes that bots print for the viewer
    drill: int = 0  # a fire drill: every N-th game fails once by a fault of ours; 0: none
    boards: bool = False  # whether signs of life carry the position, for a page that shows running games

    @property
    def fingerprint(self) -> str:
        """The key under which a worker keeps the prepared contest; different briefs have different ones."""
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Job:
    """One game to play."""

    number: int  # its place in the contest, from 1
    bots: tuple[str, ...]  # in the order in which they are handed to the game
    seed: int
    attempt: int = 1
    game: int = 1  # its number within its match, from 1


@dataclass(frozen=True, slots=True)
class Share:
    """Games of one contest that a worker is given at a time, with the brief of that contest."""

    brief: Brief
    jobs: tuple[Job, ...]
    travellers: Travellers | None = None  # for a worker that does not see the folder of the contest

    async def done_by(self, worker: Worker, progress: Callable[[Sign], None]) -> list[GameReport]:
        return await worker.play(self, progress)


@dataclass(frozen=True, slots=True)
class Sign:
    """A sign of life: a game goes on. If the game hangs later, the last sign shows what was last ordered."""

    number: int  # the number of the game
    ticks: int  # how many were played so far
    orders: dict[str, str] = field(default_factory=dict)  # of the last tick, by bot: the name of an order, or a verdict
    state: bytes = field(default=b"", repr=False)  # the position, if the brief asks for boards; the store keeps none
    played: tuple[tuple[int, ...], ...] = field(default=(), repr=False)  # with boards: orders of the ticks since the
    # last sign, by seat; nothing stands for a tick in which nobody was asked, such as a forfeit

    @property
    def progress(self) -> int:
        return self.ticks

    def __str__(self) -> str:
        orders = ", ".join(f"{bot}: {order}" for bot, order in self.orders.items())
        return f"game {self.number} after {self.ticks} ticks" + (f" ({orders})" if orders else "")


@dataclass(frozen=True, slots=True)
class GameReport:
    """What came of a job. There are no verdicts, times or cages of house bots that play in a batch."""

    number: int
    result: str = ""  # in the notation of results; empty after a fault of ours
    trouble: str = ""  # that fault
    ticks: int = 0
    verdicts: dict[str, dict[str, int]] | None = None  # by bot
    timing: dict[str, tuple[int, float, float]] | None = None  # by bot: questions, total and longest milliseconds
    cages: dict[str, tuple[str | None, float | None]] | None = None  # by bot: level of its cage, most memory in MB
    jitter: Lateness | None = None  # how late our own timer woke during the game
    replay: bytes | None = None
    turn_log: bytes | None = None  # the turns that the contest keeps, packed like the file beside a replay
    lost: dict[str, dict[str, LostTurns]] | None = None  # by bot and verdict: the turns that programs lost
    note: dict[str, Any] | None = None  # what the game's `contest` part noted for the original's files


DRILL = "BOTYARD_FAULT_DRILL"
"""A fire drill, to see that it works: with N in this variable every N-th game fails once, and must be played again."""
