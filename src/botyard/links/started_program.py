"""The program behind a link that we started ourselves: what can be told of it, and how it ends."""

from __future__ import annotations

import asyncio
import contextlib

from botyard.jail.program import Program
from botyard.kernel.verdict import Fault
from botyard.match.board_notes import TurnNotes, read_notes
from botyard.match.link import Link

LEAVE_S = 0.5  # for a program to end by itself after its game
EXIT_S = 1.0  # for a program's end to be noticed after its connection or its output has closed


class StartedProgram(Link):
    """What every link to a program of ours shares. There is none before it is opened."""

    _program: Program | None = None

    @property
    def level(self) -> str:
        return self._program.level if self._program is not None else ""

    @property
    def peak_mb(self) -> float:
        return self._program.peak_mb if self._program is not None else 0.0

    def said(self) -> str:
        return self._program.said() if self._program is not None else ""

    def notes(self) -> TurnNotes | None:
        return read_notes(self._program.note_lines()) if self._program is not None else None

    def fate(self) -> Fault | None:
        return self._program.fate() if self._program is not None else None

    async def freeze(self, frozen: bool) -> None:
        if self._program is not None:
            await self._program.freeze(frozen)

    async def _end(self, gently: bool) -> None:
        """Ends the program; gently: it may do so by itself, if it does not take long."""
        if self._program is None:
            return
        if gently:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LEAVE_S):
                    await self._program.ended()
        await self._program.stop()
