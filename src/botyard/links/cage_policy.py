"""How the programs of a game are held, and a program as a launch under it.

What a cage shows of a bot is decided here. All of a `dir:` bot is its own, and it runs from a copy. Of a `cmd:`,
`json:` or `py:` bot it is the folder of the file that the caller names, at its usual place, without the files in it
that others may not read. A command that names no file is shown nothing.
"""

from __future__ import annotations

import contextlib
import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Protocol

import botyard
from botyard.jail.bot_copies import public_files, readable_by_all
from botyard.jail.building import PLACE, built_folder, copied_folder
from botyard.jail.launch import Launch
from botyard.jail.levels import obstacle, strictest
from botyard.jail.limits import Level, Limits
from botyard.jail.manifest import Manifest
from botyard.jail.mounts import check_narrow
from botyard.jail.printed import Overhear, nobody_listens
from botyard.jail.threads import in_thread
from botyard.jail.toolchains import PLACE as TOOLCHAINS
from botyard.jail.toolchains import Toolchain, added_toolchain, tool_at
from botyard.jail.trial import try_cage
from botyard.jail.warden import bots_have_users
from botyard.kernel.errors import YardError, quoted
from botyard.kernel.rule import INTERPRETED
from botyard.kernel.verdict import Fault
from botyard.links.program_names import program_name

HERE = Path()  # the current folder, where the paths of a command line start


@dataclass(frozen=True, slots=True)
class CagePolicy:
    """What an organiser decides about programs: how they are held (`wanted`: caged, limited or open) and within which
    limits. Without a level they are caged."""

    wanted: Level | None = None
    limits: Limits = field(default_factory=Limits)
    freeze: bool = False  # between its turns a program stands still
    added: Mapping[str, Path] = field(default_factory=dict)  # toolchains beside those the house finds: name → folder

    @property
    def level(self) -> Level:
        if self.wanted is None:
            return strictest()
        if trouble := obstacle(self.wanted):
            raise YardError(f"programs cannot be {self.wanted} here", hint=trouble)
        return self.wanted

    @property
    def toolchains(self) -> tuple[Toolchain, ...]:
        """Those that were added; one that would show somebody's home is refused. Folders are listed for it: a bot asks
        once, and not for every move."""
        return tuple(narrow_toolchain(name, folder) for name, folder in self.added.items())


def narrow_toolchain(name: str, folder: Path) -> Toolchain:
    """A toolchain the organiser adds, which shows nothing else."""
    try:
        if folder.is_dir():
            check_toolchain_narrow(name, folder)
        return added_toolchain(name, folder)
    except OSError as error:  # a name too long, a loop of links, a folder of somebody else
        raise YardError(f"toolchain {name}: cannot use {quoted(str(folder))}", hint=str(error.strerror)) from None


def check_toolchain_narrow(name: str, folder: Path) -> None:
    try:
        check_narrow(folder)
    except YardError:
        hint = "name a folder in which only the toolchain is installed"
        raise YardError(f"toolchain {name} would show every bot all of {folder}", hint=hint) from None


class Bot(Protocol):
    """A program that can fill a seat."""

    name: str
    own: Path | None  # its file or folder on this machine
    home: Path | None  # what a cage shows of it, with all that lies there
    running: str  # how it is run and what told so, where the caller did not say it

    async def build(self, overhear: Overhear = nobody_listens) -> Fault | None:
        """Makes it ready before the first game; `overhear` hears what compilers say."""
        ...

    def launch(self, *arguments: str, port: int = 0, environment: Mapping[str, str] | None = None) -> Launch: ...


class FileBot:
    """What bots have in common that are a file in its own folder: the folder stays where it is and is shown there."""

    running = ""
    name: str

    def __init__(self, policy: CagePolicy, own: Path | None, named: Sequence[Path]) -> None:
        self._policy, self._level = policy, policy.level
        self.own, self.named = own, tuple(named)  # the files that the caller named are shown, whoever may read them
        self.home = own.parent if own else None
        if self.home is not None and self._level is Level.CAGED:
            check_narrow(self.home)

    async def build(self, overhear: Overhear = nobody_listens) -> Fault | None:
        return await try_cage(await in_thread(self.launch))  # what it is shown may have to be copied

    def launch(self, *arguments: str, port: int = 0, environment: Mapping[str, str] | None = None) -> Launch:
        raise NotImplementedError

    @cached_property
    def _toolchains(self) -> tuple[Toolchain, ...]:
        return self._policy.toolchains

    @cached_property
    def _shown(self) -> tuple[dict[Path, Path], Path | None]:
        """What a cage shows of it, and which of that is a copy."""
        if self.home is None or self._level is not Level.CAGED:
            return {}, None
        public = public_files(self.home, self.named)
        if public is None and (not bots_have_users() or readable_by_all(self.home, self.named)):
            return {self.home: self.home}, None
        copy = copied_folder(self.home, public, Level.CAGED)
        return {self.home: copy}, copy


