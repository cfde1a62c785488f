"""The hostile bots: what each does, which links it attacks, and what must become of it.

A folder holds the bot and `expected.toml`:

    row         the row of the catalogue it stands for
    does        what it does, in a sentence
    links       which links it attacks: hackman (pipes), hive and snakepit (TCP), json (our own protocol over pipes)
    verdicts    the verdicts of its turns, in the order in which they first come
    reason      words the reason of its first lost turn has in it
    said        words its author finds among what it printed
    early       whether something of it was dropped as sent too early
    levels      how it may be held; only in a cage unless it says more
    command     how it is started, if not as a Python program
    twins       whether it plays against itself, twice
    freeze      whether it stands still between its turns
    [limits]    what it may use, where that is less than usual
    [LINK]      `verdicts`, `reason` and `settings` that differ on that link
"""

from __future__ import annotations

import shlex
import shutil
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from botyard.jail.limits import Limits

HERE = Path(__file__).parent
ROWS = range(1, 40)  # row 40 is about HTTP


@dataclass(frozen=True)
class Hostile:
    name: str
    row: int
    does: str
    links: list[str]
    verdicts: list[str]
    reason: str = ""
    said: str = ""
    early: bool = False
    levels: list[str] = field(default_factory=lambda: ["caged"])
    command: str = ""
    twins: bool = False
    freeze: bool = False
    limits: dict[str, Any] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=dict)
    on: dict[str, dict[str, Any]] = field(default_factory=dict)

    def against(self, link: str) -> Hostile:
        """What is expected on one link."""
        return Hostile(**{**vars(self), **self.on.get(link, {})})

    @property
    def allowed(self) -> Limits:
        return Limits(**self.limits)

    def bot(self, folder: Path, link: str, python: str) -> str:
        """A copy of the bot in a folder, as a BOT of the command line."""
        home = folder / self.name
        shutil.copytree(HERE / self.name, home, dirs_exist_ok=True)
        shutil.copy(HERE / "wire.py", home)
        if self.command:
            return f"cmd:{shlex.quote(str(home / self.command))}"
        program = f"{shlex.quote(python)} -B {shlex.quote(str(home / 'bot.py'))}"
        return f"json:{program} json" if link == "json" else f"cmd:{program}"


def read_hostile(folder: Path) -> Hostile:
    told = tomllib.loads((folder / "expected.toml").read_text())
    links: dict[str, dict[str, Any]] = {
        link: told.pop(link) for link in ("hackman", "hive", "snakepit", "json") if link in told
    }
    return Hostile(name=folder.name, on=links, **told)


CATALOGUE = [read_hostile(path.parent) for path in sorted(HERE.glob("*/expected.toml"))]


def cases() -> Iterator[tuple[Hostile, str, str]]:
    """Every bot on every link and at every level it may be held at."""
    for hostile in CATALOGUE:
        for link in hostile.links:
            for level in hostile.levels:
                yield hostile, link, level
