"""A player at the end of a link, spoken to in its game's native protocol."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Protocol

from botyard.games.view import View
from botyard.kernel.outcome import Outcome
from botyard.kernel.session import Session, printable
from botyard.kernel.verdict import Fault, Verdict
from botyard.match.clock import Clock
from botyard.match.deadline import Deadline
from botyard.match.player import Answer

FINAL = {Verdict.CRASHED, Verdict.MEMORY, Verdict.FLOODED, Verdict.FORBIDDEN, Verdict.GONE}
"""After these there is nobody left to ask."""

ANSWER_BYTES = 64 * 1024  # no answer of any game is a hundredth of it

UNREADABLE = {Verdict.GARBLED, Verdict.INVALID}
"""An answer, if a bad one; one that would have ended the game comes too late for that."""


class Link(Protocol):
    """Bytes to a bot and raw reads from it, with their boundaries."""

    @property
    def level(self) -> str:
        """How the bot's program is held; nothing if it runs elsewhere."""
        ...

    @property
    def peak_mb(self) -> float:
        """The most memory its program held, as far as it was seen."""
        ...

    @property
    def comes_again(self) -> bool:
        """Whether a bot that has gone may come back."""
        ...

    async def freeze(self, frozen: bool) -> None:
        """Stops the bot's program in its tracks, or lets it go on, where that can be done; it stands when this ends."""
        ...

    async def open(self, limit_s: float | None) -> Fault | None: ...
    async def send(self, data: bytes) -> None: ...

    async def receive(self) -> bytes:
        """The next raw read; nothing once the bot has gone."""
        ...

    def unread(self) -> bytes:
        """Takes all that has arrived and was not received."""
        ...

    @property
    def flooded(self) -> bool:
        """Whether more arrived unasked than anybody needs."""
        ...

    async def departure(self) -> Fault:
        """Why there is nothing more to receive."""
        ...

    def fate(self) -> Fault | None:
        """What has become of the bot's program, if something has: asked where it owes an answer."""
        ...

    def said(self) -> str:
        """Takes what the program printed since the last call."""
        ...

    async def close(self) -> None: ...


