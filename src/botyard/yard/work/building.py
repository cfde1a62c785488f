"""Building a version, as a worker does it: the source comes with the work, the log goes back while it grows."""

from __future__ import annotations

import asyncio
import contextlib
import shlex
import traceback
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

from botyard.contest.bot_checks import telling_line
from botyard.contest.messages import CageOptions
from botyard.games import load
from botyard.jail.building import BUILD_S
from botyard.jail.canonical import Source
from botyard.jail.manifest import Manifest
from botyard.kernel.errors import UnfitBot
from botyard.kernel.verdict import Fault, Verdict
from botyard.links.bot_spec import BotSpec
from botyard.links.cage_policy import FolderBot
from botyard.match.checkup import unbuilt
from botyard.yard.work.sources import source_spec

LOG_BYTES = 256 * 1024  # of a log that are kept: the beginning and the end, each with half of it
SIGN_S = 0.25  # between two signs of a log that grows


@dataclass(frozen=True, slots=True)
class LogSign:
    """A sign of life of a build: what was added to its log."""

    version: int
    at: int  # where in the log it begins
    text: bytes = field(repr=False)  # nothing once the log is longer than what is kept

    @property
    def progress(self) -> int:
        """How long the log is by now."""
        return self.at + len(self.text)


LogProgress = Callable[[LogSign], None]


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What came of a build."""

    version: int
    built: bool = False
    reason: str = ""  # why it was not built, in a line: the first error of a compiler
    remedy: str = ""
    log: bytes = field(default=b"", repr=False)
    trouble: str = ""  # a fault of ours: then nothing is known of the bot


@dataclass(frozen=True, slots=True)
class BuildWork:
    """A version to build."""

    version: int
    game: str
    name: str  # of the bot
    source: Source
    cage: CageOptions = field(default_factory=CageOptions)

    longest_s = BUILD_S  # it may be silent all that time: a compiler says nothing while it works

    async def done_by(self, _: object, progress: LogProgress) -> BuildReport:
        """Builds the version on this machine, or finds it built; a worker needs nothing else for it."""
        log = GrowingLog()
        try:
            async with told_while_growing(self.version, log, progress):
                fault, remedy = await self._build(log)
        except Exception as error:
            trouble = "".join(traceback.format_exception(error))
            return BuildReport(self.version, log=log.whole(), trouble=trouble)
        if fault is None:
            return BuildReport(self.version, built=True, log=log.whole())
        return BuildReport(self.version, False, telling_line(fault.reason), remedy, log.whole())

    async def _build(self, log: GrowingLog) -> tuple[Fault | None, str]:
        try:
            spec = await source_spec(self.source, self.name, load(self.game), self.cage.policy)
            log.add(plan_words(spec))
            fault = await spec.build(log.add)
        except UnfitBot as error:  # any other mistake would be ours: the yard chose everything but the files
            log.add(f"{error.message}\n".encode())
            return Fault(Verdict.UNBUILT, error.message), error.hint
        log.add(ending_words(fault, log))
        return fault, unbuilt(fault).remedy if fault else ""


def plan_words(spec: BotSpec) -> bytes:
    """Returns what is going to be done, as the beginning of the log."""
    assert isinstance(spec.bot, FolderBot), "a source is a file or a folder"
    manifest: Manifest = spec.bot.manifest
    lines = [f"$ {shlex.join(command)}" for command in manifest.build] or ["nothing to build"]
    return "\n".join([f"{manifest.language or 'a program'}, found by {manifest.found_by}", *lines, ""]).encode()


def ending_words(fault: Fault | None, log: GrowingLog) -> bytes:
    """Returns the last line of the log. Of a fault it has the first line: what the compiler said stands above it."""
    start = b"" if log.at_line_start else b"\n"
    if fault is None:
        return start + b"built\n"
    first, _, said = fault.reason.partition("\n")
    return start + (first.removesuffix(":") if said.strip() else fault.reason).encode() + b"\n"


class GrowingLog:
    """A log while it grows: its beginning and its end are kept, its middle is counted."""

    def __init__(self) -> None:
        self._head, self._tail, self.size = bytearray(), bytearray(), 0
        self.at_line_start = True

    def add(self, chunk: bytes) -> None:
        if not chunk:
            return
        self.size += len(chunk)
        self.at_line_start = chunk.endswith(b"\n")
        room = LOG_BYTES // 2 - len(self._head)
        self._head += chunk[:room]
        self._tail += chunk[room:]
        del self._tail[: max(0, len(self._tail) - LOG_BYTES // 2)]

    def whole(self) -> bytes:
        dropped = self.size - len(self._head) - len(self._tail)
        gap = f"\n… {dropped} bytes dropped …\n".encode() if dropped else b""
        return bytes(self._head) + gap + bytes(self._tail)

    def since(self, at: int) -> bytes:
        """Returns what was added from a place on, as far as that lies in the first part and what follows it."""
        kept = self._head + self._tail if self.size <= LOG_BYTES else self._head
        return bytes(kept[at:])


@contextlib.asynccontextmanager
async def told_while_growing(version: int, log: GrowingLog, progress: LogProgress) -> AsyncIterator[None]:
    """Tells of the log from time to time while inside, if there is news: what stands still gives no sign of life."""
    told = 0

    def tell() -> None:
        nonlocal told
        if log.size > told:
            progress(LogSign(version, told, log.since(told)))
            told = log.size

    async def keep_telling() -> None:
        while True:
            tell()
            await asyncio.sleep(SIGN_S)

    progress(LogSign(version, 0, b""))
    telling = asyncio.create_task(keep_telling())
    try:
        yield
    finally:
        telling.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await telling
        tell()
