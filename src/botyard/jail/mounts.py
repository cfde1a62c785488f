"""Which files a cage shows: the system, the toolchains a program needs, the bot's own folder. Nothing else."""

from __future__ import annotations

import os
import pwd
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

from botyard.jail.toolchains import SYSTEM, Toolchain, within
from botyard.kernel.errors import YardError

# Programs look these up; none of them tells anything about the machine or its people.
ETC = ("ld.so.cache", "alternatives", "localtime")
ETC_OF_LINKERS = ("ld.so.conf", "ld.so.conf.d")  # every mount is a tenth of a millisecond of every start
ETC_PATTERNS = ("java*",)  # a Java machine does not start without its configuration

HIDDEN_PROC = ("cmdline", "config.gz", "keys", "locks")
"""Of the kernel's own files those that tell how this machine is set up or what others on it do; nobody's bot needs
them. What is left tells how busy it is, which a bot can measure anyway."""

TOO_BROAD = ("/", "/home", "/root", "/tmp", "/var", "/var/tmp", "/opt", "/srv", "/mnt", "/media")
HIDDEN = ("/proc", "/sys", "/etc", "/run", "/dev", "/boot")


@cache
def system_mounts(builds: bool) -> tuple[str, ...]:
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


@cache
def proc_masks() -> tuple[str, ...]:
    """Arguments that put nothing in the place of what is hidden of /proc."""
    there = [place for name in HIDDEN_PROC if (place := Path("/proc", name)).exists()]
    return tuple(word for place in there for word in ("--ro-bind", "/dev/null", str(place)))


def check_narrow(folder: Path) -> None:
    """A cage shows its bot's folder; one that holds much more than a bot is a mistake."""
    real = Path(os.path.realpath(folder))
    if str(real) in TOO_BROAD or within(real, HIDDEN) or any(home.is_relative_to(real) for home in homes()):
        raise YardError(
            f"the cage would show the bot all of {folder}",
            hint="move the bot into a folder of its own, or trust it with --open",
        )


@cache
def homes() -> tuple[Path, ...]:
    """Where people live on this machine, whoever they are; the system's own users live nowhere in particular."""
    found = [Path.home(), *(Path(person.pw_dir) for person in pwd.getpwall())]
    real = {Path(os.path.realpath(home)) for home in found if home.is_absolute() and str(home) != "/"}
    return tuple(sorted(home for home in real if home.is_dir() and not within(home, SYSTEM)))


def file_options(places: Mapping[Path, Path]) -> Iterator[str]:
    """Arguments for bubblewrap that show things read-only, each at its place, on a path everybody may walk."""
    visible = [place for place in outermost(places) if not within(place, SYSTEM)]
    yield from folder_options(parent for place in visible for parent in place.parents)
    for place in visible:
        yield from ("--ro-bind", str(places[place]), str(place))


def folder_options(folders: Iterable[Path]) -> Iterator[str]:
    """Arguments that make empty folders."""
    for folder in sorted({folder for folder in folders if str(folder) not in ("/", "/tmp")}):
        if not within(folder, SYSTEM):
            yield from ("--perms", "0755", "--dir", str(folder))


def link_options(toolchains: Iterable[Toolchain]) -> Iterator[str]:
    """Arguments for the links of toolchains, after their folders are there."""
    links = {place: target for toolchain in toolchains for place, target in toolchain.links.items()}
    yield from folder_options(parent for place in links for parent in place.parents)
    for place, target in links.items():
        yield from ("--symlink", target, str(place))


def outermost(folders: Iterable[Path]) -> list[Path]:
    """Without those that lie in another."""
    ordered = sorted(set(folders))
    return [folder for folder in ordered if not any(folder.is_relative_to(o) for o in ordered if o != folder)]
