"""Starters: small bots that play well enough to be improved, in `starters/LANGUAGE` of their game's folder.

They are written for authors to begin with, so each stands alone: nothing in them imports Botyard.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from botyard.games import load, load_all
from botyard.games.new_folder import fill_new_folder
from botyard.kernel.errors import YardError

FOLDER = "starters"
LEFT_BEHIND = {"agent", "build", "__pycache__"}  # by building or running a starter where it lies


@dataclass(frozen=True, slots=True)
class Starter:
    """A folder to begin with."""

    game: str
    language: str
    folder: Path

    @property
    def files(self) -> list[str]:
        """The paths of its files, in order, without what was built there."""
        paths = [path.relative_to(self.folder) for path in sorted(self.folder.rglob("*")) if path.is_file()]
        return [str(path) for path in paths if path.parts[0] not in LEFT_BEHIND]


def starters_of(game: str) -> list[Starter]:
    """The starters of a game, by language; a game may have none."""
    folder = load(game).folder / FOLDER
    return [Starter(game, language.name, language) for language in sorted(folder.glob("[!_.]*"))]


def all_starters() -> list[Starter]:
    """Every starter of the games that can be used, by game and language."""
    books, _ = load_all()
    return [starter for book in books for starter in starters_of(book.facts.name)]


def starter_for(game: str, language: str) -> Starter:
    """The starter of a game in a language; if there is none, the error names those there are."""
    fitting = {starter.language: starter for starter in starters_of(game)}
    if language not in fitting:
        others = f"there is one in {', '.join(fitting)}" if fitting else f"{game} has none"
        raise YardError(f"no starter for {game} in {language}", hint=f"{others}; `botyard init --list` shows all")
    return fitting[language]


def write_starter(starter: Starter, target: Path) -> list[str]:
    """Copies a starter into a new or empty folder; gives the paths of its files."""
    fill_new_folder(target, {path: (starter.folder / path).read_bytes() for path in starter.files})
    return starter.files
