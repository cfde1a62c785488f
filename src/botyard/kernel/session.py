"""A session is the native protocol of one bot, without I/O. This module has what the sessions of all games share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from botyard.kernel.outcome import Outcome
from botyard.kernel.verdict import Fault


class Session(ABC):
    """The native protocol of one bot, without any I/O. It never raises on what a bot sends.

    A link hands over raw reads with their boundaries. The order of calls: `greet` once, `introduce` until it gives a
    name (where `introduces` is true), `opening` once before the first question, then for each turn `unasked` with what
    came early, `ask`, `receive` until it gives something — first with no bytes, because what is held may answer
    already — and `took` with the time that was needed; `closing` at the end.

    A game must write only `ask` and `receive`. Everything else does what most originals do, and a game overrides what
    its original does differently. Further names of a session begin with an underscore: a law refuses a public name that
    is not in this class, because it is probably misspelt.
    """

    introduces: bool = False  # whether the bot speaks first, with its name
    may_be_nameless: bool = False  # whether an empty name that a bot gives is kept as its name
    connect_ms: int = 0  # time to connect; 0 for no limit
    start_ms: int = 0  # time for the introduction
    waits: bool = False  # whether a live room sends no board before the last one was answered
    game_number: int = 1  # which game of its match this is, counted from 1; set by whoever seats the bot

    def __init__(self, move_ms: int = 0, settle_ms: int = 0) -> None:
        self._move_ms, self._settle_ms = move_ms, settle_ms

    # Time

    @property
    def move_ms(self) -> int:
        """The time for the next answer; with a time bank it changes."""
        return self._move_ms

    @property
    def settle_ms(self) -> int:
        """How long we wait after a time-out for the missing answer, to tell a late bot from a silent one."""
        return self._settle_ms

    @property
    def stopped(self) -> bool:
        """Whether the bot has timed out so often that the original would end its program."""
        return False

    @property
    def notices_end(self) -> bool:
        """Whether the original notices that a bot's program has ended; if not, the whole time is waited."""
        return True

    @property
    def hang_ms(self) -> int:
        """How long the original hangs after the last answer, if that answer ended the game."""
        return 0

    # What is sent and received

    def greet(self) -> bytes:
        """Returns what is sent before the bot introduces itself."""
        return b""

    def introduce(self, chunk: bytes) -> str | Fault | None:
        """Takes a raw read; returns the bot's name once it is complete, a fault, or None."""
        return ""

    def opening(self, view: Any) -> bytes:
        """Returns what is sent before the first question."""
        return b""

    def unasked(self, chunk: bytes) -> bytes:
        """Takes what came before a question, and returns what is dropped of it."""
        return chunk

    def tell(self, view: Any) -> bytes:
        """Returns the beginning of the question, sent early to a bot that is asked after others; it may be empty."""
        return b""

    @abstractmethod
    def ask(self, view: Any) -> bytes:
        """Returns the question."""

    @abstractmethod
    def receive(self, chunk: bytes) -> int | Fault | None:
        """Takes a raw read after the question; returns an order, a fault, or None if more is needed."""

    def took(self, ms: float, result: int | Fault) -> None:
        """Charges the time of an answer, if there is a time bank."""

    def closing(self, outcome: Outcome | None) -> bytes:
        """Returns what is sent at the end."""
        return b""


class MoveSession(Session):
    """A session whose bot is started anew for every question, and whose answer is known when that bot has exited."""

    output_limit: int = 0  # longest answer in bytes, which the session itself checks; 0 for no limit

    @abstractmethod
    def ended(self) -> int | Fault:
        """Returns the order in all that the bot wrote, once it has exited without error."""


EMPTY_MESSAGE = b" "
"""What an empty message is handed over as: no bytes at all mean that nothing has come."""

SETTLE_MS = 250
"""How long a time-out commonly waits for the owed line, to tell late from silent."""

SOCKET_BUFFER = 64 * 1024
"""What a socket would hold of a bot that sends ahead where early bytes count; the rest would not have been sent."""

SHOWN_BYTES = 60


def printable(raw: bytes) -> str:
    """Returns bytes of a bot for people to read: quoted, escaped and cut."""
    shown = repr(raw[:SHOWN_BYTES])[1:]
    return shown if len(raw) <= SHOWN_BYTES else f"{shown}… ({len(raw)} bytes)"
