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
SUBMISSIONS_BYTES = 96 * MEGABYTE  # of all canonical archives of a folder of submissions
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
    answer = await run_unpacker(spool, HEAD_BYTES + SOURCE_BYTES)
    head, _, source = answer.partition(b"\n")
    told = head_of(head)
    if "refused" in told:
        raise Refusal(told["refused"], hint=told["hint"])
    return unpacked_upload(told, source)


def unpacked_upload(told: dict[str, Any], source: bytes) -> UnpackedUpload:
    return UnpackedUpload(told["tree"], source, told["manifest"], told["files"], told["bytes"])


def head_of(line: bytes) -> dict[str, Any]:
    """Returns what the unpacker says of a bot."""
    try:
        told = json.loads(line)
    except ValueError:
        raise OurFault("what unpacks uploads gave no answer") from None
    assert isinstance(told, dict)
    return told


@dataclass(frozen=True, slots=True)
class UnpackedSubmission:
    """One thing out of a folder of submissions: a bot, or why it is none."""

    name: str
    upload: UnpackedUpload | None
    refused: str = ""


async def unpack_submissions(spool: Spool) -> list[UnpackedSubmission]:
    """Has a folder of submissions unpacked; what is no bot is told of one by one."""
    answer = await run_unpacker(spool, SUBMISSIONS_BYTES, many=True)
    found, at = list[UnpackedSubmission](), 0
    while at < len(answer):
        line, _, _ = answer[at : at + HEAD_BYTES].partition(b"\n")
        told = head_of(line)
        if "name" not in told:
            raise Refusal(told["refused"], hint=told["hint"])
        begin, at = at + len(line) + 1, at + len(line) + 1 + told["packed"]
        if "refused" in told:
            found.append(UnpackedSubmission(told["name"], None, f"{told['refused']} ({told['hint']})"))
        else:
            found.append(UnpackedSubmission(told["name"], unpacked_upload(told, answer[begin:at])))
    return found


async def run_unpacker(spool: Spool, most: int, *, many: bool = False) -> bytes:
    started = await Program.start(unpacking_launch(spool, many=many), piped=True)
    if isinstance(started, Fault):
        raise OurFault(started.reason)
    answer = bytearray()
    try:
        async with asyncio.timeout(UNPACK_S):
            while chunk := await started.inbox.receive():
                answer += chunk
                if len(answer) > most:
                    raise TooLarge(f"packed again it is larger than {most >> 20} MiB", hint=SMALLER)
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


def unpacking_launch(spool: Spool, *, many: bool = False) -> Launch:
    """The launch of `unpacker`: caged where that can be, else at least a process with limits of its own."""
    level = Level.OPEN if obstacle(Level.CAGED) else Level.CAGED
    package = Path(botyard.__file__).resolve().parent
    place = TOOLCHAINS / "botyard" if level is Level.CAGED else package.parent
    house = Toolchain("botyard", {}, {}, {place / package.name: package})
    limits = (spool.index_at, LIMITS.memory_mb * MEGABYTE, LIMITS.file_mb * MEGABYTE, LIMITS.cpu_s, int(many))
    return Launch(
        (*PROGRAM, *map(str, limits)), WORK, level, LIMITS, callers=True, toolchains=(house,),
        lends=(spool.fileno(),), environment={"PYTHONPATH": str(place)},
    )  # fmt: skip
