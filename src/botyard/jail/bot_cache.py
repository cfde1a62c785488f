"""Copies of bots are kept in a cache, each under a hash of its content, ready to be shown in a cage.

An entry is a folder with the copy as it was made (`bot`) and, where every bot is a user of its own, one more copy for
each of these users: what only its owner may read can be read by nobody but the bot whose file it is. In a cage, which
shows everything read-only, the copy is the bot's own (`for-NUMBER`), and a file keeps its mode. Where no cage stands
around it the copy is only lent (`lent-to-NUMBER`): a bot could change its own files, and keep notes for the next game.
Nobody else can list these folders, and their names cannot be guessed. Where a warden gives users out, nobody can make
copies theirs: all of them are shown one copy that everybody could read, in a folder that nobody but us can enter
(`opened`). Beside the copies lie the log of the build that made them (`log`), if there was one, and the marks of the
processes that use them (`used-PROCESS-BIRTH`).
"""

from __future__ import annotations

import contextlib
import hashlib
import math
import os
import platform
import shutil
import stat
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from botyard.jail.bot_copies import copy_bot, remove_tree
from botyard.jail.limits import Level
from botyard.jail.threads import in_thread
from botyard.jail.uids import COUNT, FIRST
from botyard.kernel.cache import is_own, usable_home
from botyard.kernel.errors import OurFault, YardError
from botyard.kernel.processes import started

KEPT_S = 30 * 24 * 3600  # a bot nobody used for so long is forgotten
PASSING_S = 24 * 3600  # what a killed runner left half made, and copies of folders that stay where they are
PASSING = "."  # how the names of these begin
SWEPT_S = 600  # how long a process leaves a folder unswept that it has just swept
COPY, BUILD_LOG = "bot", "log"
OWNED, LENT, OPENED = "for-", "lent-to-", "opened"
USED = "used-"  # and the process that uses an entry, with its birth
LIMITED_FOLDER = Path("/var/cache/botyard/bots")  # they cannot enter a home; and only root can make a folder there


def key_of(*told: object) -> str:
    return hashlib.sha256(repr((*told, platform.machine())).encode()).hexdigest()[:32]


def cache_folder(level: Level) -> Path:
    """The folder of all entries; a bot that runs as another user must be able to walk through it.

    Nothing of a bot is looked at here, so whatever goes wrong is our fault.
    """
    folder = LIMITED_FOLDER if level is Level.LIMITED else home_of_bots()
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o711)
        if not is_own(folder):  # a link may lead anywhere, and what is old there would be removed
            raise OurFault(f"{folder} does not belong to this user, or others can write to it: remove it")
        folder.chmod(0o711)
        sweep_at_times(folder)
    except OSError as error:
        remedy = "set BOTYARD_CACHE to a folder that you can write to"
        raise OurFault(f"no copies of bots can be kept in {folder}: {error.strerror}; {remedy}") from None
    return folder


def home_of_bots() -> Path:
    try:
        return usable_home() / "bots"
    except YardError as error:  # no bot that is to be copied can mend that
        raise OurFault(str(error)) from None


swept_at: dict[Path, float] = {}  # by folder, on this process's clock


def sweep_at_times(folder: Path) -> None:
    """Sweeps a folder unless this process has just done so: thousands of entries take a while to look at."""
    now = time.monotonic()
    if now - swept_at.get(folder, -math.inf) > SWEPT_S:
        swept_at[folder] = now
        sweep(folder)


def sweep(folder: Path) -> None:
    """Removes entries nobody has used for long.

    The clock may jump: what a living process uses stays, however old it seems, and an entry from the future counts as
    new.
    """
    for entry in folder.iterdir():
        with contextlib.suppress(OSError):
            idle_s = time.time() - entry.stat().st_mtime
            if idle_s < 0:
                os.utime(entry)
            elif idle_s > (PASSING_S if entry.name.startswith(PASSING) else KEPT_S) and not is_used(entry):
                remove_tree(entry)


def mark_used(entry: Path) -> None:
    """Notes in an entry that this process uses it; notes of processes that have ended go."""
    for mark in entry.glob(f"{USED}*"):
        if not lives(mark):
            mark.unlink(missing_ok=True)
    (entry / f"{USED}{os.getpid()}-{started(os.getpid())}").touch(mode=0o600)
    os.utime(entry)


def is_used(entry: Path) -> bool:
    return any(map(lives, entry.glob(f"{USED}*")))


def lives(mark: Path) -> bool:
    process, _, birth = mark.name.removeprefix(USED).partition("-")
    return process.isdigit() and started(int(process)) == birth


