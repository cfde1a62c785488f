"""A bot consists of the regular files of its folder, or is one file; here they are listed, read and hashed.

Whoever made the folder may mean harm. Links are never followed, neither to files nor to folders; pipes and devices are
passed over; every file is opened relative to the folder it was seen in, so that nothing can be exchanged for a link in
between; and there are limits, so that looking at a bot takes bounded time.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path, PurePosixPath

from botyard.kernel.errors import YardError, refusal

FILES_MAX = 10_000
BYTES_MAX = 256 * 1024 * 1024
ENTRIES_MAX = 2 * FILES_MAX  # files, folders and links
DEPTH_MAX = 32
TEXT_MAX = 1024 * 1024  # of a source or manifest that is read to be understood

PASSED_OVER = {".git", ".hg", ".svn", "__pycache__", ".venv", ".idea", ".vscode"}
"""Folders that are no part of a bot, whatever is in them."""

DOCUMENTATION = re.compile(r"(readme|licen[cs]e|copying|changelog)(\.txt)?|.*\.(md|rst|adoc|pdf)", re.IGNORECASE)
"""Names of files that are written for people: neither a build nor a running bot should depend on them."""

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
    if not bot.is_dir():
        return []
    with os.scandir(bot) as listing:
        return sorted(entry.name for entry in islice(listing, ENTRIES_MAX) if entry.is_symlink())


def is_documentation(path: PurePosixPath) -> bool:
    return DOCUMENTATION.fullmatch(path.name) is not None


def fingerprint(
    bot: Path, only: Collection[PurePosixPath] | None = None, modes: bool = False,
    without: Callable[[PurePosixPath], bool] = lambda path: False,
) -> str:  # fmt: skip
    """A hash over everything a build can depend on: paths, contents, and which files may be executed.

    `modes` takes all modes into it instead, those of folders included, because a copy keeps them. `without` says which
    files do not count.
    """
    digest = hashlib.sha256()
    folders: set[PurePosixPath] = set()
    for file, descriptor in opened_files(bot, everything=only is not None):
        if (only is not None and file.path not in only) or without(file.path):
            continue
        mode = f"{file.mode:o}" if modes else int(file.executable)
        head = f"{len(os.fsencode(str(file.path)))} {file.size} {mode} ".encode()
        digest.update(head + os.fsencode(str(file.path)))
        left = file.size
        while left and (chunk := read_chunk(descriptor, min(CHUNK, left), file.path)):
            digest.update(chunk)
            left -= len(chunk)
        if left:
            raise YardError(
                f"{file.path} of {bot} changed while it was read",
                hint="wait until nothing writes to it, then try again",
            )
        folders.update(file.path.parents)
    if modes and bot.is_dir():
        for folder in sorted(folders):
            digest.update(f"{folder_mode(bot / folder):o} ".encode())
    return digest.hexdigest()


def folder_mode(folder: Path) -> int:
    return stat.S_IMODE(folder.lstat().st_mode) & 0o777


def read_text(bot: Path, inside: str) -> str:
    """The beginning of one file as text."""
    return read_beginning(bot, inside, TEXT_MAX).decode("utf-8", "replace")


def read_beginning(bot: Path, inside: str, most: int) -> bytes:
    """The first bytes of one file."""
    folder, path = (bot, PurePosixPath(inside)) if bot.is_dir() else (bot.parent, PurePosixPath(bot.name))
    if not path.parts or "\0" in inside:
        raise YardError(f"cannot read {inside!r}", hint="the name is not a file inside the bot")
    with opened_folder(folder) as top, opened_below(top, path) as descriptor:
        raw = b""
        while len(raw) < most and (chunk := read_chunk(descriptor, most - len(raw), path)):
            raw += chunk
        return raw


def read_chunk(descriptor: int, size: int, path: PurePosixPath) -> bytes:
    try:
        return os.read(descriptor, size)
    except OSError as error:  # a folder has taken the place of the file, or the disk is broken
        raise unreadable(f"cannot read {path}", error) from None


def unreadable(message: str, error: OSError) -> OSError | YardError:
    """The error to raise. Nothing here waits, so an error that says "try again" is about the file: it is a pipe, or
    somebody holds it."""
    waits = isinstance(error, BlockingIOError)
    return YardError(message, hint=error.strerror or str(error)) if waits else refusal(message, error)


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
        for file, descriptor in Walk(bot, () if everything else PASSED_OVER).below(top, PurePosixPath()):
            count, total = count + 1, total + file.size
            if count > FILES_MAX:
                raise YardError(f"{bot} has more than {FILES_MAX} files", hint="is this the folder of one bot?")
            if total > BYTES_MAX:
                raise YardError(f"{bot} is larger than {BYTES_MAX >> 20} MiB", hint="is this the folder of one bot?")
            yield file, descriptor


class Walk:
    """One walk through a bot's folders. Everything that lies there is counted: folders and links take time, too."""

    def __init__(self, bot: Path, passed_over: Collection[str]) -> None:
        self._bot, self._passed_over, self._entries = bot, passed_over, 0

    def below(self, folder: int, at: PurePosixPath) -> Iterator[tuple[BotFile, int]]:
        if len(at.parts) > DEPTH_MAX:
            raise self._unlike_a_bot(f"folders nested more than {DEPTH_MAX} levels deep")
        for name in self._names(folder, at):
            if stat.S_ISDIR(kind_of(folder, name)):
                with opened_below(folder, PurePosixPath(name), os.O_DIRECTORY) as inner:
                    yield from self.below(inner, at / name)
            else:
                yield from one_file(folder, at / name, name)

    def _names(self, folder: int, at: PurePosixPath) -> list[str]:
        """What lies in a folder and may be part of the bot, in the order of its bytes."""
        names = []
        try:
            with os.scandir(folder) as listing:
                for entry in listing:
                    self._entries += 1
                    if self._entries > ENTRIES_MAX:
                        raise self._unlike_a_bot(f"more than {ENTRIES_MAX} files, folders and links")
                    if not entry.is_symlink() and entry.name not in self._passed_over:
                        names.append(entry.name)
        except OSError as error:
            raise unreadable(f"cannot list {self._bot / at}", error) from None
        return sorted(names, key=os.fsencode)

    def _unlike_a_bot(self, what: str) -> YardError:
        return YardError(f"{self._bot} has {what}", hint="is this the folder of one bot?")


def one_file(folder: int, path: PurePosixPath, name: str) -> Iterator[tuple[BotFile, int]]:
    """The file if it is a regular one; a pipe would never end, and a device is nobody's source."""
    try:
        descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
    except OSError as error:
        if stat.S_ISREG(kind_of(folder, name)):
            raise unreadable(f"cannot read {path}", error) from None
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
        raise unreadable(f"cannot access {name}", error) from None


@contextmanager
def opened_folder(folder: Path) -> Iterator[int]:
    """Opens a bot's folder. Links on the way to it are its owner's affair; below it nothing is trusted."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise unreadable(f"cannot open {folder}", error) from None
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def opened_below(folder: int, path: PurePosixPath, kind: int = os.O_NONBLOCK) -> Iterator[int]:
    """Opens something below a folder, step by step, so that no step is a link."""
    name, *rest = path.parts
    try:
        descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | (os.O_DIRECTORY if rest else kind), dir_fd=folder)
    except OSError as error:
        raise unreadable(f"cannot read {path}", error) from None
    try:
        if rest:
            with opened_below(descriptor, PurePosixPath(*rest)) as inner:
                yield inner
        else:
            yield descriptor
    finally:
        os.close(descriptor)
