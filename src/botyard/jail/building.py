"""A bot is built in a cell like the one it runs in, once for the same content.

In a cage everything is written into memory of a limited size and comes out as an archive, of which only regular files
are taken: a build cannot fill the disk, and nothing outside follows a path it made.
"""

from __future__ import annotations

import asyncio
import shlex
import tempfile
from collections.abc import Callable, Collection
from dataclasses import replace
from pathlib import Path, PurePosixPath

from botyard.jail.archives import unpack
from botyard.jail.bot_cache import BUILD_LOG, PASSING, NewEntry, cached_copy, key_of, new_entry
from botyard.jail.bot_copies import copy_bot
from botyard.jail.bot_files import BYTES_MAX, fingerprint
from botyard.jail.launch import Launch
from botyard.jail.limits import BUILD_LIMITS, MEGABYTE, Level
from botyard.jail.location import locate
from botyard.jail.manifest import Manifest
from botyard.jail.printed import Overhear, nobody_listens
from botyard.jail.program import Program
from botyard.jail.threads import in_thread
from botyard.jail.toolchains import Toolchain
from botyard.kernel.errors import OurFault, YardError
from botyard.kernel.verdict import Fault, Verdict

BUILD_S = 300.0
LOG_MAX = 256 * 1024  # bytes of a log that are kept beside a copy
KEPT = b"not compiled now: the same files were built before"
BUILD_WORDS = 2000  # characters of a failed build that are passed on
ARCHIVE_MAX = BYTES_MAX + 16 * MEGABYTE
PLACE = Path("/bot")  # where a bot's folder is in every cage
SOURCE = Path("/source")


async def built_folder(
    manifest: Manifest, level: Level, toolchains: tuple[Toolchain, ...] = (), limit_s: float = BUILD_S,
    overhear: Overhear = nobody_listens,
) -> Path | Fault:  # fmt: skip
    """The copy of a bot that is ready to run, from the cache if its content is known. `overhear` hears the build."""
    bot = manifest.folder / manifest.file if manifest.file else manifest.folder
    content = await in_thread(fingerprint, bot, modes=True)
    key = key_of(content, manifest.build, str(manifest.inside), str(level))
    found = await in_thread(cached_copy, level, key)
    if found is not None:
        if manifest.build:
            overhear(await in_thread(kept_log, found))
        return found
    entry, log = NewEntry(level, key), bytearray()

    def listen(chunk: bytes) -> None:
        log.extend(chunk[: LOG_MAX - len(log)])
        overhear(chunk)

    try:
        target = await in_thread(entry.open)
        source = target.with_name("source")
        await in_thread(copy_unchanged, bot, source, source / manifest.file, content)
        if manifest.build:
            built = target.with_name("built")  # what cannot be taken over as a whole takes no place in the cache
            fault = await build(manifest, source, built, level, toolchains, limit_s, listen)
            if fault:
                return with_root_named(fault, manifest)
            built.rename(target)
            await in_thread(keep_log, target, bytes(log))
        else:
            source.rename(target)
        await in_thread(entry.keep)
    finally:
        await in_thread(entry.close)
    found = await in_thread(cached_copy, level, key)
    return Fault(Verdict.HOUSE, f"the built bot {manifest.name} disappeared from the cache") if found is None else found


def keep_log(copy: Path, log: bytes) -> None:
    """Puts what a build has said beside what it made, where no bot can read it."""
    path = copy.with_name(BUILD_LOG)
    path.touch(mode=0o600)
    path.write_bytes(log)


def kept_log(copy: Path) -> bytes:
    """Returns what the build has said that made a copy, and that it was an earlier one."""
    try:
        log = copy.with_name(BUILD_LOG).read_bytes()
    except OSError:  # of an entry of former times
        return KEPT + b"; its log was not kept\n"
    return KEPT + b"; this is its log:\n" + log if log.strip() else KEPT + b", which said nothing\n"


def copy_unchanged(bot: Path, source: Path, copy: Path, content: str) -> None:
    """Copies a bot whose content is known. Files that are exchanged in between would lie in the cache as the bot that
    was shown first, which others may have, too."""
    copy_bot(bot, source)
    if fingerprint(copy, modes=True) != content:
        raise YardError(f"{bot} changed while it was read", hint="wait until nothing writes to it, then try again")


