"""Which files a cage shows: the system's programs and libraries, the bot's folder, the tools it needs. Nothing else."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

from botyard.kernel.errors import YardError

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")

# Programs look these up; none of them tells anything about the machine or its people.
ETC = ("ld.so.cache", "alternatives", "localtime", "nsswitch.conf")
ETC_OF_LINKERS = ("ld.so.conf", "ld.so.conf.d")  # every mount is a tenth of a millisecond of every start
ETC_PATTERNS = ("java*",)  # a Java machine does not start without its configuration

TOO_BROAD = {
    "/",
    "/home",
    "/root",
    "/tmp",
    "/var",
    "/var/tmp",
    "/etc",
    "/opt",
    "/srv",
    "/mnt",
    "/media",
    "/run",
    "/dev",
}
HIDDEN = ("/proc", "/sys", "/etc", "/run", "/dev", "/boot")

INTERPRETER = Path(os.path.realpath(sys.executable))
"""Our own interpreter, outside any virtual environment."""


@cache
def system_binds(builds: bool) -> tuple[str, ...]:
    """Arguments for bubblewrap that show the system, read-only."""
    arguments = ["--perms", "0755", "--dir", "/etc", "--perms", "0755", "--dir", "/home"]
    for place in SYSTEM:
        path = Path(place)
        if path.is_symlink():
            arguments += ["--symlink", str(path.readlink()), place]
        elif path.is_dir():
            arguments += ["--ro-bind", place, place]
    etc = Path("/etc")
    named = [etc / name for name in (*ETC, *(ETC_OF_LINKERS if builds else ()))]
    for path in named + [path for pattern in ETC_PATTERNS for path in sorted(etc.glob(pattern))]:
        if path.is_symlink() and within(path.resolve(), SYSTEM):
            arguments += ["--symlink", str(path.resolve()), str(path)]
        else:
            arguments += ["--ro-bind-try", str(path), str(path)]
    return tuple(arguments)


def find_program(name: str, folder: Path) -> Path | None:
    """The program a command line names, as a shell in that folder would find it."""
    if "/" in name:
        path = folder / name
        return path if path.exists() else None
    found = shutil.which(name)
    return behind_shim(Path(found)) if found else None


def behind_shim(program: Path) -> Path:
    """Some tools put a stand-in on the path that looks the real program up, in places a cage does not show."""
    if program.parent.name == "shims" and program.name.startswith("python"):
        return INTERPRETER
    if os.path.realpath(program).endswith("/rustup"):
        rustup = Path(os.environ.get("RUSTUP_HOME", Path.home() / ".rustup"))
        real = sorted(rustup.glob(f"toolchains/*/bin/{program.name}"))
        return real[-1] if real else program
    return program


def tool_places(program: Path) -> list[Path]:
    """What a program outside the system needs: its installation, and each link on the way to it."""
    places, seen = [], set()
    path = program.absolute()
    while path not in seen:
        seen.add(path)
        real = Path(os.path.realpath(path.parent)) / path.name  # a folder on the way may be a link as well
        places += [installation(at) for at in (path, real) if not within(at, SYSTEM)]
        path = Path(os.path.normpath(real.parent / real.readlink())) if real.is_symlink() else real
    return list(dict.fromkeys(places))


def installation(program: Path) -> Path:
    """The folder a program was installed into; the program alone where that folder is somebody's home or the like."""
    folder = program.parent.parent if program.parent.name == "bin" else program.parent
    return program if is_broad(folder) else folder


def is_broad(folder: Path) -> bool:
    """Whether a folder holds much more than a bot or a tool: `~/.local` and `~/.cargo` keep secrets beside programs."""
    if str(folder) in TOO_BROAD or folder == Path.home():
        return True
    return folder.parent == Path.home() and not (folder / "pyvenv.cfg").exists()


def within(path: Path, places: Iterable[str]) -> bool:
    return any(path.is_relative_to(place) for place in places)


def check_narrow(folder: Path) -> None:
    """A cage shows its bot's folder; one that holds much more than a bot is a mistake."""
    if str(folder) in TOO_BROAD or folder == Path.home() or within(folder, HIDDEN):
        raise YardError(
            f"the cage would show the bot all of {folder}",
            hint="move the bot into a folder of its own, or trust it with --open",
        )


def shown(places: Mapping[Path, Path]) -> Iterator[str]:
    """Arguments for bubblewrap that show things read-only, each at its place, on a path everybody may walk."""
    visible = [place for place in outermost(places) if not within(place, SYSTEM)]
    parents = {parent for place in visible for parent in place.parents if str(parent) not in ("/", "/tmp")}
    for parent in sorted(parents):
        yield from ("--perms", "0755", "--dir", str(parent))
    for place in visible:
        source = places[place]
        if source.is_symlink() and not source.is_dir():
            yield from ("--symlink", str(source.readlink()), str(place))  # a program may look where it really is
        else:
            yield from ("--ro-bind", str(source), str(place))


def outermost(folders: Iterable[Path]) -> list[Path]:
    """Without those that lie in another."""
    ordered = sorted(set(folders))
    return [folder for folder in ordered if not any(folder.is_relative_to(o) for o in ordered if o != folder)]
