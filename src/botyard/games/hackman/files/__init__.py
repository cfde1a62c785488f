"""The files of the original Hack-man: the platform's replay and result, and recordings of its rule code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from botyard.games.hackman.files.platform import ReplayWriter, ResultWriter
from botyard.games.hackman.files.recordings import (
    PATHS_HEADER,
    check_examples,
    check_games,
    check_paths,
    is_example,
    is_game,
)
from botyard.games.hackman.files.talk import TalkWriter
from botyard.games.hackman.settings import HackmanSettings
from botyard.kernel.bounded import json_of
from botyard.kernel.contract import Exporter, MatchFile
from botyard.kernel.errors import BadRecord
from botyard.kernel.recording import Believed, Conformance

EXPORTS = {
    ".json": "the platform's replay: every state, as the engine gave it",
    ".result": "the platform's result: winner, replay and both bots' logs, as JSON",
    ".talk": "the talk between the platform's wrapper and its engine",
}
WRITERS: dict[str, type[Exporter]] = {".json": ReplayWriter, ".result": ResultWriter, ".talk": TalkWriter}

PLAYABLE = ()  # none: these files lack the random draws, so `check` plays recordings of the original only

DEBUG_FILE = "game-resultfile.json"


def exporter(suffix: str, names: Sequence[str]) -> Exporter:
    """Returns the writer of a file; its names are not needed, because these files have no names of bots."""
    return WRITERS[suffix]()


def match_files(settings: HackmanSettings) -> list[MatchFile]:
    """Lists the files that the wrapper wrote of a match (5.3)."""
    files = [MatchFile(settings.result_file, ".result")] if settings.result_file else []
    if settings.debug:
        files.append(MatchFile(DEBUG_FILE, ".json"))
        files += [] if settings.suppress_engine_io else [MatchFile("", ".talk")]
    return files


def recognise(text: str) -> bool:
    """Tells by its content whether a recording is of this game."""
    return kind_of(text) is not None


def kind_of(text: str) -> str | None:
    first = text.split("\n", 1)[0]
    if first.rstrip("\r") == PATHS_HEADER:
        return "paths"
    try:
        if first.startswith("{"):
            return "games" if is_game(json_of(first, "the first line")) else None
        if text.lstrip().startswith("["):
            return "examples" if is_example(json_of(text, "the file")) else None
    except BadRecord:
        return None
    return None


def check(text: str, result: Conformance, seed: int | None, new_game: Any) -> None:
    """Plays a recording on our rules; `new_game(settings, seed)` makes a game."""
    kind = kind_of(text)
    checker = {"paths": check_paths, "examples": check_examples}.get(kind or "", check_games)
    with Believed(lambda: f"not a complete recording of Hack-man: it breaks off after {result.steps} steps"):
        checker(text, result, new_game)
