"""Starters: small bots that play well enough to be improved, a folder for each game and language.

They are written for authors to begin with, so each stands alone: nothing in them imports Botyard.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from botyard.games import GAMES
from botyard.jail.bot_files import files_of
from botyard.jail.languages import language_named
from botyard.kernel.errors import UnknownName, YardError

HERE = Path(__file__).parent
MADE = {"agent", "build"}  # what building a starter where it lies leaves behind


@dataclass(frozen=True, slots=True)
class Starter:
    """A folder to begin with."""

    game: str
    language: str
    folder: Path


def all_starters() -> list[Starter]:
    """Every starter, by game and language."""
    named = [(*folder.name.partition("-")[::2], folder) for folder in sorted(HERE.iterdir())]
    return [Starter(game, language, folder) for game, language, folder in named if game in GAMES]


def starter_for(game: str, language: str) -> Starter:
    """The starter of a game in a language; what there is instead is named."""
    if game not in GAMES:
        raise UnknownName("game", game, GAMES)
    wanted = language_named(language)
    fitting = {starter.language: starter for starter in all_starters() if starter.game == game}
    if wanted not in fitting:
        hint = f"there is one in {', '.join(fitting)}; `botyard init --list` shows all"
        raise YardError(f"no starter for {game} in {wanted}", hint=hint)
    return fitting[wanted]


def write_starter(starter: Starter, target: Path) -> list[str]:
    """Copies a starter into a new or empty folder; gives the paths of its files."""
    try:
        target.mkdir(parents=True, exist_ok=True)
        if any(target.iterdir()):
            raise YardError(f"{target} is not empty", hint="name a new folder: nothing is ever written over")
        written = [str(file.path) for file in files_of(starter.folder) if file.path.parts[0] not in MADE]
        for path in written:
            (target / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(starter.folder / path, target / path)
    except OSError as error:
        raise YardError(f"cannot write {target}", hint=error.strerror or str(error)) from None
    return written
