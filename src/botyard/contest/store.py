"""The store of a contest records every game exactly once. Runs, reports and the leases of workers follow from it.

`Store` is the contract, which is about one contest. Its content lies in a file beside the contest file (`store_file`),
or among other contests in a larger database (`sql_store`). What is read of a contest is a contract of its own, because
a yard records games by tasks of many kinds and leases them in another way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, Self

from botyard.contest.amendment import Amendment
from botyard.contest.identity import Identity
from botyard.contest.messages import GameReport, Job, Sign
from botyard.contest.rows import GameRow, LeasedGame
from botyard.rank.formats import Pairing


@dataclass(frozen=True, slots=True)
class Counts:
    """The number of games in each state."""

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
    """A fault of ours that spoiled a game, so that it had to be played again."""

    number: int  # the number of the game
    worker: str
    reason: str


class PlayedGames(Protocol):
    """What was played of a contest, wherever it lies: courses, standings and reports follow from it alone."""

    @property
    def root(self) -> bytes:
        """The root that all seeds of the contest follow from."""
        ...

    def counts(self) -> Counts: ...

    def rows(self, first: int = 1, last: int | None = None) -> Iterator[GameRow]:
        """Yields games in their order."""
        ...

    def lines(self) -> Iterator[tuple[Any, ...]]:
        """Yields the columns of every game as stored: number, match, game, bots, seed, result, ticks, faults."""
        ...

    def row(self, number: int) -> GameRow: ...

    def replay(self, number: int) -> bytes | None: ...

    def turn_log(self, number: int) -> bytes | None: ...

    def faults(self) -> list[HouseFault]: ...


class Store(PlayedGames, Protocol):
    """The store of one contest that is run by one process. Call `hold` before anything is written."""

    @property
    def contest(self) -> str:
        """The contest's name, which no other contest of the same database has."""
        ...

    @property
    def identity(self) -> Identity:
        """What the contest was when it began, or was last amended."""
        ...

    @property
    def plan_values(self) -> Any:
        """The plan by which the contest was last played, as plain values."""
        ...

    def close(self) -> None: ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None:
        """Releases the store and closes it."""
        ...

    # Holding

    def hold(self) -> None:
        """Takes the store, and the leases of a former holder, for this process; refused while that holder lives."""
        ...

    def release(self) -> None: ...

    def beat(self) -> None:
        """Notes that this process is still at work. It may be called often."""
        ...

    @property
    def holder(self) -> str:
        """The run at work, as `machine/process`; empty if there is none."""
        ...

    # Games

    def amend(self, amendment: Amendment, plan: Mapping[str, Any]) -> None:
        """Keeps the games that stay, under their new numbers, and notes what the contest is now: all or nothing."""
        ...

    def restate(self, plan: Mapping[str, Any]) -> None:
        """Notes a plan by which the same games are played, and shown otherwise: by a new title, for one."""
        ...

    def ask(self, first: int, wave: Sequence[Pairing], seeds: Sequence[int]) -> None:
        """Adds a wave of games. A game that is there already must be the same."""
        ...

    def waiting(self, first: int, count: int) -> list[Job]:
        """Returns the games of a wave that are not recorded yet, in their order."""
        ...

    def lease(self, numbers: Sequence[int], worker: str) -> None: ...

    def note_progress(self, sign: Sign) -> None: ...

    def record(self, reports: Iterable[GameReport]) -> int:
        """Records all of these finished games or none, and returns how many are new; recorded ones stay as they are."""
        ...

    def fault(self, jobs: Iterable[Job], worker: str, reason: str, attempts: int) -> list[Job]:
        """Notes a fault of ours that spoiled these games. Returns those to play again; the others are void for good."""
        ...

    def leased(self) -> list[LeasedGame]: ...
