"""A player at the end of a link, spoken to in its game's native protocol."""

from __future__ import annotations

import asyncio

from botyard.games.view import View
from botyard.kernel.outcome import Outcome
from botyard.kernel.session import Session, printable
from botyard.kernel.verdict import Fault, Verdict
from botyard.match.board_notes import TurnNotes
from botyard.match.clock import Clock
from botyard.match.deadline import STOPPED, Deadline
from botyard.match.link import Link
from botyard.match.player import Answer, Player

FINAL = {Verdict.CRASHED, Verdict.MEMORY, Verdict.FLOODED, Verdict.FORBIDDEN, Verdict.GONE}
"""After these there is nobody left to ask."""

ANSWER_BYTES = 64 * 1024  # no answer of any game is a hundredth of it


class WirePlayer(Player):
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

    def notes(self) -> TurnNotes | None:
        return self._link.notes()

    async def start(self) -> Fault | None:
        connect_s = self._session.connect_ms / 1000 or None
        fault = await self._link.open(connect_s)
        if fault:
            return fault
        # A session that greets does so before its bot is to be ready, so that the bot can reckon in its own time.
        if greeting := self._session.greet():
            await self._link.send(greeting)
        if not self._session.introduces:
            return None
        # Whoever comes in at one place with others has its time for a name only once the one before has been heard.
        async with self._link.introduction:
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
        if said or self._session.may_be_nameless:
            self.name = said
        return None

    async def tell(self, view: View) -> None:
        """Sends what comes before the question, to a bot whose turn is not yet; it may think meanwhile."""
        told = b"" if self._ended else self._session.tell(view)
        if not told:
            return
        self._told = (b"" if self._opened else self._session.opening(view)) + told
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
        """Ends the program of a bot that floods, breaks a limit or has gone, and never asks it again."""
        if isinstance(result, Fault) and result.verdict in FINAL:
            if result.verdict is Verdict.GONE and self._link.comes_again:
                return
            self._ended = result
        elif self._session.stopped:
            self._ended = STOPPED
        if self._ended:
            await self._link.close()

    async def _ask(self, view: View) -> Answer:
        flooded = self._link.flooded
        early = self._session.unasked(self._link.unread())
        sent = (b"" if self._opened else self._session.opening(view)) + self._session.ask(view)
        self._opened = True
        if flooded:
            fault = Fault(Verdict.FLOODED, f"far more than was asked for: {printable(early)}")
            said, notes = self.said(), self.notes()
            return Answer(fault, 0, self._session.move_ms, sent, early=early, said=said, notes=notes)
        await self._link.send(sent.removeprefix(self._told))
        self._told = b""
        deadline = Deadline(self._clock, self._session.move_ms / 1000)
        received = bytearray()
        result = await deadline.order(
            lambda: self._read_order(received), lambda: self._silence(bytes(received)), self._session.settle_ms
        )
        ms, limit_ms = deadline.ms, self._session.move_ms
        self._session.took(ms, result)
        said, notes, next_ms = self.said(), self.notes(), self._session.move_ms
        hang_ms = self._session.hang_ms
        return Answer(result, ms, limit_ms, sent, bytes(received), early, said, next_ms, notes, hang_ms)

    def _silence(self, received: bytes) -> Fault:
        """Why no answer came in time. A bot whose program has ended is told that, not to flush its output."""
        silent, fate = f"no answer within {self._session.move_ms} ms", self._link.fate()
        if fate is not None and self._session.notices_end:
            return fate
        if fate is not None:
            return Fault(Verdict.SILENT, f"{silent}; {fate.reason}")
        came = unfinished(received) if self._heard else "; it has sent nothing at all: does it flush its output?"
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
                return Fault(Verdict.FLOODED, f"{len(received)} bytes without an answer: {printable(bytes(received))}")
        return result

    async def _departed(self) -> Fault:
        """Why there is no answer; a session may want the time waited out, as originals do that notice nothing."""
        fault = await self._link.departure()
        if not self._session.notices_end:
            await asyncio.Event().wait()  # until the deadline ends it
        return fault

    async def finish(self, outcome: Outcome | None) -> None:
        await self._link.send(self._session.closing(outcome))

    async def stop(self) -> None:
        await self._link.close()


def unfinished(received: bytes) -> str:
    """What came instead of an answer, in words."""
    if not received:
        return ""
    if received.endswith(b"\n"):
        return f"; what came does not answer this question: {printable(received)}"
    return f"; it sent {printable(received)} without a line end"
