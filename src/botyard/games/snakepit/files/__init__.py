"""The files of Snakepit: results of a match, a picture of the window, and recordings of the original's rule code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from botyard.games.snakepit.files.recorded import check_recording
from botyard.games.snakepit.files.results import ResultsWriter
from botyard.games.snakepit.files.window import WindowWriter
from botyard.games.snakepit.settings import SnakepitSettings
from botyard.kernel.bounded import json_of
from botyard.kernel.contract import Exporter, MatchFile
from botyard.kernel.recording import Believed, Conformance, first_record

EXPORTS = {
    ".txt": "the original controller's results file",
    ".svg": "the original controller's window at the end of the game",
}

PLAYABLE = ()  # none: `check` plays recordings of the original only
KEYS = {"settings", "initial", "ticks", "scores", "scores_document", "result"}  # keys of a recorded game


def exporter(suffix: str, names: Sequence[str]) -> Exporter:
    return WindowWriter(names) if suffix == ".svg" else ResultsWriter(names)


def match_files(settings: SnakepitSettings) -> list[MatchFile]:
    """Lists the files that the original controller wrote of a match (8.3)."""
    if not settings.preserve_results:
        return []
    return [MatchFile(settings.results_file, ".txt", append=settings.preserve_mode == "a", of_series=True)]


def recognise(text: str) -> bool:
    """Tells by its content whether a recording is of this game."""
    return first_record(text).keys() >= KEYS


def check(text: str, result: Conformance, seed: int | None, new_game: Any) -> None:
    """Plays a recording on our rules; `new_game(settings, seed)` makes a game."""
    ambiguous = 0
    for number, line in enumerate(text.splitlines(), 1):
        with Believed(f"line {number} is not a recorded game"):
            record = json_of(line, f"line {number}")
            check_recording(record, f"line {number}", result, new_game)
            ambiguous += sum(bool(tick.get("ambiguous")) for tick in record["ticks"])
    result.notes.append(f"{result.steps - ambiguous} also simultaneous, {ambiguous} depend on the order")
