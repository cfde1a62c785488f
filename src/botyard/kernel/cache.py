"""This module keeps compiled rules on disk, and makes sure that none of them is ever stale.

Numba's own disk cache looks only at the file of the function itself, so an edit of `chance.py` would leave every game
that draws with the old code. Ours has a folder for each game and each stamp of it (`stamp.py`): an edit, another
Numba or another processor gives a new folder. A folder is only ever added to; processes that compile the same game at
the same time wait for each other (`compiling`), because Numba numbers its files without a lock. What a crash leaves is
at worst a function that is compiled again.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from botyard.kernel.errors import YardError
from botyard.kernel.stamp import home_of, stamp

KEPT_S = 30 * 24 * 3600
SOME_BYTES = 1 << 16
GROUP_WRITES, ALL_WRITE = 0o020, 0o002


def home() -> Path:
    """Returns the folder for everything we keep between runs: `BOTYARD_CACHE`, else the user's cache folder."""
    chosen = os.environ.get("BOTYARD_CACHE")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "botyard"


@cache
def usable_home() -> Path:
    """Returns `home()`, or a folder among the temporary files if that cannot be used."""
    with contextlib.suppress(OSError, RuntimeError):  # RuntimeError: this user has no known home
        if is_usable(home(), chosen=True):
            return home()
    try:
        among_others = Path(tempfile.gettempdir()) / f"botyard-{os.getuid()}"
        with contextlib.suppress(OSError):
            if is_usable(among_others):
                return among_others
        return Path(tempfile.mkdtemp(prefix="botyard-"))
    except OSError as error:
        hint = "set BOTYARD_CACHE to a folder that you can write to and that has free space"
        raise YardError(f"no writable folder was found for cached files ({error.strerror})", hint=hint) from None


def is_usable(folder: Path, chosen: bool = False) -> bool:
    """Whether we can write to a folder and nobody else can. A stranger could put code there for us to load, or a link
    to another folder of ours, in which we would then remove what is old."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if not is_own(folder, chosen):
        return False
    with tempfile.TemporaryFile(dir=folder) as file:
        file.write(bytes(SOME_BYTES))  # a full disk may still take empty files
    return True


def is_own(folder: Path, chosen: bool = False) -> bool:
    """Whether a folder belongs to us and neither everybody nor a group may write to it. A folder that the user has
    chosen may be a link, and its group may write, because that is often the user alone."""
    about = folder.stat() if chosen else folder.lstat()
    others = ALL_WRITE if chosen else ALL_WRITE | GROUP_WRITES
    return about.st_uid == os.geteuid() and stat.S_ISDIR(about.st_mode) and not about.st_mode & others


def rules_folder(home: Path) -> Path:
    """Returns where the compiled rules of a game are kept for its present sources. `home` is the game's own folder."""
    from botyard.kernel.compiler import way
    from botyard.kernel.rule import MODE

    return usable_home() / "rules" / f"{home.name}-{stamp(home)}-{MODE}-{way()}"


class RuleLocator:
    """Tells Numba where the compiled form of a rule is kept (its `_CacheLocator` interface)."""

    def __init__(self, function: Callable[..., Any]) -> None:
        home = home_of(function)
        self._stamp = stamp(home)
        self._path = (function.__botyard_folder__ or rules_folder(home)) / function.__module__  # type: ignore[attr-defined]
        self._line = str(function.__code__.co_firstlineno)

    @classmethod
    def from_function(cls, function: Callable[..., Any], _source: str) -> RuleLocator | None:
        return cls(function) if hasattr(function, "__botyard_folder__") else None

    def ensure_cache_path(self) -> None:
        self._path.mkdir(parents=True, exist_ok=True)

    def get_cache_path(self) -> str:
        return str(self._path)

    def get_source_stamp(self) -> str:
        return self._stamp

    def get_disambiguator(self) -> str:
        return self._line


def install(function: Callable[..., Any], caching: Any, folder: Path | None = None) -> None:
    """Lets a caching module of Numba (CPU or CUDA) keep a function with the rules of its game, or in another folder."""
    function.__botyard_folder__ = folder  # type: ignore[attr-defined]
    locators = caching.CacheImpl._locator_classes
    if RuleLocator not in locators:
        locators.insert(0, RuleLocator)


def to_stderr(text: str) -> None:
    print(text, file=sys.stderr)  # noqa: T201 - the one sentence the library says by itself


announce: Callable[[str], None] = to_stderr
"""Called with one sentence before something is compiled that is not on disk yet."""


def sweep(current: Path) -> None:
    """Removes compiled rules that nobody has used for long, such as those of old sources."""
    for folder in current.parent.iterdir():
        with contextlib.suppress(OSError):  # somebody else may be sweeping
            if folder != current and time.time() - folder.stat().st_mtime > KEPT_S:
                shutil.rmtree(folder, ignore_errors=True)


@cache
def announce_once(text: str) -> None:
    announce(text)


@contextlib.contextmanager
def compiling(home: Path, what: str, key: str) -> Iterator[bool]:
    """Surrounds the first use of a group of compiled functions, `key`. Yields whether they still have to be compiled.

    One process compiles, the others wait and then load what it left. The mark that makes later starts silent is written
    at the end, so an interrupted compilation is announced and finished next time.
    """
    import fcntl

    folder = rules_folder(home)
    mark = folder / f"{key}.ready"
    if mark.exists():
        with contextlib.suppress(OSError):  # it may belong to somebody else
            os.utime(folder)  # so that `sweep` does not remove what is in use
        yield False
        return
    folder.mkdir(parents=True, exist_ok=True)
    sweep(folder)
    with (folder / f"{key}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        fresh = not mark.exists()
        if fresh:
            announce_once(f"Compiling the rules of {what} (once; kept in {folder.parent})")
        yield fresh
        with contextlib.suppress(OSError):  # no room: then it is compiled again next time
            mark.touch()