class WirePlayer:
    """Session and link together, under a clock."""

    def __init__(self, name: str, session: Session, link: Link, clock: Clock, freeze: bool = False) -> None:
        self.name = name
        self._session, self._link, self._clock, self._freeze = session, link, clock, freeze
        self._opened = False
        self._told = b""  # sent already of the next question
        self._heard = False  # whether the bot has ever said anything
        self._ended: Fault | None = None  # why it is not asked any more

    @property
    def level(self) -> str:
        return self._link.level

    @property
    def peak_mb(self) -> float:
        return self._link.peak_mb

    def said(self) -> str:
        return self._link.said()

    async def start(self) -> Fault | None:
        connect_s = self._session.connect_ms / 1000 or None
        fault = await self._link.open(connect_s)
        if fault:
            return fault
        # A session that greets does so before its bot is to be ready, so that the bot can reckon in its own time.
        if greeting := getattr(self._session, "greeting", b""):
            await self._link.send(greeting)
        if not self._session.introduces:
            return None
        # Whoever comes through one door with others has its time for a name only once the one before has been heard.
        async with getattr(self._link, "hearing", contextlib.nullcontext()):
            return await self._meet()

    async def _meet(self) -> Fault | None:
        deadline = Deadline(self._clock, self._session.start_ms / 1000)
        said: str | Fault | None = None
        while said is None:
            try:
                chunk = await deadline.wait(self._link.receive)
            except TimeoutError:
                silent = Fault(Verdict.SILENT, f"no name line within {self._session.start_ms} ms")
                return self._link.fate() or silent
            if not chunk:
                return await self._link.departure()
            self._heard = True
            said = self._session.introduce(chunk)
        if isinstance(said, Fault):
            return said
        if said or getattr(self._session, "may_be_nameless", False):
            self.name = said
        return None

    async def tell(self, view: View) -> None:
        """Sends what comes before the question, to a bot whose turn is not yet; it may think meanwhile."""
        tell = getattr(self._session, "tell", None)
        if tell is None or self._ended:
            return
        self._told = (b"" if self._opened else self._session.opening(view)) + tell(view)
        await self._link.send(self._told)

    async def ask(self, view: View) -> Answer:
        if self._ended:
            return Answer(self._ended)
        if self._freeze:
            await self._link.freeze(False)
        try:
            answer = await self._ask(view)
        finally:
            if self._freeze:
                await self._link.freeze(True)
        await self._dismiss(answer.result)
        return answer

    async def _dismiss(self, result: int | Fault) -> None:
        """Who floods, breaks a limit or has gone is not asked again, and its program does not run on."""
        if isinstance(result, Fault) and result.verdict in FINAL:
            if result.verdict is Verdict.GONE and self._link.comes_again:
                return
            self._ended = result
        elif getattr(self._session, "stopped", False):
            self._ended = Fault(Verdict.SILENT, "stopped: it had timed out too often")
        if self._ended:
            await self._link.close()

    async def _ask(self, view: View) -> Answer:
        flooded = self._link.flooded
        early = self._session.unasked(self._link.unread())
        sent = (b"" if self._opened else self._session.opening(view)) + self._session.ask(view)
        self._opened = True
        if flooded:
            fault = Fault(Verdict.FLOODED, f"far more than was asked for: {printable(early)}")
            return Answer(fault, 0, self._session.move_ms, sent, early=early, said=self._link.said())
        await self._link.send(sent.removeprefix(self._told))
        self._told = b""
        deadline = Deadline(self._clock, self._session.move_ms / 1000)
        received = bytearray()
        result = await self._await_order(received, deadline)
        ms, limit_ms = deadline.ms, self._session.move_ms
        self._session.took(ms, result)
        said, next_ms, hang_ms = self._link.said(), self._session.move_ms, getattr(self._session, "hang_ms", 0)
        return Answer(result, ms, limit_ms, sent, bytes(received), early, said, next_ms, hang_ms)

    async def _await_order(self, received: bytearray, deadline: Deadline) -> int | Fault:
        try:
            return await deadline.wait(lambda: self._read_order(received))
        except TimeoutError:
            pass
        if self._session.settle_ms > 0 and await self._settle(received):
            limit_ms = self._session.move_ms
            return Fault(Verdict.LATE, f"answered after {deadline.ms:.0f} ms, the limit is {limit_ms} ms")
        return self._silence(bytes(received))

    def _silence(self, received: bytes) -> Fault:
        """Why no answer came in time. Nobody is told to flush its output whose program has ended or was struck."""
        silent, fate = f"no answer within {self._session.move_ms} ms", self._link.fate()
        if fate is not None and getattr(self._session, "notices_end", True):
            return fate
        if fate is not None:
            return Fault(Verdict.SILENT, f"{silent}; {fate.reason}")
        came = unfinished(received) if self._heard else "; nothing has come at all: does it flush its output?"
        return Fault(Verdict.SILENT, silent + came)

    async def _read_order(self, received: bytearray) -> int | Fault:
        result = self._session.receive(b"")
        while result is None:
            chunk = await self._link.receive()
            if not chunk:
                return await self._departed()
            received += chunk
            self._heard = True
            result = self._session.receive(chunk)
            if result is None and len(received) > ANSWER_BYTES:
                return Fault(Verdict.FLOODED, f"{len(received)} bytes and no answer: {printable(bytes(received))}")
        return result

    async def _departed(self) -> Fault:
        """Why there is no answer; a session may want the time waited out, as originals do that notice nothing."""
        fault = await self._link.departure()
        if not getattr(self._session, "notices_end", True):
            await asyncio.Event().wait()  # until the deadline ends it
        return fault

    async def _settle(self, received: bytearray) -> bool:
        """Whether the owed line comes after all."""
        try:
            owed = await Deadline(self._clock, self._session.settle_ms / 1000).wait(lambda: self._read_order(received))
        except TimeoutError:
            return False
        return not isinstance(owed, Fault) or owed.verdict in UNREADABLE

    async def finish(self, outcome: Outcome | None) -> None:
        await self._link.send(self._session.closing(outcome))

    async def stop(self) -> None:
        await self._link.close()


def unfinished(received: bytes) -> str:
    """What came instead of an answer, in words."""
    if not received:
        return ""
    if received.endswith(b"\n"):
        return f"; what came was an answer to nothing that is asked: {printable(received)}"
    return f"; it began {printable(received)}, with no line end"
