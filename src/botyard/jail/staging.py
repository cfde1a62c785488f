"""Copies of what people bring, made so that a caged user can read them: the regular files of a bot and nothing else."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import BinaryIO, NamedTuple

from botyard.jail.contents import BYTES_MAX, CHUNK, DEPTH_MAX, FILES_MAX, opened_files
from botyard.kernel.errors import YardError

BLOCK = 512  # of an archive
NAME_MAX = 4096
LONG_NAME, REGULAR = b"L", (b"0", b"\0")


def copy_bot(bot: Path, target: Path) -> None:
    """A copy of a bot's files that every user may read; links are no part of a bot."""
    target.mkdir(parents=True, exist_ok=True)
    for file, descriptor in opened_files(bot):
        copy = target / file.path
        copy.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.dup(descriptor), "rb") as reading, copy.open("wb") as writing:
            shutil.copyfileobj(reading, writing)
        copy.chmod(0o755 if file.executable else 0o644)
    open_to_all(target)


def unpack(archive: BinaryIO, target: Path) -> None:
    """The regular files of an archive a stranger wrote; links, devices and paths that lead elsewhere are left out."""
    total = 0
    target.mkdir(parents=True, exist_ok=True)
    for count, member in enumerate(members_of(archive)):
        total += member.size
        if count >= FILES_MAX or total > BYTES_MAX:
            raise YardError(f"more than {FILES_MAX} files or {BYTES_MAX >> 20} MiB were built")
        path = PurePosixPath(os.fsdecode(member.name))
        if not member.regular or path.is_absolute() or ".." in path.parts:
            continue
        if len(path.parts) > DEPTH_MAX:
            raise YardError(f"folders more than {DEPTH_MAX} deep were built")
        copy = target / path
        copy.parent.mkdir(parents=True, exist_ok=True)
        with copy.open("wb") as writing:
            for at in range(0, member.size, CHUNK):
                writing.write(taken(archive, min(CHUNK, member.size - at)))
        copy.chmod(0o755 if member.executable else 0o644)
    open_to_all(target)


class Member(NamedTuple):
    """Something in an archive, whose content comes next."""

    name: bytes
    size: int
    executable: bool
    regular: bool


def members_of(archive: BinaryIO) -> Iterator[Member]:
    """The members of a tar archive as GNU tar writes it. Nothing but a header and a long name is ever held in memory,
    which cannot be said of the standard library's reader: a header of its own kind may be as large as the archive."""
    long_name = b""
    while (head := taken(archive, BLOCK)).strip(b"\0"):
        size, kind = octal(head[124:136]), head[156:157]
        start = archive.tell()
        if kind == LONG_NAME:
            if size > NAME_MAX:
                raise YardError("a name in what was built is too long")
            long_name = taken(archive, size).rstrip(b"\0")
        else:
            name = long_name or head[:100].rstrip(b"\0")
            yield Member(name, size, bool(octal(head[100:108]) & stat.S_IXUSR), kind in REGULAR)
            long_name = b""
        archive.seek(start + -(-size // BLOCK) * BLOCK)


def octal(field: bytes) -> int:
    text = field.strip(b"\0 ")
    if not text.isdigit() or text.strip(b"01234567"):
        raise YardError("what was built came as a broken archive")
    return int(text, 8)


def taken(archive: BinaryIO, size: int) -> bytes:
    content = archive.read(size)
    if len(content) < size:
        raise YardError("what was built came as half an archive")
    return content


def open_to_all(target: Path) -> None:
    for where, _, _ in os.walk(target):
        Path(where).chmod(0o755)


def readable_by_all(folder: Path) -> bool:
    """Whether a user of no group can enter a folder and read what lies in it, as far as a look at it tells."""
    if folder.stat().st_mode & 0o005 != 0o005:
        return False
    for path in folder.iterdir():
        about = path.lstat()
        wanted = 0o005 if stat.S_ISDIR(about.st_mode) else 0o004
        if not stat.S_ISLNK(about.st_mode) and about.st_mode & wanted != wanted:
            return False
    return True
