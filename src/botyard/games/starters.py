"""Starters: small working bots for authors to improve, in `starters/LANGUAGE` of their game's folder.

Authors copy them, so each stands alone: nothing in them imports Botyard.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from botyard.games import load, load_all
from botyard.games.new_folder import fill_new_folder
from botyard.kernel.errors import YardError

FOLDER = "starters"
LEFT_BEHIND = {"agent", "build"}  # building a starter in its folder leaves these
COMPILED = "__pycache__"  # and running it leaves this, in the folder of every module


@dataclass(frozen=True, slots=True)
class Starter:
    """A bot in one language for one game, as a folder that an author copies."""

    game: str
    language: str
    folder: Path

    @property
    def files(self) -> list[str]:
        """Lists the paths of its files, in order, without what was built there."""
        paths = [path.relative_to(self.folder) for path in sorted(self.folder.rglob("*")) if path.is_file()]
        return [str(path) for path in paths if path.parts[0] not in LEFT_BEHIND and COMPILED not in path.parts]


def starters_of(game: str) -> list[Starter]:
    """Lists the starters of a game by language; a game may have none."""
    folder = load(game).folder / FOLDER
    return [Starter(game, language.name, language) for language in sorted(folder.glob("[!_.]*"))]


def all_starters() -> list[Starter]:
    """Lists the starters of all games that can be used, by game and language."""
    books, _ = load_all()
    return [starter for book in books for starter in starters_of(book.facts.name)]


def starter_for(game: str, language: str) -> Starter:
    """Finds the starter of a game in a language; if there is none, the error names the languages that exist."""
    fitting = {starter.language: starter for starter in starters_of(game)}
    if language not in fitting:
        others = f"{game} has starters in {', '.join(fitting)}" if fitting else f"{game} has no starters"
        raise YardError(
            f"there is no starter for {game} in {language}", hint=f"{others}; `botyard init --list` shows all"
        )
    return fitting[language]


def write_starter(starter: Starter, target: Path) -> list[str]:
    """Copies a starter into a new or empty folder; returns the paths of its files."""
    fill_new_folder(target, {path: (starter.folder / path).read_bytes() for path in starter.files})
    return starter.files
