"""What a bot consists of: the regular files of its folder, or the one file it is.

Whoever made the folder may mean harm. Links are never followed, neither to files nor to folders; pipes and devices are
passed over; every file is opened relative to the folder it was seen in, so that nothing can be exchanged for a link in
between; and there are limits, so that looking at a bot takes bounded time.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from botyard.kernel.errors import YardError

FILES_MAX = 10_000
BYTES_MAX = 256 * 1024 * 1024
DEPTH_MAX = 32
TEXT_MAX = 1024 * 1024  # of a source or manifest that is read to be understood

PASSED_OVER = {".git", ".hg", ".svn", "__pycache__", ".venv", ".idea", ".vscode"}
"""Folders that are no part of a bot, whatever is in them."""

CHUNK = 1024 * 1024


@dataclass(frozen=True, slots=True)
class BotFile:
    """A regular file of a bot, by its path inside the bot."""

    path: PurePosixPath
    size: int
    mode: int  # what its owner, its group and others may do with it

    @property
    def executable(self) -> bool:
        return bool(self.mode & stat.S_IXUSR)


def files_of(bot: Path) -> list[BotFile]:
    """The files of a bot, sorted by path."""
    return [file for file, _ in opened_files(bot)]


def links_of(bot: Path) -> list[str]:
    """The links that lie at the top of a folder: no part of the bot, but often what its author is looking for."""
    return sorted(entry.name for entry in os.scandir(bot) if entry.is_symlink()) if bot.is_dir() else []


def fingerprint(bot: Path, only: Collection[PurePosixPath] | None = None, modes: bool = False) -> str:
    """A hash over everything a build can depend on: paths, contents, and what may be executed; or all of the modes."""
    digest = hashlib.sha256()
    for file, descriptor in opened_files(bot, everything=only is not None):
        if only is not None and file.path not in only:
            continue
        mode = f"{file.mode:o}" if modes else int(file.executable)
        head = f"{len(os.fsencode(str(file.path)))} {file.size} {mode} ".encode()
        digest.update(head + os.fsencode(str(file.path)))
        left = file.size
        while left and (chunk := os.read(descriptor, min(CHUNK, left))):
            digest.update(chunk)
            left -= len(chunk)
        if left:
            raise YardError(f"{file.path} of {bot} is being changed", hint="wait until it is written")
    return digest.hexdigest()


def read_text(bot: Path, inside: str) -> str:
    """The beginning of one file as text, for whoever wants to understand it."""
    folder, path = (bot, PurePosixPath(inside)) if bot.is_dir() else (bot.parent, PurePosixPath(bot.name))
    with opened_folder(folder) as top, opened_below(top, path) as descriptor:
        raw = b""
        while len(raw) < TEXT_MAX and (chunk := os.read(descriptor, TEXT_MAX - len(raw))):
            raw += chunk
        return raw.decode("utf-8", "replace")


def opened_files(bot: Path, everything: bool = False) -> Iterator[tuple[BotFile, int]]:
    """Every file with a descriptor to read it, sorted by path; the descriptor is good until the next one.

    Folders that are no part of a bot are passed over, unless everything is wanted.
    """
    if not bot.is_dir():
        with opened_folder(bot.parent) as top:
            yield from one_file(top, PurePosixPath(bot.name), bot.name)
        return
    count = total = 0
    with opened_folder(bot) as top:
        for file, descriptor in below(top, PurePosixPath(), bot, () if everything else PASSED_OVER):
            count, total = count + 1, total + file.size
            if count > FILES_MAX:
                raise YardError(f"{bot} has more than {FILES_MAX} files", hint="is this the folder of one bot?")
            if total > BYTES_MAX:
                raise YardError(f"{bot} is larger than {BYTES_MAX >> 20} MiB", hint="is this the folder of one bot?")
            yield file, descriptor


def below(folder: int, at: PurePosixPath, bot: Path, passed_over: Collection[str]) -> Iterator[tuple[BotFile, int]]:
    if len(at.parts) > DEPTH_MAX:
        raise YardError(f"{bot} has folders more than {DEPTH_MAX} deep", hint="is this the folder of one bot?")
    with os.scandir(folder) as listing:
        names = sorted(
            (entry.name for entry in listing if not entry.is_symlink() and entry.name not in passed_over),
            key=os.fsencode,
        )
    for name in names:
        if stat.S_ISDIR(kind_of(folder, name)):
            with opened_below(folder, PurePosixPath(name), os.O_DIRECTORY) as inner:
                yield from below(inner, at / name, bot, passed_over)
        else:
            yield from one_file(folder, at / name, name)


def one_file(folder: int, path: PurePosixPath, name: str) -> Iterator[tuple[BotFile, int]]:
    """The file if it is a regular one; a pipe would never end, and a device is nobody's source."""
    try:
        descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
    except OSError as error:
        if stat.S_ISREG(kind_of(folder, name)):
            raise YardError(f"cannot read {path}", hint=error.strerror or str(error)) from None
        return
    try:
        found = os.fstat(descriptor)
        if stat.S_ISREG(found.st_mode):
            yield BotFile(path, found.st_size, stat.S_IMODE(found.st_mode) & 0o777), descriptor
    finally:
        os.close(descriptor)


def kind_of(folder: int, name: str) -> int:
    """What lies there: a file, a folder, a link, …"""
    try:
        return os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
    except OSError as error:
        raise YardError(f"cannot look at {name}", hint=error.strerror or str(error)) from None


@contextmanager
def opened_folder(folder: Path) -> Iterator[int]:
    """The way to the bot itself is its owner's affair; only below it nothing is trusted."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise YardError(f"cannot open {folder}", hint=error.strerror or str(error)) from None
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def opened_below(folder: int, path: PurePosixPath, kind: int = os.O_NONBLOCK) -> Iterator[int]:
    """Something in a folder, reached step by step so that no step is a link."""
    name, *rest = path.parts
    try:
        descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | (os.O_DIRECTORY if rest else kind), dir_fd=folder)
    except OSError as error:
        raise YardError(f"cannot read {path}", hint=error.strerror or str(error)) from None
    try:
        if rest:
            with opened_below(descriptor, PurePosixPath(*rest)) as inner:
                yield inner
        else:
            yield descriptor
    finally:
        os.close(descriptor)
