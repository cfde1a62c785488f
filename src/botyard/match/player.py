"""Players: whatever fills a seat, as the match loop sees it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from botyard.games.view import View
from botyard.kernel.outcome import Outcome
from botyard.kernel.verdict import Fault, Verdict
from botyard.match.board_notes import TurnNotes

OPEN = "open"
"""The cage level of a bot that nothing holds: a function inside this process, or a program that was let run free."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of one question: an order or a fault, and everything its author may want to know."""

    result: int | Fault
    ms: float = 0.0
    limit_ms: int = 0
    sent: bytes = b""
    received: bytes = b""
    early: bytes = b""  # sent before the question, and dropped
    said: str = ""  # standard output and error of that turn
    next_ms: int | None = None  # the limit of the next answer, where a time bank makes it change
    notes: TurnNotes | None = None  # for the viewer, taken out of what was printed
    hang_ms: int = 0  # how long the original stands still after an answer that ends the game

    @property
    def ends(self) -> bool:
        """Whether the original has no result after this answer."""
        return isinstance(self.result, Fault) and self.result.ends

    @property
    def verdict(self) -> Verdict:
        return self.result.verdict if isinstance(self.result, Fault) else Verdict.OK

    @property
    def reason(self) -> str:
        return self.result.reason if isinstance(self.result, Fault) else ""


class Player(ABC):
    """One bot for one game. `stop` is always called, also after a failed start, and leaves nothing behind.

    Only `ask` has to be written; what is not overridden holds for a bot that runs inside this process.
    """

    name: str

    @property
    def level(self) -> str:
        """The level of its cage; nothing if it is not ours to run. Read when the game is over."""
        return OPEN

    @property
    def peak_mb(self) -> float:
        """The most memory it ever used, 0 if nobody measured it. Read when the game is over."""
        return 0.0

    async def start(self) -> Fault | None:
        """Gets ready: connects, introduces itself. Why it is not there, if it is not."""
        return None

    async def tell(self, view: View) -> None:
        """Hears, where seats are asked in turn, what there is before the first seat is asked."""

    @abstractmethod
    async def ask(self, view: View) -> Answer: ...

    async def finish(self, outcome: Outcome | None) -> None:
        """The closing words of the protocol."""

    def said(self) -> str:
        """Takes what its program printed and nobody has taken yet."""
        return ""

    def notes(self) -> TurnNotes | None:
        """Takes the notes among it."""
        return None

    async def stop(self) -> None:
        """Leaves nothing running."""


class Unseated(Player):
    """A bot that could not even be seated: it never comes, and this is why."""

    level = ""

    def __init__(self, name: str, fault: Fault) -> None:
        self.name, self._fault = name, fault

    async def start(self) -> Fault | None:
        return self._fault

    async def ask(self, view: View) -> Answer:
        return Answer(self._fault)
