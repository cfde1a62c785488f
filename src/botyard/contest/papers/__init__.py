"""The papers of the originals: the text a game's own contest program wrote of its contests, for games that had one.

One module per game, found by the game's name. `write(plan, store)` gives files by name, or none where the contest is
not of the kind the original held; `note(game)`, if it is there, says what the store is to keep of every game for it.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING, Any

from botyard.games.game import Game

if TYPE_CHECKING:
    from botyard.contest.plan import Plan
    from botyard.contest.store import Store


def papers_of(game: str) -> ModuleType | None:
    name = f"{__name__}.{game}"
    return None if importlib.util.find_spec(name) is None else importlib.import_module(name)


def write_papers(plan: Plan, store: Store) -> dict[str, str]:
    papers = papers_of(plan.game)
    files: dict[str, str] = {} if papers is None else papers.write(plan, store)
    return files


def note_taker(game: str) -> Callable[[Game], dict[str, Any]] | None:
    """What makes a note of a finished game, where its papers need one."""
    return getattr(papers_of(game), "note", None)