def cached_copy(level: Level, key: str) -> Path | None:
    """The copy under a key, if there is one; it counts as used."""
    copy = cache_folder(level) / key / COPY
    if not copy.is_dir():
        return None
    with contextlib.suppress(OSError):
        mark_used(copy.parent)
    return copy


class NewEntry:
    """An entry while it is made, in a folder beside the others. It takes its place whole, or is gone."""

    def __init__(self, level: Level, key: str) -> None:
        self._level, self._key = level, key
        self._making: Path | None = None

    def open(self) -> Path:
        """Where the copy is to be made. What else is put beside it is removed with the folder."""
        folder = cache_folder(self._level)
        try:
            self._making = Path(tempfile.mkdtemp(dir=folder, prefix=f"{PASSING}making-"))
            self._making.chmod(0o711)  # a build that runs as another user walks through it
            mark_used(self._making)
        except OSError as error:
            raise OurFault(f"no copy of a bot can be made in {folder}: {error.strerror}") from None
        return self._making / COPY

    def keep(self) -> None:
        """The copy is made: the entry takes its place."""
        assert self._making is not None, "open() comes first"
        for path in self._making.iterdir():
            if path.name not in (COPY, BUILD_LOG) and not path.name.startswith(USED):
                remove_tree(path)
        with contextlib.suppress(OSError):  # somebody else was faster
            self._making.rename(self._making.parent / self._key)

    def close(self) -> None:
        """Removes what was not kept."""
        if self._making is not None:
            remove_tree(self._making)


@contextlib.contextmanager
def new_entry(level: Level, key: str) -> Iterator[Path]:
    """Where a copy is to be made, which is kept unless that fails."""
    entry = NewEntry(level, key)
    try:
        yield entry.open()
        entry.keep()
    finally:
        entry.close()


def users_of(copy: Path) -> list[int]:
    """The users who have a copy of their own already."""
    names = [path.name.removeprefix(kind) for kind in (OWNED, LENT) for path in copy.parent.glob(f"{kind}*")]
    return [int(name) for name in names if name.isdigit() and FIRST <= int(name) < FIRST + COUNT]


async def owned_copy(copy: Path, user: int) -> Path:
    """The copy that belongs to one user, whom the caller holds."""
    own = copy.with_name(f"{OWNED}{user}")
    if not own.is_dir():  # most often it is, and no thread is needed
        await in_thread(make_copy, copy, own, lambda made: give(made, user))
    return own


async def lent_copy(copy: Path, user: int) -> Path:
    """The copy that one user may read, and change nothing in."""
    own = copy.with_name(f"{LENT}{user}")
    if not own.is_dir():
        await in_thread(make_copy, copy, own, lambda made: lend(made, user))
    return own


async def opened_copy(copy: Path) -> Path:
    """The copy that every user can read to whom a cage shows it."""
    own = copy.with_name(OPENED) / COPY
    if not own.is_dir():
        await in_thread(make_opened, copy, own)
    return own


def make_opened(copy: Path, own: Path) -> None:
    own.parent.mkdir(mode=0o700, exist_ok=True)
    make_copy(copy, own, open_to_all)


def make_copy(copy: Path, own: Path, hand: Callable[[Path], None]) -> None:
    """Makes a further copy and hands it on; it takes its place whole. Another process may have made it meanwhile."""
    beside = Path(tempfile.mkdtemp(dir=copy.parent, prefix="making-"))
    try:
        copy_bot(copy, beside / COPY, everything=True)
        hand(beside / COPY)
        (beside / COPY).rename(own)
    except OSError:
        if not own.is_dir():
            raise
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def give(folder: Path, user: int) -> None:
    """Makes a user the owner of a copy of ours, in which nothing has run yet."""
    for path in all_in(folder):
        os.chown(path, user, user, follow_symlinks=False)


def lend(folder: Path, user: int) -> None:
    """Lets a user read, enter and run a copy that stays ours, and lets nobody write there.

    He may do so by the copy's group, in which nobody else is.
    """
    for path in map(Path, all_in(folder)):  # folders and files only: that is what a copy holds
        os.chown(path, -1, user, follow_symlinks=False)
        mode = path.lstat().st_mode
        path.chmod(mode & 0o505 | (mode & 0o500) >> 3)


def open_to_all(folder: Path) -> None:
    """Lets everybody who is shown a copy of ours do with it what its owner may, except write."""
    for path in map(Path, all_in(folder)):
        mode = stat.S_IMODE(path.lstat().st_mode)
        path.chmod(mode | (mode & 0o500) >> 6)


def all_in(folder: Path) -> Iterator[str]:
    for where, _, names in os.walk(folder):
        yield where
        yield from (f"{where}/{name}" for name in names)
