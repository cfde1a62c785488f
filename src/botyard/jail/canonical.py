"""A canonical archive holds the files of a bot in one way only, so that equal bots are equal bytes.

It is a tar.gz with the files in the order of their paths, without owners and times, and of the modes only whether a
file may be executed. It is made of a folder by `pack_bot` and becomes a folder again in the bot cache. On its way to
other machines it is known by its hash (`Source`), so that its bytes travel only where nothing was made of it before.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import stat
import tarfile
from collections.abc import Callable, Collection
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import IO, Any, BinaryIO, cast

from botyard.jail.archives import unpack
from botyard.jail.bot_cache import cached_copy, key_of, new_entry
from botyard.jail.bot_files import files_of, opened_files
from botyard.jail.limits import Level
from botyard.kernel.errors import OurFault, YardError

LEVEL = 6  # of the compression


class Source:
    """A canonical archive by its hash. Its bytes are asked for by whoever has nothing that was made of it."""

    __slots__ = ("_read", "digest")

    def __init__(self, digest: str, read: Callable[[], bytes]) -> None:
        self.digest, self._read = digest, read

    @classmethod
    def of(cls, content: bytes) -> Source:
        return cls(hashlib.sha256(content).hexdigest(), lambda: content)

    def content(self) -> bytes:
        """Returns the archive; one that was damaged on its way, or is another one, is refused."""
        content = self._read()
        if hashlib.sha256(content).hexdigest() != self.digest:
            raise OurFault(f"the archive of a source came as something else than {self.digest}")
        return content

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Source) and other.digest == self.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"Source({self.digest[:12]})"

    def __reduce__(self) -> tuple[Any, ...]:
        """To another process of this machine it goes with its bytes."""
        return Source.of, (self.content(),)


def pack_bot(
    folder: Path,
    target: IO[bytes],
    under: PurePosixPath = PurePosixPath(),  # noqa: B008 (it never changes)
    only: Collection[PurePosixPath] | None = None,
) -> None:
    """Writes the canonical archive of a folder: its files below a path, all or `only` some."""
    with (
        gzip.GzipFile(fileobj=target, mode="wb", compresslevel=LEVEL, mtime=0, filename="") as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT, errors="surrogateescape") as archive,
    ):
        for file, descriptor in opened_files(folder):
            if only is not None and file.path not in only:
                continue
            row = tarfile.TarInfo(str(under / file.path))
            row.size, row.mode = file.size, 0o755 if file.mode & stat.S_IXUSR else 0o644
            with os.fdopen(os.dup(descriptor), "rb") as content:
                archive.addfile(row, content)


def kept_source(source: Source) -> Path:
    """Returns the bot of a canonical archive: a folder in the bot cache, or the only file that is in it."""
    return bot_in(kept_tree(source))


def kept_tree(source: Source, level: Level = Level.CAGED) -> Path:
    """Returns the folder in the bot cache that holds the files of a canonical archive."""
    key = key_of("source", source.digest)
    if (found := cached_copy(level, key)) is None:
        content = source.content()
        with new_entry(level, key) as target:
            unpack_source(content, target)
        found = cached_copy(level, key)
    if found is None:
        raise OurFault("the source of a bot disappeared from the cache: is there room on the disk?")
    return found


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
