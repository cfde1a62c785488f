"""A link: bytes to a bot and raw reads from it, whatever lies between."""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod

from botyard.kernel.verdict import Fault
from botyard.match.board_notes import TurnNotes


class Link(ABC):
    """Bytes to a bot and raw reads from it, with their boundaries.

    What is not overridden holds for a bot that runs elsewhere, of which nobody knows more than what it sends.
    """

    @property
    def level(self) -> str:
        """How the bot's program is held; nothing if it runs elsewhere."""
        return ""

    @property
    def peak_mb(self) -> float:
        """The most memory its program held, as far as it was seen."""
        return 0.0

    @property
    def comes_again(self) -> bool:
        """Whether a bot that has gone may come back."""
        return False

    @property
    def introduction(self) -> contextlib.AbstractAsyncContextManager[None]:
        """Held while the bot says its name: where several come in at one place, they are heard one after another."""
        return contextlib.nullcontext()

    async def freeze(self, frozen: bool) -> None:
        """Stops the bot's program in its tracks, or lets it go on, where that can be done; it stands when this ends."""

    @abstractmethod
    async def open(self, limit_s: float | None) -> Fault | None:
        """Starts the bot or waits for it; why it is not there, if it is not."""

    @abstractmethod
    async def send(self, data: bytes) -> None: ...

    @abstractmethod
    async def receive(self) -> bytes:
        """The next raw read; nothing once the bot has gone."""

    @abstractmethod
    def unread(self) -> bytes:
        """Takes all that has arrived and was not received."""

    @property
    @abstractmethod
    def flooded(self) -> bool:
        """Whether more arrived unasked than anybody needs."""

    @abstractmethod
    async def departure(self) -> Fault:
        """Why there is nothing more to receive."""

    def fate(self) -> Fault | None:
        """What has become of the bot's program, if something has: asked where it owes an answer."""
        return None

    def said(self) -> str:
        """Takes what the program printed since the last call."""
        return ""

    def notes(self) -> TurnNotes | None:
        """Takes the notes that the program printed since the last call."""
        return None

    @abstractmethod
    async def close(self) -> None: ...
