"""What the native protocols of all games have in common."""

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

    Only `ask` and `receive` have to be written. Everything else is what most originals do, and is overridden where one
    is peculiar. What is a session's own affair begins with an underscore: a public name that stands nowhere here is a
    misspelt one, and a test of every game refuses it.
    """

    introduces: bool = False  # whether the bot speaks first, with its name
    may_be_nameless: bool = False  # whether a bot that introduces itself with an empty name has that and no other
    connect_ms: int = 0  # time to connect, 0 for no limit
    start_ms: int = 0  # time for the introduction
    waits: bool = False  # whether a live room sends no board before the last one was answered
    game_number: int = 1  # which game of its match this is, counted from 1; set by whoever seats the bot

    def __init__(self, move_ms: int = 0, settle_ms: int = 0) -> None:
        self._move_ms, self._settle_ms = move_ms, settle_ms

    # Time

    @property
    def move_ms(self) -> int:
        """Time for the next answer; a time bank makes it change."""
        return self._move_ms

    @property
    def settle_ms(self) -> int:
        """How long a time-out waits for the owed line, to tell late from silent, at nobody's cost but its own."""
        return self._settle_ms

    @property
    def stopped(self) -> bool:
        """Whether the bot has timed out too often for its original: its program is to be ended."""
        return False

    @property
    def notices_end(self) -> bool:
        """Whether the original notices that a bot's program has ended; if not, the time is waited out."""
        return True

    @property
    def hang_ms(self) -> int:
        """How long the original stands still after the last answer, where that answer ended the game."""
        return 0

    # What is said

    def greet(self) -> bytes:
        """What is sent before the bot introduces itself."""
        return b""

    def introduce(self, chunk: bytes) -> str | Fault | None:
        """The bot's name, once what it has sent so far holds one."""
        return ""

    def opening(self, view: Any) -> bytes:
        """What goes before the first question."""
        return b""

    def unasked(self, chunk: bytes) -> bytes:
        """Takes what came before a question; gives what of it is dropped."""
        return chunk

    def tell(self, view: Any) -> bytes:
        """The beginning of what `ask` is about to give, for a bot that is asked after others; nothing: it waits."""
        return b""

    @abstractmethod
    def ask(self, view: Any) -> bytes:
        """The question."""

    @abstractmethod
    def receive(self, chunk: bytes) -> int | Fault | None:
        """Takes a raw read after the question; gives an order, a fault, or nothing yet."""

    def took(self, ms: float, result: int | Fault) -> None:
        """Books the time of an answer, where a time bank is kept."""

    def closing(self, outcome: Outcome | None) -> bytes:
        """What is said at the end."""
        return b""


class MoveSession(Session):
    """A session whose bot is started anew for every question, and whose answer is known when that bot has exited."""

    output_limit: int = 0  # bytes of one answer, which the session itself counts; 0 for no limit

    @abstractmethod
    def ended(self) -> int | Fault:
        """The bot has exited well: the order in all that it wrote."""


EMPTY_MESSAGE = b" "
"""What an empty message is handed over as: no bytes at all mean that nothing has come."""

SETTLE_MS = 250
"""How long a time-out commonly waits for the owed line, to tell late from silent."""

SOCKET_BUFFER = 64 * 1024
"""What a socket would hold of a bot that sends ahead where early bytes count; the rest would not have been sent."""

SHOWN_BYTES = 60


def printable(raw: bytes) -> str:
    """Bytes of a bot for a person to read: quoted, escaped, cut."""
    shown = repr(raw[:SHOWN_BYTES])[1:]
    return shown if len(raw) <= SHOWN_BYTES else f"{shown}… ({len(raw)} bytes)"
