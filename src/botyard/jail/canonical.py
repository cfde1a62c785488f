"""A canonical archive holds the files of a bot in one way only, so that equal bots are equal bytes.

It is a tar.gz with the files in the order of their paths, without owners and times, and of the modes only whether a
file may be executed. It is made of a folder by `pack_bot` and becomes a folder again in the bot cache.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import stat
import tarfile
from io import BytesIO
from pathlib import Path
from typing import IO, BinaryIO, cast

from botyard.jail.archives import unpack
from botyard.jail.bot_cache import cached_copy, key_of, new_entry
from botyard.jail.bot_files import files_of, opened_files
from botyard.jail.limits import Level
from botyard.kernel.errors import OurFault, YardError

LEVEL = 6  # of the compression


def pack_bot(folder: Path, target: IO[bytes]) -> None:
    """Writes the canonical archive of a folder."""
    with (
        gzip.GzipFile(fileobj=target, mode="wb", compresslevel=LEVEL, mtime=0, filename="") as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT, errors="surrogateescape") as archive,
    ):
        for file, descriptor in opened_files(folder):
            row = tarfile.TarInfo(str(file.path))
            row.size, row.mode = file.size, 0o755 if file.mode & stat.S_IXUSR else 0o644
            with os.fdopen(os.dup(descriptor), "rb") as content:
                archive.addfile(row, content)


def kept_source(source: bytes) -> Path:
    """Returns the bot of a canonical archive: a folder in the bot cache, or the only file that is in it."""
    key = key_of("source", hashlib.sha256(source).hexdigest())
    if (found := cached_copy(Level.CAGED, key)) is None:
        with new_entry(Level.CAGED, key) as target:
            unpack_source(source, target)
        found = cached_copy(Level.CAGED, key)
    if found is None:
        raise OurFault("the source of a bot disappeared from the cache: is there room on the disk?")
    return bot_in(found)


def unpack_source(source: bytes, target: Path) -> None:
    """Unpacks an archive of ours; one that cannot be read was damaged on its way here."""
    try:
        with gzip.GzipFile(fileobj=BytesIO(source)) as archive:
            unpack(cast("BinaryIO", archive), target)
    except (YardError, EOFError, gzip.BadGzipFile) as error:
        raise OurFault(f"the archive of a source cannot be read: {error}") from None


def bot_in(folder: Path) -> Path:
    """Returns the bot that a folder is: itself, or its only file, which may have any name then."""
    files = files_of(folder)
    return folder / files[0].path if len(files) == 1 else folder
