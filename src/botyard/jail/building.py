"""Building a bot: in a cell like the one it runs in, once for the same content.

In a cage everything is written into memory of a limited size and comes out as an archive, of which only regular files
are taken: a build cannot fill the disk, and nothing outside follows a path it made.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import platform
import shlex
import shutil
import stat
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from botyard.jail.archives import unpack
from botyard.jail.contents import BYTES_MAX, fingerprint
from botyard.jail.errand import Errand
from botyard.jail.limits import BUILD_LIMITS, MEGABYTE, Level
from botyard.jail.program import Program, runnable
from botyard.jail.recipe import Recipe
from botyard.jail.staging import copy_bot
from botyard.kernel.cache import usable_home
from botyard.kernel.errors import YardError
from botyard.kernel.verdict import Fault, Verdict

BUILD_S = 300.0
BUILD_WORDS = 2000  # characters of a failed build that are passed on
ARCHIVE_MAX = BYTES_MAX + 16 * MEGABYTE
KEPT_S = 30 * 24 * 3600  # a built bot nobody used for so long is forgotten
UNFINISHED_S = 24 * 3600  # what a killed runner left half built
PREFIX = ".building-"
PLACE = Path("/bot")  # where a bot's folder is in every cage
SOURCE = Path("/source")


async def built_folder(recipe: Recipe, level: Level, limit_s: float = BUILD_S) -> Path | Fault:
    """The folder of a bot ready to run, from the shelf if its content is known."""
    bot = recipe.folder / recipe.file if recipe.file else recipe.folder
    if not recipe.build:
        return copied_folder(bot, level)
    kept = shelf(level) / key_of(bot, recipe.build, level)
    if not kept.is_dir():
        with workplace(kept) as target:
            fault = await build(recipe, bot, target, level, limit_s)
            if fault:
                return fault
    os.utime(kept)
    return kept


def copied_folder(bot: Path, level: Level) -> Path:
    """A copy of a bot's files that its user can read, from the shelf if their content is known."""
    kept = shelf(level) / key_of(bot, (), level)
    if not kept.is_dir():
        with workplace(kept) as target:
            copy_bot(bot, target)
    os.utime(kept)
    return kept


@contextlib.contextmanager
def workplace(kept: Path) -> Iterator[Path]:
    """A folder to fill, which then takes its place on the shelf, whole; nothing is kept of one that was not filled."""
    beside = Path(tempfile.mkdtemp(dir=kept.parent, prefix=PREFIX))
    try:
        yield beside / "bot"
        with contextlib.suppress(OSError):  # not filled, or somebody else was faster
            (beside / "bot").rename(kept)
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def shelf(level: Level) -> Path:
    """Where built bots are kept; a bot that runs as another user must be able to walk there."""
    if level is Level.LIMITED:
        folder = Path("/var/tmp") / f"botyard-{os.getuid()}"
        folder.mkdir(exist_ok=True, mode=0o755)
        about = folder.lstat()  # where everybody may write, a link may lead anywhere
        if about.st_uid != os.getuid() or not stat.S_ISDIR(about.st_mode):
            raise YardError(f"{folder} is no folder of ours", hint="remove it")
    else:
        folder = usable_home() / "bots"
    folder.mkdir(parents=True, exist_ok=True)
    for kept in folder.iterdir():
        with contextlib.suppress(OSError):
            idle_s = time.time() - kept.stat().st_mtime
            if idle_s > (UNFINISHED_S if kept.name.startswith(PREFIX) else KEPT_S):
                shutil.rmtree(kept, ignore_errors=True)
    return folder


def key_of(bot: Path, build: tuple[tuple[str, ...], ...], level: Level) -> str:
    told = repr((fingerprint(bot), build, platform.machine(), str(level)))
    return hashlib.sha256(told.encode()).hexdigest()[:32]


async def build(recipe: Recipe, bot: Path, target: Path, level: Level, limit_s: float) -> Fault | None:
    script, tools = [], []
    for command in recipe.build:
        found = runnable(command[0], bot)
        if isinstance(found, Fault):
            return Fault(Verdict.UNBUILT, f"{shlex.join(command)}: {found.reason}")
        tools.append(found)
        program = command[0] if "/" in command[0] else str(found)
        script.append(shlex.join([program, *command[1:]]))
    if level is Level.CAGED:
        return await build_caged(bot, target, script, tuple(tools), limit_s)
    return await build_beside(bot, target, script, level, limit_s)


async def build_caged(
    bot: Path, target: Path, script: list[str], tools: tuple[Path, ...], limit_s: float
) -> Fault | None:
    copy = target.with_name("source")
    copy_bot(bot, copy)
    steps = [f"cp -R {SOURCE}/. .", *script]
    whole = f"{{ {' && '.join(steps)}; }} </dev/null 1>&2 && exec tar cf - --format=gnu ."
    errand = Errand(
        ("sh", "-c", whole), PLACE, Level.CAGED, BUILD_LIMITS, shows={SOURCE: copy}, scratch=PLACE, tools=tools
    )
    with tempfile.TemporaryFile(dir=target.parent) as archive:
        fault = await carry_out(errand, archive.write, limit_s)
        if fault:
            return fault
        archive.seek(0)
        try:
            await asyncio.to_thread(unpack, archive, target)
        except (YardError, OSError) as error:
            return Fault(Verdict.UNBUILT, f"what was built cannot be taken over: {error}")
    return None


async def build_beside(bot: Path, target: Path, script: list[str], level: Level, limit_s: float) -> Fault | None:
    work = target.with_name("work")
    copy_bot(bot, work)
    errand = Errand(("sh", "-c", f"{{ {' && '.join(script)}; }} </dev/null 1>&2"), work, level, BUILD_LIMITS, owns=work)
    fault = await carry_out(errand, len, limit_s)
    if fault:
        return fault
    try:
        await asyncio.to_thread(copy_bot, work, target)
    except (YardError, OSError) as error:
        return Fault(Verdict.UNBUILT, f"what was built cannot be taken over: {error}")
    return None


async def carry_out(errand: Errand, keep: Callable[[bytes], int], limit_s: float) -> Fault | None:
    """Runs a build to its end; what it writes to standard output is kept, what it says is passed on if it fails."""
    started = await Program.start(errand, piped=True)
    if isinstance(started, Fault):
        return started
    size = 0
    try:
        async with asyncio.timeout(limit_s):
            while chunk := await started.intake.receive():
                size += len(chunk)
                if size > ARCHIVE_MAX:
                    return Fault(Verdict.UNBUILT, f"more than {ARCHIVE_MAX // MEGABYTE} MB were built")
                keep(chunk)
            failed = await started.ended()
        fault, said = started.judge(), started.said().strip()
    except TimeoutError:
        return Fault(Verdict.UNBUILT, f"the build took longer than {limit_s:g} s")
    finally:
        await started.stop()
    if failed and fault.verdict is Verdict.HOUSE:
        return fault
    if failed:
        why = started.ending() if fault.verdict is Verdict.CRASHED else fault.reason
        return Fault(Verdict.UNBUILT, f"the build failed ({why}):\n{said[-BUILD_WORDS:]}")
    return None
