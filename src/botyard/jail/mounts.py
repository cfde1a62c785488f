"""A cage shows the system, the toolchains a program needs and the bot's own folder; here that becomes options."""

from __future__ import annotations

import pwd
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

from botyard.jail.toolchains import SYSTEM, Toolchain, real, within
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
    """Options for bubblewrap that show the system, read-only."""
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
    """Options that put an empty file over everything of /proc that is to be hidden."""
    there = [place for name in HIDDEN_PROC if (place := Path("/proc", name)).exists()]
    return tuple(word for place in there for word in ("--ro-bind", "/dev/null", str(place)))


def check_narrow(folder: Path) -> None:
    """Refuses to show a folder that holds much more than a bot."""
    lies = real(folder)
    if str(lies) in TOO_BROAD or within(lies, HIDDEN) or any(home.is_relative_to(lies) for home in homes()):
        raise YardError(
            f"the cage would show the bot all of {folder}",
            hint="move the bot into a folder of its own, or trust it with --open",
        )


@cache
def homes() -> tuple[Path, ...]:
    """The homes of the people on this machine; the system's own users have none in particular."""
    found = [Path.home(), *(Path(person.pw_dir) for person in pwd.getpwall())]
    lie = {real(home) for home in found if home.is_absolute() and str(home) != "/"}
    return tuple(sorted(home for home in lie if home.is_dir() and not within(home, SYSTEM)))


def file_options(places: Mapping[Path, Path]) -> Iterator[str]:
    """Options that show files read-only, each at its place, on a path everybody may walk."""
    visible = [place for place in outermost(places) if not within(place, SYSTEM)]
    yield from folder_options(parent for place in visible for parent in place.parents)
    for place in visible:
        yield from ("--ro-bind", str(places[place]), str(place))


def folder_options(folders: Iterable[Path]) -> Iterator[str]:
    """Options that make empty folders."""
    for folder in sorted({folder for folder in folders if str(folder) not in ("/", "/tmp")}):
        if not within(folder, SYSTEM):
            yield from ("--perms", "0755", "--dir", str(folder))


def link_options(toolchains: Iterable[Toolchain]) -> Iterator[str]:
    """Options for the links of toolchains, after their folders are there."""
    links = {place: target for toolchain in toolchains for place, target in toolchain.links.items()}
    yield from folder_options(parent for place in links for parent in place.parents)
    for place, target in links.items():
        yield from ("--symlink", target, str(place))


def outermost(folders: Iterable[Path]) -> list[Path]:
    """The folders, without those that lie in another of them."""
    ordered = sorted(set(folders))
    return [folder for folder in ordered if not any(folder.is_relative_to(o) for o in ordered if o != folder)]
