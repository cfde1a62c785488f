"""What unpacks an upload, as a program of its own in a cage: nothing that a stranger packed is opened by the server.

It is lent the upload as an open file: the parts one after another, and behind them their names and sizes as JSON. To
its standard output it writes a line of JSON, and behind it the canonical archive of the bot, unless it refuses. Of a
folder of submissions it writes that for each of them, one after another.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import resource
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import IO, Any

from botyard.contest.submissions import is_no_program, name_of
from botyard.jail.bot_files import PASSED_OVER, files_of, fingerprint, read_beginning
from botyard.jail.canonical import bot_in, pack_bot
from botyard.jail.launch import FIRST_LENT
from botyard.jail.manifest import Manifest, seen_manifest
from botyard.jail.packed_bots import (
    LITTER,
    SUFFIXES,
    PackedFile,
    blamed_on,
    is_packed,
    packed_name,
    safe_path,
    unpack,
    wrapping,
    write_out,
)
from botyard.kernel.errors import UnfitBot, YardError, quoted
from botyard.kernel.plain import clean

MAGIC = {
    b"PK\x03\x04": ".zip",
    b"PK\x05\x06": ".zip",
    b"\x1f\x8b": ".tar.gz",
}  # how archives begin, whatever their name
PROGRAMS = b"#!", b"\x7fELF"  # how files begin that can be executed; not every upload can tell modes
SHOWN_NAME = 60
NAMELESS = "bot"
ROOM = "hand in the sources alone"
SUBMISSIONS_MOST = 200  # in one folder


@dataclass(frozen=True, slots=True)
class HandedParts:
    """Files that were handed in one by one, as an archive is read."""

    spool: IO[bytes]
    parts: list[tuple[str, int]]  # path and size

    def members(self) -> Iterator[PackedFile]:
        at = 0
        for path, size in self.parts:
            place = safe_path(path)
            if not PASSED_OVER.intersection(place.parts):
                yield PackedFile(place, size, False, at)
            at += size

    def read(self, member: PackedFile) -> IO[bytes]:
        return BytesIO(os.pread(self.spool.fileno(), member.size, member.key))


def unpack_into(spool: IO[bytes], parts: list[tuple[str, int]], folder: Path) -> tuple[Path, str]:
    """Makes a folder of what was handed in; returns it, and what errors call it."""
    tree = folder / "bot"
    kind = archive_kind(spool, *parts[0]) if len(parts) == 1 else ""
    if not kind:
        name = parts[0][0] if len(parts) == 1 else "the folder"
        with blamed_on(name):
            write_out(HandedParts(spool, parts), name, sum(size for _, size in parts), tree)
        return tree, name
    archive = folder / shown_name(parts[0][0], kind)
    with archive.open("xb") as copy:
        spool.seek(0)
        shutil.copyfileobj(spool, copy)
        copy.truncate(parts[0][1])
    unpack(archive, tree)
    archive.unlink()
    return tree, archive.name


def archive_kind(spool: IO[bytes], name: str, size: int) -> str:
    """Returns the ending that an archive should have; nothing for any other file."""
    head = os.pread(spool.fileno(), min(4, size), 0)
    found = next((kind for start, kind in MAGIC.items() if head.startswith(start)), "")
    if found and not name.lower().endswith(".jar"):
        return found
    return next((end for end in SUFFIXES if name.lower().endswith(end)), "")


def shown_name(name: str, kind: str) -> str:
    """Returns the name of an archive for errors: as it was handed in, if it can be shown, and with the right ending."""
    last = name.replace("\\", "/").rpartition("/")[2]
    fits = last.isascii() and clean(last) == last and len(last) <= SHOWN_NAME and last.lower().endswith(kind)
    return last if fits and not last.startswith(".") else f"upload{kind}"


def given_name(parts: list[tuple[str, int]]) -> str:
    """Returns what a bot is called that has no name of its own: like its archive, its file, or the folder around it."""
    path = PurePosixPath(parts[0][0].replace("\\", "/"))
    if len(parts) == 1:
        named = packed_name(Path(path.name))
        return named if named != path.name else path.stem
    return wrapping([PurePosixPath(name) for name, _ in parts]).name or NAMELESS


def settle(tree: Path) -> None:
    """Refuses names that nobody can read, or that are one on other systems, and lets programs be executed."""
    alike: dict[str, str] = {}
    for file in files_of(tree):
        if (other := alike.setdefault(str(file.path).casefold(), str(file.path))) != str(file.path):
            both = f"{quoted(other)} and {quoted(str(file.path))}"
            raise UnfitBot(f"{both} differ in case alone", hint="rename one: on many systems they are the same file")
        if clean(str(file.path)) != str(file.path):
            raise UnfitBot(f"the name {quoted(str(file.path))} of a file", hint="use letters that can be seen")
        if read_beginning(tree, str(file.path), 4).startswith(PROGRAMS):
            (tree / file.path).chmod(0o755)


def told_of(manifest: Manifest) -> dict[str, Any]:
    """Returns what is kept of a manifest."""
    return {
        "name": manifest.name, "author": manifest.author, "language": manifest.language, "game": manifest.game,
        "build": manifest.build, "run": manifest.run, "protocol": manifest.protocol, "file": manifest.file,
        "found_by": manifest.found_by,
    }  # fmt: skip


def take_in(spool: IO[bytes], parts: list[tuple[str, int]], folder: Path, out: IO[bytes]) -> None:
    """Unpacks what was handed in, reads its manifest and writes what it is."""
    tree, name = unpack_into(spool, parts, folder)
    out.write(json.dumps(looked_at(tree, name, given_name(parts))).encode() + b"\n")
    pack_bot(tree, out)


def looked_at(tree: Path, name: str, given: str) -> dict[str, Any]:
    """Returns what a bot is; `name` is what errors call it, and `given` what it is called without a name of its own."""
    settle(tree)
    try:
        manifest = seen_manifest(bot_in(tree), None, given)
    except YardError as error:
        raise UnfitBot(error.message.replace(str(tree), name), hint=error.hint) from None
    files = files_of(tree)
    head = {"tree": fingerprint(tree), "files": len(files), "bytes": sum(file.size for file in files)}
    return {**head, "manifest": told_of(manifest)}


def take_in_many(spool: IO[bytes], parts: list[tuple[str, int]], folder: Path, out: IO[bytes]) -> None:
    """Unpacks a folder of submissions: whatever lies in it is a bot of somebody, or refused by itself."""
    tree, _ = unpack_into(spool, parts, folder)
    handed_in = sorted(tree.iterdir(), key=lambda path: path.name.casefold())
    for number, path in enumerate(handed_in[:SUBMISSIONS_MOST]):
        name, packed = name_of(path), BytesIO()
        try:
            told = looked_at(own := submission_in(path, folder / f"submission-{number}"), path.name, name)
            pack_bot(own, packed)
        except YardError as error:
            told, packed = {"refused": error.message, "hint": error.hint}, BytesIO()
        out.write(json.dumps({**told, "name": name, "packed": len(packed.getvalue())}).encode() + b"\n")
        out.write(packed.getvalue())
    for path in handed_in[SUBMISSIONS_MOST:]:
        told = {"refused": f"only {SUBMISSIONS_MOST} are taken at a time", "hint": "hand in the others later"}
        out.write(json.dumps({**told, "name": name_of(path), "packed": 0}).encode() + b"\n")


def submission_in(path: Path, target: Path) -> Path:
    """Returns the folder of a submission, which is a folder, an archive or a single file."""
    if path.name.startswith(".") or path.name in LITTER or is_no_program(path):
        raise UnfitBot(f"{path.name} is no program", hint="it is left out")
    if path.is_dir():
        return path
    if is_packed(path):
        unpack(path, target)
    else:
        target.mkdir()
        shutil.copy2(path, target / path.name)
    return target


def hold_back(memory: int, file: int, cpu_s: int) -> None:
    """Sets limits on this process, for machines that cannot hold a cage; in a cage these are there already."""
    for kind, most in ((resource.RLIMIT_DATA, memory), (resource.RLIMIT_FSIZE, file), (resource.RLIMIT_CPU, cpu_s)):
        with contextlib.suppress(OSError, ValueError):  # a stricter limit is there already
            resource.setrlimit(kind, (most, most))


def refuse(out: IO[bytes], message: str, hint: str) -> None:
    out.write(json.dumps({"refused": message, "hint": hint}).encode() + b"\n")


def main(index_at: int, memory: int, file: int, cpu_s: int, many: int = 0) -> None:
    hold_back(memory, file, cpu_s)
    out = sys.stdout.buffer
    with os.fdopen(FIRST_LENT, "rb") as spool, tempfile.TemporaryDirectory() as folder:
        spool.seek(index_at)
        parts = [(path, size) for path, size in json.loads(spool.read())]
        try:
            (take_in_many if many else take_in)(spool, parts, Path(folder), out)
        except YardError as error:
            refuse(out, error.message, error.hint)
        except MemoryError:
            refuse(out, "unpacking it takes more memory than there is for it", ROOM)
        except OSError as error:
            if error.errno not in (errno.ENOSPC, errno.EFBIG):
                raise
            refuse(out, "it takes more room than there is for it", ROOM)
    out.flush()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
