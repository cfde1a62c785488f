"""The store of a contest: where every game is recorded exactly once, and what a run, a report and a worker's leases
follow from.

`Store` is the contract. It speaks of one contest, whose identity is in everything it keeps; where that lies is its own
affair: in a file beside the contest file (`store_file`), or among other contests in a larger database (`sql_store`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, Self

from botyard.contest.messages import GameReport, Job, Sign
from botyard.contest.rows import GameRow, LeasedGame
from botyard.rank.formats import Pairing


@dataclass(frozen=True, slots=True)
class Counts:
    """How far a contest is."""

    asked: int
    leased: int
    done: int
    void: int
    faults: int

    @property
    def recorded(self) -> int:
        return self.done + self.void

    @property
    def all(self) -> int:
        return self.asked + self.leased + self.recorded


class HouseFault(NamedTuple):
    """A fault of ours that spoiled a game, which was then played again."""

    number: int  # of the game
    worker: str
    reason: str


class Store(Protocol):
    """The store of one contest. `hold` before anything is written."""

    @property
    def contest(self) -> str:
        """The contest's identity: no other contest of the same database has it."""
        ...

    @property
    def identity(self) -> Mapping[str, Any]:
        """What the contest was when it began, line by line."""
        ...

    def close(self) -> None: ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None:
        """Releases the store and closes it."""
        ...

    # Holding

    def hold(self) -> None:
        """Takes the store for this process, and what a former holder left; refused while that one lives."""
        ...

    def release(self) -> None: ...

    def beat(self) -> None:
        """Says that this process is still at work; often called, seldom written."""
        ...

    @property
    def holder(self) -> str:
        """Who is at work, as `machine/process`; nothing if nobody is."""
        ...

    # Games

    def ask(self, first: int, wave: Sequence[Pairing], seeds: Sequence[int]) -> None:
        """Enters a wave of games. One that is there already must be the same."""
        ...

    def waiting(self, first: int, count: int) -> list[Job]:
        """The games of a wave that are not recorded yet, in their order."""
        ...

    def lease(self, numbers: Sequence[int], worker: str) -> None: ...

    def note_progress(self, sign: Sign) -> None: ...

    def record(self, reports: Iterable[GameReport]) -> int:
        """Finished games, all of them or none; how many are new. What is recorded already stays as it is."""
        ...

    def fault(self, jobs: Iterable[Job], worker: str, reason: str, attempts: int) -> list[Job]:
        """Our own fault spoiled these games: they are to be played again; given up as void after so many attempts."""
        ...

    # Looking

    def counts(self) -> Counts: ...

    def rows(self, first: int = 1, last: int | None = None) -> Iterator[GameRow]:
        """Games in their order."""
        ...

    def lines(self) -> Iterator[tuple[Any, ...]]:
        """Every game as it is written: number, match, game, bots, seed, result, ticks, faults."""
        ...

    def row(self, number: int) -> GameRow: ...

    def replay(self, number: int) -> bytes | None: ...

    def turn_log(self, number: int) -> bytes | None: ...

    def faults(self) -> list[HouseFault]: ...

    def leased(self) -> list[LeasedGame]: ...
