"""A launch says what is to be run, where, and how it is held: all that a cell needs to know about a program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from botyard.jail.limits import Level, Limits
from botyard.jail.toolchains import Toolchain

FIRST_LENT = 3


@dataclass(frozen=True, slots=True)
class Launch:
    """A command line, the folder it runs in, and how it is held."""

    command: tuple[str, ...]
    folder: Path  # where it runs
    level: Level
    limits: Limits = field(default_factory=Limits)
    shows: Mapping[Path, Path] = field(default_factory=dict)  # what a cage shows read-only: place → what lies there
    copy: Path | None = None  # which of these is a copy of ours, and is to belong to the bot's user
    callers: bool = False  # its words are the caller's, who may name any program; a bot names those of toolchains
    toolchains: tuple[Toolchain, ...] = ()  # what the organiser adds to those of the house
    builds: bool = False  # it calls compilers, and whatever they call
    scratch: Path | None = None  # a folder a cage has in memory, to build in
    owns: Path | None = None  # a copy of ours that the program's user is given before it starts
    port: int = 0  # the one port of 127.0.0.1 a caged bot may reach; 0: none
    lends: tuple[int, ...] = ()  # descriptors it gets copies of, numbered from FIRST_LENT on; they stay the lender's
    freezes: bool = False  # it stands still between turns
    nests: bool = False  # it divides its cage further, and installs the filter on system calls by itself
    environment: Mapping[str, str] = field(default_factory=dict)

    def lies_at(self, name: str) -> Path:
        """Where a file that the command names lies on this machine."""
        path = self.folder / name
        for place, outside in self.shows.items():
            if path.is_relative_to(place):
                return outside / path.relative_to(place)
        return path
