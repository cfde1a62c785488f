"""The files of Snakepit: the results of a match, and the recordings made of the original's rule code."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from botyard.games.snakepit.files.recorded import check_recording
from botyard.games.snakepit.files.results import ResultsWriter
from botyard.kernel.errors import BadRecord
from botyard.kernel.recording import Conformance

EXPORTS = {".txt": "the original controller's results file"}

KEYS = {"settings", "initial", "ticks", "scores", "scores_document", "result"}  # of a recorded game


def exporter(suffix: str, names: Sequence[str]) -> ResultsWriter:
    return ResultsWriter(names)


def recognise(text: str) -> bool:
    """Whether a recording is of this game, by its content."""
    if not text.startswith("{"):
        return False
    try:
        record = json.loads(text.split("\n", 1)[0])
    except ValueError:
        return False
    return isinstance(record, dict) and record.keys() >= KEYS


def check(text: str, result: Conformance, seed: int | None, new_game: Any) -> None:
    """Plays a recording on our rules; `new_game(settings, seed)` gives a fresh game."""
    ambiguous = 0
    for number, line in enumerate(text.splitlines(), 1):
        try:
            record = json.loads(line)
            check_recording(record, f"line {number}", result, new_game)
            ambiguous += sum(bool(tick.get("ambiguous")) for tick in record["ticks"])
        except (KeyError, TypeError, IndexError, AttributeError, json.JSONDecodeError) as error:
            raise BadRecord(f"line {number} is not a recorded game", hint=repr(error)) from None
    result.notes.append(f"{result.steps - ambiguous} also simultaneous, {ambiguous} depend on the order")
