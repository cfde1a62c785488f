"""A packed bot comes as an archive (zip, tar or tar.gz), as people hand it in. This module unpacks it, and no more.

Whoever made the archive may mean harm. So it is listed before anything is written; only regular files are taken; every
path stays below the target; and whatever can be counted is bounded, so that neither a small archive that unpacks to
gigabytes nor a million empty files take long. What was unpacked is kept in the cache of bots, by the archive's hash.
"""

from __future__ import annotations

import gzip
import hashlib
import itertools
import re
import stat
import struct
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Any, Protocol, Self

from botyard.jail.archives import BAD_NAMES
from botyard.jail.bot_cache import cached_copy, key_of, new_entry
from botyard.jail.bot_files import BYTES_MAX, DEPTH_MAX, FILES_MAX, unreadable
from botyard.jail.limits import Level
from botyard.kernel.errors import UnfitBot, quoted

UNREAD = (".rar", ".7z", ".tar.xz", ".txz", ".tar.bz2", ".tbz2", ".tar.zst")  # people hand these in, too
SUFFIXES = (".zip", ".tar", ".tar.gz", ".tgz", *UNREAD)
ARCHIVE_MAX = 64 * 1024 * 1024
RATIO_MAX, RATIO_FREE = 200, 1 << 20  # unpacked to packed bytes; below a MiB nobody is harmed
PATH_MAX = 1024
CHUNK = 1 << 20

ZIP_ROW = b"PK\x01\x02"  # begins every row of a zip archive's directory
ZIP_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # of the others the library unpacks as much as comes, at once
BLOCK = 512  # of a tar archive
DESCRIPTIONS = b"xgXLK"  # kinds of tar members that describe the next one, such as a long name
DESCRIPTION_MAX = 64 * 1024
ENDLESS_NUMBER = re.compile(rb"\d{100}")  # the library's time for a description grows with the square of it

PACK_AGAIN = "pack it again, as zip or tar.gz and without a password"

LITTER = frozenset({"__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini"})
"""What operating systems put into archives by themselves."""