class CommandBot(FileBot):
    """A program that is there already, named by the caller's command line. It is run in the caller's folder, where
    the paths in the command line start."""

    def __init__(self, command: Sequence[str], policy: CagePolicy, folder: Path = HERE) -> None:
        self._command = tuple(command)
        self._here = Path(os.path.realpath(folder))
        own = own_file(self._command, self._here, policy)
        super().__init__(policy, own, [path for word in command if (path := file_named(word, self._here))])
        self.name = program_name(command, self._here.name)

    def launch(self, *arguments: str, port: int = 0, environment: Mapping[str, str] | None = None) -> Launch:
        shows, copy = self._shown
        return Launch(
            (*self._command, *arguments), self._here, self._level, self._policy.limits, shows, copy, callers=True,
            toolchains=self._toolchains, port=port if self._level is Level.CAGED else 0,
            freezes=self._policy.freeze, environment=environment or {},
        )  # fmt: skip


class FunctionBot(FileBot):
    """A file with a Python function in it, run by our own interpreter, which brings Botyard along."""

    def __init__(self, file: Path, command: Sequence[str], policy: CagePolicy) -> None:
        own = file.resolve()
        super().__init__(policy, own, [own])
        self._command = tuple(command)
        self.name = file.stem

    def launch(self, *arguments: str, port: int = 0, environment: Mapping[str, str] | None = None) -> Launch:
        package = Path(botyard.__file__).resolve().parent
        shows, copy = self._shown
        place = TOOLCHAINS / "botyard" if self._level is Level.CAGED else package.parent
        house = Toolchain("botyard", {}, {}, {place / package.name: package})
        assert self.home is not None
        return Launch(
            (*self._command, *arguments), self.home, self._level, self._policy.limits, shows, copy, callers=True,
            toolchains=(house, *self._toolchains), freezes=self._policy.freeze,
            environment={"PYTHONPATH": str(place), **chosen_compiler(), **(environment or {})},
        )  # fmt: skip


def chosen_compiler() -> dict[str, str]:
    """Tells a child how rules are compiled, which it would else try out anew at every start: in a cage it cannot keep
    the answer, and what is said about it would stand among the bot's own words."""
    if INTERPRETED:
        return {}
    from botyard.kernel.compiler import way

    return {"BOTYARD_COMPILER": way()}


class FolderBot:
    """A bot as its author brings it: a file or a folder, built once and run from what was built."""

    def __init__(self, manifest: Manifest, policy: CagePolicy) -> None:
        self.manifest, self._policy, self._level = manifest, policy, policy.level
        self.name = manifest.name
        self.running = f"{shlex.join(manifest.run)} (found by {manifest.found_by})"
        self.own: Path | None = manifest.folder / manifest.file if manifest.file else manifest.folder
        self.home: Path | None = None if manifest.file else manifest.folder
        self._folder: Path | None = None

    @cached_property
    def _toolchains(self) -> tuple[Toolchain, ...]:
        return self._policy.toolchains

    async def build(self, overhear: Overhear = nobody_listens) -> Fault | None:
        built = await built_folder(self.manifest, self._level, self._toolchains, overhear=overhear)
        if isinstance(built, Fault):
            return built
        self._folder = built
        return await try_cage(self.launch())

    def launch(self, *arguments: str, port: int = 0, environment: Mapping[str, str] | None = None) -> Launch:
        assert self._folder is not None, "build() comes first"
        caged = self._level is Level.CAGED
        place = PLACE if caged else self._folder
        return Launch(
            (*self.manifest.run, *arguments), place / self.manifest.inside, self._level, self._policy.limits,
            {place: self._folder}, self._folder, toolchains=self._toolchains,
            port=port if caged else 0, freezes=self._policy.freeze, environment=environment or {},
        )  # fmt: skip


def own_file(command: Sequence[str], here: Path, policy: CagePolicy) -> Path | None:
    """The bot's own file: the first word that names one outside the toolchains.

    A program that is named by its path and reads a file of another folder is not the bot but what runs it.
    """
    own = [path for at, word in enumerate(command) if (path := file_named(word, here, program=at == 0))]
    own = [path for path in own if not is_tool(path, policy)]
    if len(own) > 1 and own[0] == file_named(command[0], here, program=True):
        program, file = own[:2]
        if not (file.is_relative_to(program.parent) or program.is_relative_to(file.parent)):
            return file
    return own[0] if own else None


def file_named(word: str, here: Path, program: bool = False) -> Path | None:
    """The file a word names; a program without a slash in its name is looked for elsewhere."""
    if program and "/" not in word:
        return None
    path = Path(os.path.normpath(here / word))
    with contextlib.suppress(OSError, ValueError):  # a word may be too long for a name
        if path.is_file():
            return path
    return None


def is_tool(path: Path, policy: CagePolicy) -> bool:
    """Whether a file belongs to a toolchain."""
    added = any(path.is_relative_to(os.path.realpath(folder)) for folder in policy.added.values())
    return added or tool_at(path) is not None
