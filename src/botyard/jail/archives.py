"""A build leaves its files in an archive; here they are taken out. A stranger wrote it, and may have meant harm.

Only regular files are taken, at most as many and as large as a bot may have. An archive that holds more, or names that
no file can have, is refused with a sentence. Paths that lead elsewhere, links and devices are left out: they are no
part of a bot.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import BinaryIO, NamedTuple

from botyard.jail.bot_copies import private
from botyard.jail.bot_files import BYTES_MAX, CHUNK, DEPTH_MAX, FILES_MAX
from botyard.kernel.errors import YardError, quoted

BLOCK = 512  # of an archive
NAME_MAX = 4096
LONG_NAME, REGULAR = b"L", (b"0", b"\0")

BAD_NAMES = (errno.EEXIST, errno.ENOTDIR, errno.EISDIR, errno.ENAMETOOLONG, errno.EINVAL, errno.EILSEQ)
"""The errors of the system for a name no file can have: it is too long, or a file and a folder at once."""


def unpack(archive: BinaryIO, target: Path) -> None:
    """Writes the regular files of an archive into a folder."""
    total, unpacking = 0, Unpacking(target)
    for count, member in enumerate(members_of(archive)):
        total += member.size
        if count >= FILES_MAX or total > BYTES_MAX:
            most = f"{FILES_MAX} files or {BYTES_MAX >> 20} MiB"
            raise YardError(
                f"more than {most} were built, with {named(member.name)}", hint="build only what the bot needs"
            )
        path = PurePosixPath(os.fsdecode(member.name))
        if not member.regular or path.is_absolute() or ".." in path.parts:
            continue
        try:
            unpacking.take(archive, member, path)
        except OSError as error:
            if error.errno not in BAD_NAMES:
                raise
            reason = error.strerror or str(error)
            raise YardError(f"{named(member.name)} was built, which is not a valid file name", hint=reason) from None


class Unpacking:
    """The files and folders that were taken out so far."""

    def __init__(self, target: Path) -> None:
        self._target = target
        self._files: set[PurePosixPath] = set()
        self._folders: set[PurePosixPath] = set()
        target.mkdir(parents=True, exist_ok=True)
        target.chmod(0o755)

    def take(self, archive: BinaryIO, member: ArchiveMember, path: PurePosixPath) -> None:
        if not path.parts or path in self._files:
            raise YardError(f"{named(member.name)} was built, {'twice' if path.parts else 'which names no file'}")
        if len(path.parts) > DEPTH_MAX:
            raise YardError(f"folders more than {DEPTH_MAX} levels deep were built, as for {named(member.name)}")
        self._files.add(path)
        self._make_folder(path.parent)
        copy = self._target / path
        with os.fdopen(private(copy), "wb") as writing:
            for at in range(0, member.size, CHUNK):
                writing.write(read_exactly(archive, min(CHUNK, member.size - at), member.name))
        copy.chmod(member.mode)

    def _make_folder(self, path: PurePosixPath) -> None:
        if not path.parts or path in self._folders:
            return
        self._make_folder(path.parent)
        self._folders.add(path)
        if len(self._folders) > FILES_MAX:
            raise YardError(f"more than {FILES_MAX} folders were built, with {quoted(str(path))}")
        (self._target / path).mkdir()
        (self._target / path).chmod(0o755)


class ArchiveMember(NamedTuple):
    """Something in an archive, whose content comes next."""

    name: bytes
    size: int
    mode: int
    regular: bool


def members_of(archive: BinaryIO) -> Iterator[ArchiveMember]:
    """Reads the members of a tar archive as GNU tar writes it.

    Nothing but a header and a long name is ever held in memory. The standard library's reader would hold headers of
    other kinds, which may be as large as the archive.
    """
    long_name = b""
    while (head := read_exactly(archive, BLOCK, long_name)).strip(b"\0"):
        name, kind = long_name or name_in(head[:100]), head[156:157]
        size = octal(head[124:136], name)
        start = archive.tell()
        if kind == LONG_NAME:
            if size > NAME_MAX:
                raise YardError(f"the build made a file name of {size} bytes", hint=f"use at most {NAME_MAX}")
            long_name = name_in(read_exactly(archive, size, name))
        else:
            yield ArchiveMember(name, size, octal(head[100:108], name) & 0o777, kind in REGULAR)
            long_name = b""
        archive.seek(start + -(-size // BLOCK) * BLOCK)


def name_in(field: bytes) -> bytes:
    """The name in a field that is filled up with zero bytes. With a zero byte inside, readers would differ about it."""
    name = field.rstrip(b"\0")
    if b"\0" in name:
        raise YardError(f"{named(name)} was built, with a zero byte in its name")
    return name


def octal(field: bytes, name: bytes) -> int:
    """A number in a header."""
    text = field.strip(b"\0 ")
    if not text.isdigit() or text.strip(b"01234567"):
        raise YardError(f"the files that were built arrived damaged, at {named(name)}")
    return int(text, 8)


def read_exactly(archive: BinaryIO, size: int, name: bytes) -> bytes:
    content = archive.read(size)
    if len(content) < size:
        raise YardError(f"the files that were built arrived incomplete{f', up to {named(name)}' if name else ''}")
    return content


def named(name: bytes) -> str:
    """A name as an error says it."""
    return quoted(os.fsdecode(name))
