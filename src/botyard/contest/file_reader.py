"""What organisers write in TOML is read in one pass that goes on after a mistake, so that all of them are listed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from botyard.contest.messages import CageOptions
from botyard.jail.limits import Level
from botyard.kernel.errors import UnknownName, YardError, quoted
from botyard.kernel.settings import LARGEST
from botyard.links.cage_policy import narrow_toolchain

LEVELS = ("", *map(str, Level))
LEAST_MB = 16


@dataclass(frozen=True, slots=True)
class Mistake:
    """A mistake in the file: where it is, what is wrong, and the remedy."""

    where: str
    what: str
    hint: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}" + (f" ({self.hint})" if self.hint else "")


class BadFile(YardError):
    """The error that lists all mistakes of a file."""

    def __init__(self, path: Path, mistakes: list[Mistake]) -> None:
        count = f"{len(mistakes)} mistakes" if len(mistakes) > 1 else "a mistake"
        super().__init__(f"{path} has {count}", hint="\n       ".join(map(str, mistakes)))
        self.mistakes = mistakes


@dataclass(frozen=True, slots=True)
class Part:
    """A context in which one part of the file is read: a mistake is noted and ends only this part."""

    where: str
    mistakes: list[Mistake]

    def __enter__(self) -> None: ...

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> bool:
        if isinstance(error, YardError):
            self.mistakes.append(Mistake(self.where, error.message, error.hint))
        return isinstance(error, YardError)


@dataclass(slots=True)
class FileReader:
    """Reads a file and notes its mistakes."""

    path: Path
    base: Path | None = None  # what paths in the file are relative to; by default the file's folder
    mistakes: list[Mistake] = field(default_factory=list)

    @property
    def folder(self) -> Path:
        return self.base or self.path.parent

    def part(self, where: str) -> Part:
        """Returns the context for one part of the file, `where`, so that a mistake in it does not end the reading."""
        return Part(where, self.mistakes)

    def know(self, content: Mapping[str, Any], keys: Iterable[str], what: str = "key", where: str = "") -> None:
        """Notes every key that is none of these."""
        known = list(keys)
        for key in content:
            with self.part(where or key):
                if key not in known:
                    raise UnknownName(what, key, known)

    def text(self, content: Mapping[str, Any], key: str, default: str) -> str:
        value = content.get(key, default)
        if not isinstance(value, str):
            self.mistakes.append(Mistake(key, f"{key} = {quoted(value)}", "must be a string in quotes"))
            return default
        return value

    def table(self, content: Mapping[str, Any], key: str) -> dict[str, Any]:
        value = content.get(key, {})
        if not isinstance(value, dict):
            self.mistakes.append(Mistake(key, f"{key} = {quoted(value)}", f"must be a table: [{key}]"))
            return {}
        return value

    def cage(self, given: Mapping[str, Any], toolchains: Mapping[str, Any]) -> CageOptions | None:
        known, before = {row.name for row in fields(CageOptions)} - {"toolchains"}, len(self.mistakes)
        for key, value in given.items():
            with self.part("cage"):
                if key not in known:
                    raise UnknownName("key of [cage]", key, known)
                if key == "level" and value not in LEVELS:
                    raise YardError(
                        f"level = {quoted(value)}", hint=f"must be one of {', '.join(map(repr, LEVELS[1:]))}"
                    )
                if key == "memory_mb" and (type(value) is not int or not LEAST_MB <= value <= LARGEST):
                    raise YardError(f"memory_mb = {quoted(value)}", hint=f"must be a whole number, at least {LEAST_MB}")
                if key == "freeze" and not isinstance(value, bool):
                    raise YardError(f"freeze = {quoted(value)}", hint="must be true or false")
        added = {name: self.toolchain(name, path) for name, path in toolchains.items()}
        return CageOptions(**given, toolchains=added) if len(self.mistakes) == before else None

    def toolchain(self, name: str, path: Any) -> str:
        """Returns the folder of a toolchain that the organiser adds; its path is relative to the file."""
        with self.part(f"toolchains.{name}"):
            if not isinstance(path, str) or not path.isprintable():
                raise YardError(f"{name} = {quoted(path)}", hint='must be a folder in quotes, such as "/opt/zig"')
            folder = self.folder / path
            narrow_toolchain(name, folder)  # raises if it is no toolchain
            return str(folder)
        return ""
