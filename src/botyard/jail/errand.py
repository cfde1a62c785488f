"""What is to be run, and where: everything a cell needs to know about a program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from botyard.jail.limits import Level, Limits

FIRST_LENT = 3


@dataclass(frozen=True, slots=True)
class Errand:
    """A command line, the folder it runs in, and how it is held."""

    command: tuple[str, ...]
    folder: Path  # where it runs
    level: Level = Level.OPEN
    limits: Limits = field(default_factory=Limits)
    shows: Mapping[Path, Path] = field(default_factory=dict)  # what a cage shows read-only: place → what lies there
    scratch: Path | None = None  # a folder a cage has in memory, to build in
    owns: Path | None = None  # without a cage: the folder that is given to the program's user, to build in
    tools: tuple[Path, ...] = ()  # further programs it will start
    port: int = 0  # the one port of 127.0.0.1 a caged bot may reach; 0: none
    lends: tuple[int, ...] = ()  # open descriptors that go over to it, numbered from FIRST_LENT on
    freezes: bool = False  # it stands still between turns
    nests: bool = False  # it divides its cage further, and installs the filter on system calls by itself
    environment: Mapping[str, str] = field(default_factory=dict)

    @property
    def outside(self) -> Path:
        """Where the folder lies on this machine."""
        return self.shows.get(self.folder, self.folder)
