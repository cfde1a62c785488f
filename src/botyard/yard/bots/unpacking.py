"""Uploads are unpacked in a cage by `unpacker`; this module runs it and takes what comes out."""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import botyard
from botyard.jail.launch import Launch
from botyard.jail.levels import obstacle
from botyard.jail.limits import MEGABYTE, Level, Limits
from botyard.jail.program import Program
from botyard.jail.toolchains import PLACE as TOOLCHAINS
from botyard.jail.toolchains import Toolchain
from botyard.kernel.errors import OurFault
from botyard.kernel.verdict import Fault, Verdict
from botyard.yard.bots.spool import Spool
from botyard.yard.refusals import Refusal, TooLarge

LIMITS = Limits(memory_mb=768, processes=16, cores=1.0, cpu_s=20, open_files=256, file_mb=320, scratch_mb=640)
UNPACK_S = 40.0
HEAD_BYTES = 256 * 1024
SOURCE_BYTES = 16 * MEGABYTE  # of a canonical archive; hardly more than the upload, which is at most half as large
PROGRAM = (sys.executable, "-m", "botyard.yard.bots.unpacker")
WORK = Path("/tmp")
SMALLER = "hand in the sources alone"


@dataclass(frozen=True, slots=True)
class UnpackedUpload:
    """A bot as it was handed in, unpacked, looked at and packed again in the one canonical way."""

    tree: str  # a hash over its files
    source: bytes = field(repr=False)
    manifest: dict[str, Any]
    files: int
    size: int  # of all its files


async def unpack_upload(spool: Spool) -> UnpackedUpload:
    """Has an upload unpacked; refuses what is no bot, with a sentence."""
    answer = await run_unpacker(spool)
    head, _, source = answer.partition(b"\n")
    try:
        told = json.loads(head)
    except ValueError:
        raise OurFault("what unpacks uploads gave no answer") from None
    if "refused" in told:
        raise Refusal(told["refused"], hint=told["hint"])
    return UnpackedUpload(told["tree"], source, told["manifest"], told["files"], told["bytes"])


async def run_unpacker(spool: Spool) -> bytes:
    started = await Program.start(unpacking_launch(spool), piped=True)
    if isinstance(started, Fault):
        raise OurFault(started.reason)
    answer = bytearray()
    try:
        async with asyncio.timeout(UNPACK_S):
            while chunk := await started.inbox.receive():
                answer += chunk
                if len(answer) > HEAD_BYTES + SOURCE_BYTES:
                    raise TooLarge(f"packed again it is larger than {SOURCE_BYTES >> 20} MiB", hint=SMALLER)
            failed = await started.ended()
        fault, said = started.judge(), started.said()
    except TimeoutError:
        raise TooLarge(f"unpacking it takes longer than {UNPACK_S:g} s", hint=SMALLER) from None
    finally:
        await started.stop()
    if failed:
        raise refused_by(fault, said)
    return bytes(answer)


def refused_by(fault: Fault, said: str) -> Exception:
    """Returns why an upload was not unpacked to its end: it took too much, or we failed."""
    if fault.verdict is Verdict.MEMORY:
        return TooLarge(f"unpacking it takes more than {LIMITS.memory_mb} MB of memory", hint=SMALLER)
    if fault.verdict is Verdict.FORBIDDEN:
        return TooLarge(f"unpacking it {fault.reason}", hint=SMALLER)
    return OurFault(f"an upload was not unpacked: {fault.reason} {said.strip()[-500:]}")


def unpacking_launch(spool: Spool) -> Launch:
    """The launch of `unpacker`: caged where that can be, else at least a process with limits of its own."""
    level = Level.OPEN if obstacle(Level.CAGED) else Level.CAGED
    package = Path(botyard.__file__).resolve().parent
    place = TOOLCHAINS / "botyard" if level is Level.CAGED else package.parent
    house = Toolchain("botyard", {}, {}, {place / package.name: package})
    limits = (spool.index_at, LIMITS.memory_mb * MEGABYTE, LIMITS.file_mb * MEGABYTE, LIMITS.cpu_s)
    return Launch(
        (*PROGRAM, *map(str, limits)), WORK, level, LIMITS, callers=True, toolchains=(house,),
        lends=(spool.fileno(),), environment={"PYTHONPATH": str(place)},
    )  # fmt: skip
