"""How the programs of a game are held, and a program as an errand under it."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from botyard.jail.binds import check_narrow
from botyard.jail.building import PLACE, built_folder, copied_folder
from botyard.jail.errand import Errand
from botyard.jail.levels import obstacle, strictest
from botyard.jail.limits import Level, Limits
from botyard.jail.program import runnable
from botyard.jail.recipe import Recipe
from botyard.jail.staging import readable_by_all
from botyard.jail.uids import can_change_user
from botyard.kernel.errors import YardError
from botyard.kernel.verdict import Fault


@dataclass(frozen=True, slots=True)
class Custody:
    """What an organiser decides about programs. Without a level it is the strictest this machine can do."""

    wanted: Level | None = None
    limits: Limits = field(default_factory=Limits)
    freeze: bool = False  # between its turns a program stands still

    @property
    def level(self) -> Level:
        if self.wanted is None:
            return strictest()
        if trouble := obstacle(self.wanted):
            raise YardError(f"no program can be {self.wanted} here", hint=trouble)
        return self.wanted


class CommandBot:
    """A program that is there already, named by a command line. The cage shows it the folder of the file it names."""

    def __init__(self, command: Sequence[str], custody: Custody) -> None:
        self._command, self._custody = tuple(command), custody
        self._here = Path.cwd()
        script = named_file(self._command, self._here)
        self.name = (script or Path(self._command[0])).stem
        self._home = self._here if script is None or script.is_relative_to(self._here) else script.parent
        if custody.level is Level.CAGED:
            check_narrow(self._home)

    async def build(self) -> Fault | None:
        return None

    def errand(self, *arguments: str, port: int = 0, environment: Mapping[str, str] | None = None) -> Errand:
        level = self._custody.level
        caged = level is Level.CAGED
        folder = self._here if self._here.is_relative_to(self._home) or not caged else self._home
        return Errand(
            (*self._command, *arguments), folder, level, self._custody.limits,
            {self._home: self._readable(self._home)} if caged else {}, port=port if caged else 0,
            freezes=self._custody.freeze, environment=environment or {},
        )  # fmt: skip

    def _readable(self, home: Path) -> Path:
        """The folder itself, or a copy if the bot's user could not read it."""
        if not can_change_user() or readable_by_all(home):
            return home
        return copied_folder(home, Level.CAGED)


class FolderBot:
    """A bot as its author brings it: a file or a folder, built once and run from what was built."""

    def __init__(self, recipe: Recipe, custody: Custody) -> None:
        self._recipe, self._custody = recipe, custody
        self._folder: Path | None = None

    async def build(self) -> Fault | None:
        built = await built_folder(self._recipe, self._custody.level)
        if isinstance(built, Fault):
            return built
        self._folder = built
        ready = runnable(self._recipe.run[0], built)
        return ready if isinstance(ready, Fault) else None

    def errand(self, *arguments: str, port: int = 0, environment: Mapping[str, str] | None = None) -> Errand:
        assert self._folder is not None, "build() comes first"
        level = self._custody.level
        caged = level is Level.CAGED
        return Errand(
            (*self._recipe.run, *arguments), PLACE if caged else self._folder, level, self._custody.limits,
            {PLACE: self._folder} if caged else {}, port=port if caged else 0,
            freezes=self._custody.freeze, environment=environment or {},
        )  # fmt: skip


Bot = CommandBot | FolderBot


def named_file(command: Sequence[str], here: Path) -> Path | None:
    """The first file of the bot's own that a command line names."""
    for word in command:
        path = here / word
        with contextlib.suppress(OSError):  # a word may be too long for a name
            if ("/" in word or "." in word) and path.is_file() and not is_tool(path):
                return path
    return None


def is_tool(path: Path) -> bool:
    """A program that is installed, not written by the bot's author."""
    return path.parent.name == "bin" or path.is_relative_to("/usr")
