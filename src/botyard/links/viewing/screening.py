"""What can be shown: a replay, a recording of an original program, or a match that is being played."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from botyard.kernel.errors import YardError
from botyard.links.viewing.packed import PackedFilm

if TYPE_CHECKING:
    from botyard.match.live_film import LiveFilm
    from botyard.match.loop import Played
    from botyard.match.replay import Replay
    from botyard.match.turns import TurnLog


class NothingToShow(YardError):
    """Somebody asks for a film, a seat or a report that there is not."""


@dataclass(frozen=True, slots=True)
class ListEntry:
    """What a list says of a film."""

    title: str
    names: tuple[str, ...]
    note: str = ""


class Screening(ABC):
    """One game on offer. Its methods block, and are called in threads."""

    @abstractmethod
    def label(self) -> ListEntry: ...

    @abstractmethod
    def film(self, seat: int | None) -> PackedFilm: ...

    forks = False  # whether it can be played on

    @property
    def growing(self) -> bool:
        """Whether the game is still being played."""
        return False

    def live(self, seat: int | None) -> LiveFilm:
        """The film of a game that is being played, as one of its seats may see it, or everybody."""
        raise NothingToShow("this game is not being played")

    def withheld(self, seat: int | None) -> str:
        """Why its film must not be seen yet; empty: it may be."""
        return ""

    def turn_sheet(self) -> dict[str, Any]:
        """What became of every turn."""
        raise NothingToShow("there is no turn log of this game", hint="`botyard play` writes one beside every replay")

    def replay(self) -> Replay:
        """The game to be played on from somewhere."""
        raise NothingToShow("this game cannot be played on", hint="only replays of `botyard play` can")


class ReplayScreening(Screening):
    """A replay, with the turn log that belongs to it if there is one."""

    forks = True

    def __init__(self, read: Callable[[], Replay], read_log: Callable[[Replay], TurnLog]) -> None:
        self._read, self._read_log = read, read_log
        self._replay: Replay | None = None

    @classmethod
    def of_file(cls, path: Path) -> Self:
        """Of a file that `botyard play` wrote; its log lies beside it."""

        def read() -> Replay:
            from botyard.match.replay import Replay

            return Replay.read(path)

        def read_log(replay: Replay) -> TurnLog:
            from botyard.match.report import log_of

            return log_of(path, replay)

        return cls(read, read_log)

    @classmethod
    def of_game(cls, played: Played) -> Self:
        """Of a game that was played just now."""
        return cls(lambda: played.replay, lambda replay: played.log)

    def replay(self) -> Replay:
        self._replay = self._replay or self._read()
        return self._replay

    def label(self) -> ListEntry:
        from botyard.games import load

        replay = self.replay()
        return ListEntry(load(replay.game).facts.title, replay.names, result_of(replay))

    def film(self, seat: int | None) -> PackedFilm:
        from botyard.match.filming import film_of

        return PackedFilm(film_of(self.replay(), checked_seat(seat, len(self.replay().names))))

    def turn_sheet(self) -> dict[str, Any]:
        from botyard.match.turn_sheet import turn_sheet
        from botyard.match.turns import NoTurns

        try:
            log: TurnLog | None = self._read_log(self.replay())
        except NoTurns:
            log = None
        return turn_sheet(self.replay(), log)


def checked_seat(seat: int | None, seats: int) -> int | None:
    if seat is not None and not 0 <= seat < seats:
        raise NothingToShow(f"there is no seat {seat}", hint=f"seats go from 0 to {seats - 1}")
    return seat


def result_of(replay: Replay) -> str:
    if replay.outcome is None:
        return "no result"
    winner = replay.outcome.winner
    return "draw" if winner is None else f"{replay.names[winner]} won"