BROKEN = (
    zipfile.BadZipFile, tarfile.TarError, gzip.BadGzipFile, zlib.error, EOFError, NotImplementedError, RuntimeError,
    UnicodeError, ValueError, OverflowError, LookupError, struct.error,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class PackedFile:
    """A file in an archive."""

    path: PurePosixPath
    size: int
    executable: bool
    key: Any  # by which the archive's library finds it


class Archive(Protocol):
    """An archive that can be listed and read."""

    def members(self) -> Iterator[PackedFile]: ...

    def read(self, member: PackedFile) -> IO[bytes]: ...


def is_packed(bot: Path) -> bool:
    return bot.name.lower().endswith(SUFFIXES) and bot.is_file()


def packed_name(bot: Path) -> str:
    """Returns the name of an archive without the ending that makes it one."""
    return next((bot.name[: -len(end)] for end in reversed(SUFFIXES) if bot.name.lower().endswith(end)), bot.stem)


def unpacked(archive: Path) -> Path:
    """Returns the folder with the content of an archive, unpacked now or earlier."""
    content = content_of(archive)
    key = key_of("archive", content)
    if (found := cached_copy(Level.CAGED, key)) is None:
        with new_entry(Level.CAGED, key) as target:
            unpack(archive, target)
            if content_of(archive) != content:
                raise UnfitBot(f"{archive.name} changed while it was read", hint="wait until it is written, try again")
        found = cached_copy(Level.CAGED, key)
    assert found is not None, "it was kept a moment ago"
    return found


def content_of(archive: Path) -> str:
    """Returns a hash over an archive, unless it is too large to be looked at."""
    try:
        file = archive.open("rb")
    except OSError as error:
        raise unreadable(f"cannot read {archive.name}", error) from None
    with file:
        if file.seek(0, 2) > ARCHIVE_MAX:
            raise UnfitBot(f"{archive.name} is larger than {ARCHIVE_MAX >> 20} MiB", hint="hand in the sources alone")
        file.seek(0)
        return hashlib.file_digest(file, "sha256").hexdigest()


def unpack(archive: Path, target: Path) -> None:
    """Unpacks an archive into a new folder, without a folder that is wrapped around everything."""
    with blamed_on(archive.name), opened(archive) as content:
        write_out(content, archive.name, archive.stat().st_size, target)


def write_out(content: Archive, name: str, size: int, target: Path) -> None:
    """Writes all files of an archive into a new folder; `size` is what the archive itself takes."""
    files = checked(name, size, content.members())
    peeled = wrapping([member.path for member in files])
    target.mkdir(mode=0o755)
    for member in files:
        place = target / member.path.relative_to(peeled)
        place.parent.mkdir(parents=True, exist_ok=True)
        with content.read(member) as source, place.open("xb") as copy:
            copy_exactly(source, copy, member.size)
        place.chmod(0o755 if member.executable else 0o644)


@contextmanager
def blamed_on(name: str) -> Iterator[None]:
    """Turns what goes wrong with an archive into a sentence about it."""
    try:
        yield
    except UnfitBot:
        raise
    except (FileExistsError, NotADirectoryError, IsADirectoryError):
        raise UnfitBot(f"{name} holds two files with the same name", hint="pack it again") from None
    except (*BROKEN, OSError) as error:
        if isinstance(error, OSError) and error.errno not in (None, *BAD_NAMES):
            raise  # what the machine refuses us says nothing about the archive
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise UnfitBot(f"{name} cannot be unpacked ({reason})", hint=PACK_AGAIN) from None


def checked(name: str, size: int, members: Iterator[PackedFile]) -> list[PackedFile]:
    """Returns the files of an archive, after everything that can be counted was counted."""
    files: list[PackedFile] = []
    total, most = 0, max(RATIO_FREE, RATIO_MAX * size)
    for member in members:
        if LITTER.intersection(member.path.parts):
            continue
        files.append(member)
        total += member.size
        if len(files) > FILES_MAX:
            raise UnfitBot(f"{name} holds more than {FILES_MAX} files", hint="hand in the sources alone")
        if total > min(most, BYTES_MAX):
            raise UnfitBot(f"{name} unpacks to more than {min(most, BYTES_MAX) >> 20} MiB", hint="hand in less")
    if not files:
        raise UnfitBot(f"{name} holds no files", hint="pack the folder of the bot")
    return files


def wrapping(paths: list[PurePosixPath]) -> PurePosixPath:
    """Returns the folder that all paths lie in, if there is one: people pack a folder as often as what is in it."""
    *around, _ = paths[0].parts
    for path in paths:
        *folders, _ = path.parts
        same = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(around, folders, strict=False))
        around = [folder for folder, _ in same]
    return PurePosixPath(*around)


def copy_exactly(source: IO[bytes], copy: IO[bytes], size: int) -> None:
    """Copies as many bytes as the archive's directory says, and raises an error if there are more or fewer."""
    left = size
    while left and (chunk := source.read(min(CHUNK, left))):
        copy.write(chunk)
        left -= len(chunk)
    if left or source.read(1):
        raise EOFError("a file in it is longer or shorter than its directory says")


def safe_path(name: str) -> PurePosixPath:
    """Returns the path of a member, which must lie below the folder that it is unpacked into."""
    path = PurePosixPath(name.replace("\\", "/"))
    wrong = path.is_absolute() or ".." in path.parts or not path.parts or ":" in path.parts[0]
    if wrong or "\0" in name or len(name.encode()) > PATH_MAX or len(path.parts) > DEPTH_MAX:
        raise UnfitBot(f"the path {quoted(name)} in an archive", hint="paths must be relative and without ..")
    return path


def refuse_link(name: str) -> UnfitBot:
    return UnfitBot(f"{quoted(name)} in an archive is a link or a device", hint="pack the file itself")


