"""Toolchains are the programs bots are built and run with; the house finds them, and nobody else does.

A bot names a program by its bare name; where that lies and which files belong to it is decided here, from a closed list
of families (`installations.py`) and from what the organiser adds. A toolchain of the system needs nothing: every cage
shows the system. One that lives elsewhere, in somebody's home above all, is shown as a list of its own files at a
neutral place, so that a bot sees neither what lies beside it nor whose home it is.

A program is asked before it is believed: some are there and cannot run, such as a rustup without a toolchain.
"""

from __future__ import annotations

import itertools
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from botyard.kernel.errors import YardError, quoted

PLACE = Path("/toolchains")
INTERPRETER = Path(os.path.realpath(sys.executable))
"""Our own interpreter, outside any virtual environment."""
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
"""What every cage shows read-only, as it is."""
OF_SYSTEM = "system"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,39}", re.ASCII)  # of a toolchain the organiser adds
RESERVED = (OF_SYSTEM, "bin", "botyard")
PYTHON = re.compile(r"python(3(\.\d+)?)?")
NAMING = "name a program of a toolchain without its path (python3), or a file inside the bot (./agent)"


@dataclass(frozen=True, slots=True)
class Toolchain:
    """Programs that come together, and all a cage must show for them to run."""

    name: str
    programs: Mapping[str, Path]  # by bare name: where each lies on this machine
    places: Mapping[str, Path]  # by bare name: where each is in a cage
    shown: Mapping[Path, Path] = field(default_factory=dict)  # place in the cage → the file or folder that lies there
    links: Mapping[Path, str] = field(default_factory=dict)  # symbolic links a cage has
    texts: Mapping[Path, str] = field(default_factory=dict)  # small files we write for it
    environment: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of_system(cls, programs: Mapping[str, Path]) -> Toolchain:
        """Programs that are in every cage where they are on this machine."""
        return cls(OF_SYSTEM, programs, programs)

    @property
    def folders(self) -> list[Path]:
        """Where a cage looks for its programs."""
        return list(dict.fromkeys(place.parent for place in self.places.values()))


@dataclass(frozen=True, slots=True)
class Tool:
    """One program: on this machine, in a cage, and what it belongs to."""

    outside: Path
    inside: Path
    toolchain: Toolchain


class Unusable(Exception):
    """A program that is there and does not run, and why."""


def real(path: str | Path) -> Path:
    """Where a path leads in the end, whether anything lies there or not."""
    return Path(os.path.realpath(path))


def in_system(path: Path) -> bool:
    """Whether every cage shows a file anyway; a link in the system may lead out of it."""
    return within(real(path), SYSTEM)


def within(path: Path, places: tuple[str, ...]) -> bool:
    return any(path.is_relative_to(place) for place in places)


def on_path(name: str) -> Iterator[Path]:
    """The programs of this name as a shell would find them, best first."""
    for folder in dict.fromkeys(os.get_exec_path()):
        path = Path(folder, name)
        if path.is_absolute() and os.access(path, os.X_OK) and path.is_file():
            yield path


def program_marks(names: Iterable[str]) -> list[str]:
    """What tells whether these programs have been replaced since: where each lies, its size and age. None is run."""
    marks = []
    for name in sorted(names):
        for program in itertools.islice(on_path(name), 1):
            seen = program.stat()
            marks.append(f"{real(program)} {seen.st_size} {seen.st_mtime_ns}")
    return marks


@cache
def tool_named(name: str) -> Tool | None:
    """The program a bare name stands for: of a family of toolchains, or of the system. Unusable: it does not run."""
    from botyard.jail.installations import family_of

    family, trouble = family_of(name), ""
    if name == "python" and next(on_path(name), None) is None:
        return tool_named("python3")  # what most systems call it by now, and few old scripts
    for program in on_path(name):
        if family is not None:
            try:
                return tool_of(family(program), name)
            except Unusable as reason:
                trouble = trouble or f"{program} does not run: {reason}"
        elif in_system(program):
            return Tool(program, program, Toolchain.of_system({name: program}))
    if trouble:
        raise Unusable(trouble)
    return None


@cache
def tool_at(program: Path, believed: bool = False) -> Tool | None:
    """The same for a program that is named by its path: None if it belongs to no toolchain.

    A program is run to say what it belongs to, so only one that is installed is asked, or one that a caller vouches for
    (`believed`): what lies among a bot's files may be called python, and be anything.
    """
    from botyard.jail.installations import family_of

    family = family_of(program.name)
    if family is not None and os.access(program, os.X_OK) and (believed or is_installed(program)):
        try:
            return tool_of(family(program), program.name)
        except Unusable:
            return None
    return Tool(program, program, Toolchain.of_system({program.name: program})) if in_system(program) else None


def is_installed(program: Path) -> bool:
    """Whether a program, or what it is a link to, can be called by its bare name on this machine, or runs us."""
    lies = real(program)
    if within(lies, SYSTEM) or lies == INTERPRETER:
        return True
    names = {program.name, lies.name, "python3"}
    try:
        found = [path for name in names for path in (*on_path(name), *usable(name))]
    except OSError:
        return False
    return any(real(path) == lies for path in found)


def usable(name: str) -> list[Path]:
    """Where a bare name leads in the end; some programs on the path only pass on to others."""
    try:
        tool = tool_named(name)
    except Unusable:
        return []
    return [tool.outside] if tool else []


def tool_of(toolchain: Toolchain, name: str) -> Tool:
    if name not in toolchain.programs:
        raise Unusable(f"its {toolchain.name} has no {name}")
    return Tool(toolchain.programs[name], toolchain.places[name], toolchain)


@cache
def all_toolchains(builds: bool) -> tuple[Toolchain, ...]:
    """Those outside the system: what a shell script may call, or a makefile."""
    from botyard.jail.installations import COMPILERS, INTERPRETERS

    found = {}
    for name in INTERPRETERS + (COMPILERS if builds else ()):
        first = next(on_path(name), None)
        if first is None or in_system(first):
            continue
        try:
            tool = tool_named(name)
        except Unusable:
            continue
        if tool is not None and tool.toolchain.shown:
            found[tool.toolchain.name] = tool.toolchain
    return tuple(found.values())


def added_toolchain(name: str, path: Path) -> Toolchain:
    """One the organiser names: a program, or a folder with programs in it or in its `bin`."""
    if not NAME.fullmatch(name) or name in RESERVED:
        hint = (
            f"use at most 40 letters, digits, dots and dashes, and not {' or '.join(RESERVED)}: [toolchains] zig = ..."
        )
        raise YardError(f"no toolchain can be called {quoted(name)}", hint=hint)
    lies, home = real(path), PLACE / name
    if not lies.exists():
        raise YardError(
            f"toolchain {name}: there is no file or folder {str(path)!r}", hint="name the folder it is installed in"
        )
    if lies.is_file():
        place = home / lies.name
        return Toolchain(name, {lies.name: lies}, {lies.name: place}, {place: lies})
    programs = {
        path.name: path
        for folder in (lies, lies / "bin")
        if folder.is_dir()
        for path in sorted(folder.iterdir())
        if path.is_file() and os.access(path, os.X_OK)
    }
    if not programs:
        raise YardError(
            f"toolchain {name}: there is no program in {path}", hint="name the folder that holds it, or its bin"
        )
    places = {program: home / file.relative_to(lies) for program, file in programs.items()}
    return Toolchain(name, programs, places, {home: lies})
