"""What a worker on another machine tells of itself when it comes, and whether it may work for us.

It must run the same Botyard and play by the same rules: a game that is played by others would not be the one that was
asked for. What it tells is made of plain values, so that workers of other versions can be read and refused as well.
"""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from botyard import __version__
from botyard.games import GAMES, load
from botyard.jail.installed_languages import InstalledLanguage, installed
from botyard.jail.languages import LANGUAGES, PROGRAMS
from botyard.jail.levels import obstacle
from botyard.jail.limits import Level
from botyard.jail.toolchains import program_marks
from botyard.kernel.errors import YardError


@dataclass(frozen=True, slots=True)
class WorkerFacts:
    """What a worker has told of itself."""

    machine: str  # what people call it
    node: str = ""  # what the cluster calls it
    process: int = 0
    botyard: str = ""
    rules: Mapping[str, str] = field(default_factory=dict)  # the version of the rules, by game
    obstacles: Mapping[str, str] = field(default_factory=dict)  # why programs cannot be held there, by level
    languages: tuple[InstalledLanguage, ...] = ()  # none if nobody asked
    toolchains: str = ""  # what tells its toolchains from others

    @classmethod
    def of(cls, told: Any) -> WorkerFacts:
        """Reads what a worker has told; one of another version may tell anything."""
        try:
            languages = tuple(InstalledLanguage(**one) for one in told.get("languages", ()))
            return cls(**{**told, "languages": languages})
        except (AttributeError, TypeError):
            return cls("a machine", botyard="another version")

    @property
    def lacking(self) -> frozenset[str]:
        """Returns the languages that it cannot build or run; none if nobody asked."""
        return frozenset(one.name for one in self.languages if one.trouble)


def own_facts(node: str, process: int, *, languages: bool) -> dict[str, Any]:
    """Returns what a worker in this process tells of itself."""
    told: dict[str, Any] = {
        "machine": platform.node(), "node": node, "process": process, "botyard": __version__, "rules": own_rules(),
        "obstacles": {str(level): trouble for level in Level if (trouble := obstacle(level))},
    }  # fmt: skip
    if languages:
        told["languages"] = [installed(name).as_json() for name in LANGUAGES]
        told["toolchains"] = own_toolchains()
    return told


@cache
def own_toolchains() -> str:
    """Returns what tells the toolchains of this machine from others. An upgrade counts from the next start on."""
    marks = program_marks({program for programs in PROGRAMS.values() for program in programs})
    return hashlib.sha256("\n".join(marks).encode()).hexdigest()


def own_rules() -> dict[str, str]:
    """Returns the versions of the rules of all games that are installed here and can be played."""
    rules = {}
    for game in GAMES:
        try:
            rules[game] = str(load(game).facts.rules_version)
        except YardError:
            continue
    return rules


def refusal_of(theirs: WorkerFacts, level: Level | None) -> str:
    """Returns why a worker may not work for us, in a sentence; nothing if it may."""
    if theirs.botyard != __version__:
        return f"{theirs.machine} runs Botyard {theirs.botyard}, and this is {__version__}: install the same there"
    for game, version in own_rules().items():
        other = theirs.rules.get(game)
        if other is None:
            return f"{theirs.machine} does not have the game {game}: install there what is installed here"
        if other != version:
            return f"{theirs.machine} plays {game} by version {other} of its rules, and this is {version}"
    if level is not None and (trouble := theirs.obstacles.get(str(level))):
        return f"bots cannot be {level} on {theirs.machine}: {trouble}"
    return ""