@contextmanager
def opened(archive: Path) -> Iterator[Archive]:
    if archive.name.lower().endswith(UNREAD):
        raise UnfitBot(f"{archive.name} is a kind of archive that is not read here", hint="pack it as zip or tar.gz")
    if archive.name.lower().endswith(".zip"):
        if archive.read_bytes().count(ZIP_ROW) > 2 * FILES_MAX:  # the library reads all of the directory at once
            raise UnfitBot(f"{archive.name} holds more than {2 * FILES_MAX} files and folders", hint="hand in less")
        with zipfile.ZipFile(archive) as content:
            yield ZipContent(content)
    else:
        with (
            plain_tar(archive) as file,
            tarfile.open(fileobj=file, mode="r:", tarinfo=CheckedHeader) as content,
        ):
            yield TarContent(content)


class ZipContent:
    def __init__(self, content: zipfile.ZipFile) -> None:
        self._content = content

    def members(self) -> Iterator[PackedFile]:
        for row in self._content.infolist():
            mode = row.external_attr >> 16  # of who packed it on a Unix machine; else 0
            if row.is_dir():
                continue
            if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
                raise refuse_link(row.filename)
            if row.compress_type not in ZIP_METHODS:
                raise UnfitBot(f"{quoted(row.filename)} in an archive is compressed in a rare way", hint=PACK_AGAIN)
            yield PackedFile(safe_path(row.filename), row.file_size, bool(mode & stat.S_IXUSR), row)

    def read(self, member: PackedFile) -> IO[bytes]:
        return self._content.open(member.key)


class TarContent:
    def __init__(self, content: tarfile.TarFile) -> None:
        self._content = content

    def members(self) -> Iterator[PackedFile]:
        for count, row in enumerate(self._content, 1):
            if count > 2 * FILES_MAX:
                raise UnfitBot(
                    f"it holds more than {2 * FILES_MAX} files and folders", hint="hand in the sources alone"
                )
            if row.isdir():
                continue
            if not row.isreg() or row.issparse():
                raise refuse_link(row.name)
            if row.size < 0:
                raise tarfile.ReadError("a file of negative size")
            yield PackedFile(safe_path(row.name), row.size, bool(row.mode & stat.S_IXUSR), row)

    def read(self, member: PackedFile) -> IO[bytes]:
        found = self._content.extractfile(member.key)
        assert found is not None, "only regular files are members"
        return found


@contextmanager
def plain_tar(archive: Path) -> Iterator[IO[bytes]]:
    """Opens a tar archive. One that is compressed is unpacked to a temporary file first, as far as it may be long."""
    with archive.open("rb") as file:
        if file.read(2) != b"\x1f\x8b":
            file.seek(0)
            yield file
            return
        file.seek(0)
        with tempfile.TemporaryFile() as plain:
            with gzip.GzipFile(fileobj=file) as packed:
                left = BYTES_MAX + 2 * FILES_MAX * BLOCK
                while chunk := packed.read(CHUNK):
                    left -= len(chunk)
                    if left < 0:
                        raise UnfitBot(
                            f"{archive.name} unpacks to more than {BYTES_MAX >> 20} MiB", hint="hand in less"
                        )
                    plain.write(chunk)
            plain.seek(0)
            yield plain


class CheckedHeader(tarfile.TarInfo):
    """A header of a tar archive, which is looked at before the library reads what follows it."""

    @classmethod
    def fromtarfile(cls, tarfile: tarfile.TarFile) -> Self:
        """Reads the next header, unless what follows would cost the library much memory or time."""
        file: Any = tarfile.fileobj
        at = file.tell()
        check_header(file)
        file.seek(at)
        return super().fromtarfile(tarfile)


def check_header(file: IO[bytes]) -> None:
    header = file.read(BLOCK)
    kind = header[156:157]
    if kind == tarfile.GNUTYPE_SPARSE:
        raise UnfitBot("a file with holes in an archive", hint=PACK_AGAIN)
    if not kind or kind not in DESCRIPTIONS:
        return
    size = tarfile.nti(header[124:136])  # type: ignore[attr-defined]
    if not 0 <= size <= DESCRIPTION_MAX or ENDLESS_NUMBER.search(file.read(size)):
        raise UnfitBot("a description in the archive is far too long", hint="pack it again, with shorter names")
