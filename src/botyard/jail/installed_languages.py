"""Which languages bots can be written in on this machine: their versions, and the libraries that a bot finds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from botyard.jail.installations import ask
from botyard.jail.languages import PROGRAMS
from botyard.jail.toolchains import Tool, Unusable, tool_named

TITLES = {
    "python": "Python", "javascript": "JavaScript", "java": "Java", "c": "C", "c++": "C++", "go": "Go", "rust": "Rust",
    "lua": "Lua", "shell": "Shell", "make": "Make",
}  # fmt: skip
QUESTIONS = {"go": "version", "lua": "-v", "java": "-version", "javac": "-version"}
BEGINS = {
    "python": "main.py, or the only .py file",
    "javascript": "main.js, or the main of package.json",
    "java": "a class with a main method",
    "c": "a .c file with main",
    "c++": "a .cpp file with main",
    "go": "go.mod, or main.go",
    "rust": "Cargo.toml, or main.rs",
    "lua": "main.lua, or the only .lua file",
    "shell": "main.sh, or a script with a first line",
    "make": "a Makefile that builds agent: for everything else",
}
SYSTEM_LIBRARIES = {
    "python": ("/usr/lib/python3/dist-packages", "/usr/local/lib/python3*/dist-packages"),
    "javascript": ("/usr/share/nodejs", "/usr/lib/nodejs", "/usr/lib/node_modules", "/usr/local/lib/node_modules"),
    "lua": ("/usr/share/lua/*", "/usr/lib/*/lua/*", "/usr/local/share/lua/*"),
}
MOST = 150  # libraries that are named
DISTRIBUTION = re.compile(r"(?P<name>[^-]+)-(?P<version>[^-]+)(?:-.*)?\.(?:dist|egg)-info")


@dataclass(frozen=True, slots=True)
class InstalledLanguage:
    """A language, and what a machine has for it."""

    name: str
    title: str
    begins: str  # what a bot in it begins with
    versions: tuple[str, ...]  # as its programs tell them
    trouble: str  # why it cannot be used; empty: it can
    libraries: tuple[str, ...]
    more: int  # libraries that are not named

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def language_title(language: str) -> str:
    return TITLES.get(language, language)


def installed(language: str) -> InstalledLanguage:
    versions, trouble = [], ""
    tools: list[Tool] = []
    for program in PROGRAMS[language]:
        try:
            tool = tool_named(program)
            if tool is None:
                raise Unusable(f"{program} is not installed")
            versions.append(version_of(tool, program))
            tools.append(tool)
        except Unusable as error:
            trouble = trouble or str(error)
    libraries = sorted(set(libraries_of(language, tools)), key=str.casefold) if not trouble else []
    return InstalledLanguage(
        language, language_title(language), BEGINS.get(language, ""), tuple(versions), trouble,
        tuple(libraries[:MOST]), max(0, len(libraries) - MOST),
    )  # fmt: skip


def version_of(tool: Tool, program: str) -> str:
    """Returns the first line of what a program says of its version."""
    return ask(tool.outside, QUESTIONS.get(program, "--version")).splitlines()[0].strip()[:100]


def libraries_of(language: str, tools: Iterable[Tool]) -> Iterator[str]:
    """Yields libraries beyond the standard one that a bot finds in its cage. Nothing is run for that."""
    folders = [Path(found) for pattern in SYSTEM_LIBRARIES.get(language, ()) for found in sorted(globbed(pattern))]
    if language == "python":
        shown = {real for tool in tools for real in tool.toolchain.shown.values() if real.name == "site-packages"}
        folders = sorted(shown) if shown else folders
    for folder in folders:
        for path in sorted(folder.iterdir()) if folder.is_dir() else ():
            if name := library_name(language, path):
                yield name


def globbed(pattern: str) -> list[str]:
    if "*" not in pattern:
        return [pattern]
    return [str(path) for path in Path("/").glob(pattern.lstrip("/"))]


def library_name(language: str, path: Path) -> str:
    if language == "python":
        found = DISTRIBUTION.fullmatch(path.name)
        return f"{found['name']} {found['version']}" if found else ""
    if path.name.startswith((".", "_")) or path.suffix in (".md", ".txt"):
        return ""
    return path.stem if path.suffix in (".lua", ".so", ".js") or path.is_dir() else ""
