"""The files of Snakepit."""

from __future__ import annotations

import json
from typing import Any

from botyard.games.snakepit.files.recorded import check_recording
from botyard.kernel.errors import BadRecord
from botyard.kernel.recording import Conformance


def recognise(text: str) -> bool:
    """Whether a recording is of this game, by its content."""
    if not text.startswith("{"):
        return False
    try:
        record = json.loads(text.split("\n", 1)[0])
    except ValueError:
        return False
    return isinstance(record, dict) and {"settings", "initial", "ticks", "scores_document"} <= record.keys()


def check(text: str, result: Conformance, seed: int | None, new_game: Any) -> None:
    """Plays a recording on our rules; `new_game(settings, seed)` gives a fresh game."""
    for number, line in enumerate(text.splitlines(), 1):
        try:
            check_recording(json.loads(line), f"line {number}", result, new_game)
        except (KeyError, TypeError, IndexError, json.JSONDecodeError) as error:
            raise BadRecord(f"line {number} is not a recorded game", hint=repr(error)) from None
