"""A link over the standard input and output of a program, as small as it can be."""

from __future__ import annotations

import asyncio
import contextlib
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence

from botyard.kernel.verdict import Fault, Verdict


class PipeLink:
    """Trusts its program: for tests of what is said, not of how."""

    flooded = False

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._process: Process | None = None
        self.sent: list[bytes] = []

    async def open(self, limit_s: float | None) -> Fault | None:
        self._process = await asyncio.create_subprocess_exec(*self._command, stdin=PIPE, stdout=PIPE, stderr=PIPE)
        return None

    async def send(self, data: bytes) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        self.sent.append(data)
        self._process.stdin.write(data)

    async def receive(self) -> bytes:
        assert self._process is not None
        assert self._process.stdout is not None
        return await self._process.stdout.read(65536)

    def unread(self) -> bytes:
        return b""

    async def departure(self) -> Fault:
        assert self._process is not None
        assert self._process.stderr is not None
        return Fault(Verdict.CRASHED, (await self._process.stderr.read()).decode())

    def said(self) -> str:
        return ""

    async def close(self) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            async with asyncio.timeout(10):
                await self._process.wait()
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()
        self._process._transport.close()  # type: ignore[attr-defined]
