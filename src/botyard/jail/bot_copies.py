"""Bots are copied as their regular files and nothing else, each with the mode it had; copies are removed here, too."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import stat
from collections.abc import Collection
from pathlib import Path, PurePosixPath

from botyard.jail.bot_files import folder_mode, opened_files
from botyard.kernel.errors import MACHINE, YardError

OTHERS_READ, OTHERS_ENTER = 0o004, 0o005
LOOKED_AT = 200_000  # entries of a folder


def copy_bot(bot: Path, target: Path, only: Collection[PurePosixPath] | None = None, everything: bool = False) -> None:
    """Copies a bot's files, or some of them; nobody may do more with the copy than with the original.

    `everything` also takes the folders that are commonly no part of a bot, for callers who choose the files by `only`.
    """
    target.mkdir(parents=True, exist_ok=True, mode=0o755)
    folders = {PurePosixPath()}
    for file, descriptor in opened_files(bot, everything):
        if only is not None and file.path not in only:
            continue
        copy = target / file.path
        copy.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.dup(descriptor), "rb") as reading, os.fdopen(private(copy), "wb") as writing:
            shutil.copyfileobj(reading, writing)
        copy.chmod(file.mode)
        folders.update(file.path.parents)
    if bot.is_dir():
        for folder in sorted(folders, key=lambda path: -len(path.parts)):
            (target / folder).chmod(folder_mode(bot / folder))


def private(path: Path) -> int:
    """Opens a new file that nobody else may read; it gets its mode when it is whole."""
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)


def public_files(folder: Path, named: Collection[Path]) -> set[PurePosixPath] | None:
    """The files others may read and those that are named; None if that is all there is.

    The folder itself may be closed: whoever names a file in it wants it seen. What lies in a closed folder below, and
    what only its owner or its group may read, is somebody's secret until it is named.
    """
    public: set[PurePosixPath] = set()
    hidden = False
    looked_at = 0
    waiting = [(folder, PurePosixPath(), True)]
    while waiting:
        where, inside, is_open = waiting.pop()
        try:
            entries = list(os.scandir(where))
        except OSError as error:
            if error.errno in MACHINE:
                raise
            hidden = True
            continue
        looked_at += len(entries)
        if looked_at > LOOKED_AT:
            raise YardError(f"{folder} has more than {LOOKED_AT} files", hint="move the bot into a folder of its own")
        for entry in entries:
            about = entry.stat(follow_symlinks=False)
            if stat.S_ISDIR(about.st_mode):
                below_open = is_open and about.st_mode & OTHERS_ENTER == OTHERS_ENTER
                waiting.append((Path(entry.path), inside / entry.name, below_open))
                hidden = hidden or not below_open
            elif stat.S_ISREG(about.st_mode):
                if (is_open and about.st_mode & OTHERS_READ) or Path(entry.path) in named:
                    public.add(inside / entry.name)
                else:
                    hidden = True
    return public if hidden else None


def readable_by_all(folder: Path, named: Collection[Path]) -> bool:
    """Whether a user of no group could read in a folder what is to be seen of it."""
    closed = folder.stat().st_mode & OTHERS_ENTER != OTHERS_ENTER
    return not closed and all(path.stat().st_mode & OTHERS_READ for path in named)


def remove_tree(folder: Path) -> None:
    """Removes a copy of ours, whatever was made in it: folders whose mode forbids it are opened first, and those that
    lie deeper than a path can tell, or than the standard library can follow, are brought to the top."""
    waiting = [folder]
    while waiting:
        with contextlib.suppress(OSError):
            where = waiting.pop()
            for inner in folders_in(where):
                inner.chmod(0o700)
                top = inner if where == folder else inner.rename(folder / secrets.token_hex(16))
                waiting.append(top)
    shutil.rmtree(folder, ignore_errors=True)


def folders_in(folder: Path) -> list[Path]:
    with os.scandir(folder) as entries:
        return [Path(entry.path) for entry in entries if entry.is_dir(follow_symlinks=False)]
