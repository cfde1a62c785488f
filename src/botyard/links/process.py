"""A process we start and speak to through its standard input and output, line by line."""

from __future__ import annotations

import asyncio
import contextlib

from botyard.jail.launch import Launch
from botyard.jail.program import Program
from botyard.kernel.verdict import Fault, Verdict
from botyard.links.started_program import EXIT_S, StartedProgram


class ProcessLink(StartedProgram):
    """One bot at the other end of two pipes; what it prints on standard error is for its author."""

    def __init__(self, launch: Launch) -> None:
        self._launch = launch

    async def open(self, limit_s: float | None) -> Fault | None:
        started = await Program.start(self._launch, piped=True)
        if isinstance(started, Fault):
            return started
        self._program = started
        return None

    async def send(self, data: bytes) -> None:
        if self._program is not None:
            self._program.send(data)

    async def receive(self) -> bytes:
        return await self._program.inbox.receive() if self._program is not None else b""

    def unread(self) -> bytes:
        return self._program.inbox.unread() if self._program is not None else b""

    @property
    def flooded(self) -> bool:
        return self._program is not None and self._program.inbox.flooded

    async def departure(self) -> Fault:
        """A program that ended has crashed, whatever its status: nobody told it to go."""
        if self._program is None:
            return Fault(Verdict.CRASHED, "the program was never started")
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(EXIT_S):
                await self._program.ended()
        if not self._program.running:  # also if that was noticed late: a loop that was held up has the truth by now
            return self._program.judge()
        closed = "input" if self._program.deaf else "output"
        return Fault(Verdict.GONE, f"the bot closed its standard {closed} but keeps running")

    async def close(self) -> None:
        await self.freeze(False)
        if self._program is not None:
            self._program.close_input()
        await self._end(gently=True)
