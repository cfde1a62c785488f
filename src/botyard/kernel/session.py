"""What the native protocols of all games have in common."""

from __future__ import annotations

from typing import Any, Protocol

from botyard.kernel.outcome import Outcome
from botyard.kernel.verdict import Fault


class Session(Protocol):
    """The native protocol of one bot, without any I/O. It never raises on what a bot sends.

    A link hands over raw reads with their boundaries. The order of calls: `introduce` until it gives a name (where
    `introduces` is true), `opening` once before the first question, then for each turn `unasked` with what came early,
    `ask`, `receive` until it gives something — first with no bytes, because what is held may answer already — and
    `took` with the time that was needed; `closing` at the end.

    Where an original is peculiar a session may also have: `game_number`, which is set to tell it the how manieth game
    of a match this is; `greeting`, sent before the introduction; `may_be_nameless`, whether a bot that introduces
    itself with an empty name has that and no other; `stopped`, whether the bot is to be ended; `notices_end`, whether
    a bot whose program has ended is known to have; `hang_ms`, how long its last answer keeps the match from going on;
    `tell`, the beginning of what `ask` is about to give, for a bot that is asked after others.
    """

    introduces: bool  # whether the bot speaks first, with its name
    connect_ms: int  # time to connect, 0 for no limit
    start_ms: int  # time for the introduction

    @property
    def move_ms(self) -> int:
        """Time for the next answer; a time bank makes it change."""
        ...

    @property
    def settle_ms(self) -> int:
        """How long a time-out waits for the owed line, to tell late from silent, at nobody's cost but its own."""
        ...

    def introduce(self, chunk: bytes) -> str | Fault | None: ...
    def opening(self, view: Any) -> bytes: ...
    def unasked(self, chunk: bytes) -> bytes: ...
    def ask(self, view: Any) -> bytes: ...
    def receive(self, chunk: bytes) -> int | Fault | None: ...
    def took(self, ms: float, result: int | Fault) -> None: ...
    def closing(self, outcome: Outcome | None) -> bytes: ...


SETTLE_MS = 250
"""How long a time-out commonly waits for the owed line, to tell late from silent."""

SOCKET_BUFFER = 64 * 1024
"""What a socket would hold of a bot that sends ahead where early bytes count; the rest would not have been sent."""

SHOWN_BYTES = 60


def printable(raw: bytes) -> str:
    """Bytes of a bot for a person to read: quoted, escaped, cut."""
    shown = repr(raw[:SHOWN_BYTES])[1:]
    return shown if len(raw) <= SHOWN_BYTES else f"{shown}… ({len(raw)} bytes)"