def with_root_named(fault: Fault, manifest: Manifest) -> Fault:
    """Adds a remedy to the fault of a bot that reaches for files beside its folder: they are there only if whoever
    brings the bot names the folder around both."""
    if "../" not in fault.reason or manifest.inside.parts:
        return fault
    around = f"dir:{manifest.folder.parent.name}//{manifest.folder.name}"
    remedy = f"it reaches out of its folder: name the folder it reaches into as its root, as in {around}"
    return Fault(fault.verdict, f"{fault.reason}\n{remedy}")


def copied_folder(folder: Path, only: Collection[PurePosixPath] | None, level: Level) -> Path:
    """A copy of some files of a folder that stays where it is; it is forgotten soon."""
    key = f"{PASSING}{key_of(fingerprint(folder, only, modes=True), str(folder), str(level))}"
    found = cached_copy(level, key)
    if found is None:
        with new_entry(level, key) as target:
            copy_bot(folder, target, only, everything=only is not None)
        found = cached_copy(level, key)
    if found is None:
        raise OurFault(f"no copy of {folder} could be made: is there room on the disk?")
    return found


async def build(
    manifest: Manifest, source: Path, target: Path, level: Level, toolchains: tuple[Toolchain, ...], limit_s: float,
    overhear: Overhear,
) -> Fault | None:  # fmt: skip
    """Runs the lines of a build."""
    launch = Launch(("sh",), PLACE / manifest.inside, level, BUILD_LIMITS, toolchains=toolchains, builds=True)
    script = await in_thread(build_script, manifest, source, launch)
    if isinstance(script, Fault):
        return script
    if level is Level.CAGED:
        return await build_caged(source, target, script, launch, limit_s, overhear)
    return await build_beside(source, target, script, launch, limit_s, overhear)


def build_script(manifest: Manifest, source: Path, launch: Launch) -> list[str] | Fault:
    """The lines of a build as a shell runs them. Each begins with a program of a toolchain, or a file of the bot."""
    script = [f"cd {shlex.quote(str(manifest.inside))}"] if manifest.inside.parts else []
    for command in manifest.build:
        found = locate(replace(launch, command=command, shows={PLACE: source}))
        if isinstance(found, Fault) and "/" not in command[0]:  # a file of the bot may be made by an earlier line
            return Fault(Verdict.UNBUILT, f"{shlex.join(command)}: {found.reason}")
        program = command[0]
        if not isinstance(found, Fault) and "/" not in program:
            program = str(found.inside if launch.level is Level.CAGED else found.outside)
        script.append(shlex.join([program, *command[1:]]))
    return script


async def build_caged(
    source: Path, target: Path, script: list[str], launch: Launch, limit_s: float, overhear: Overhear
) -> Fault | None:
    steps = [f"cp -R {SOURCE}/. .", *script]
    whole = f"{{ {' && '.join(steps)}; }} </dev/null 1>&2 && cd {PLACE} && exec tar cf - --format=gnu ."
    building = replace(
        launch, command=("sh", "-c", whole), folder=PLACE, shows={SOURCE: source}, scratch=PLACE, owns=source
    )
    with tempfile.TemporaryFile(dir=target.parent) as archive:
        fault = await carry_out(building, archive.write, limit_s, overhear)
        if fault:
            return fault
        archive.seek(0)
        try:
            await in_thread(unpack, archive, target)
        except ValueError as error:  # a user's mistake is one, too; what the machine refuses is none of the bot's
            return Fault(Verdict.UNBUILT, f"the built files cannot be used: {error}")
    return None


async def build_beside(
    work: Path, target: Path, script: list[str], launch: Launch, limit_s: float, overhear: Overhear
) -> Fault | None:
    whole = f"{{ {' && '.join(script)}; }} </dev/null 1>&2"
    building = replace(launch, command=("sh", "-c", whole), folder=work, owns=work)
    fault = await carry_out(building, len, limit_s, overhear)
    if fault:
        return fault
    try:
        await in_thread(copy_bot, work, target)
    except ValueError as error:
        return Fault(Verdict.UNBUILT, f"the built files cannot be used: {error}")
    return None


async def carry_out(
    launch: Launch, keep: Callable[[bytes], int], limit_s: float, overhear: Overhear = nobody_listens
) -> Fault | None:
    """Runs a build to its end; what it writes to standard output is kept, what it says is passed on if it fails."""
    started = await Program.start(launch, piped=True, overhear=overhear)
    if isinstance(started, Fault):
        return started
    size = 0
    try:
        async with asyncio.timeout(limit_s):
            while chunk := await started.inbox.receive():
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
