"""The files of the original Snake Battle: recordings of its games and unit cases, and the listing of a game.

Recordings are recognised by their content. Cases are one JSON list. Games are JSON Lines, either with every die (the
reference game with all players, the random games) or without (the reference game as two of its players saw it, and our
own `.jsonl`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from botyard.games.snakebattle.files.cases import check_cases
from botyard.games.snakebattle.files.diced import check_runs
from botyard.games.snakebattle.files.listing import Lister, Recorder
from botyard.games.snakebattle.files.undiced import check_undiced
from botyard.games.snakebattle.settings import SnakebattleSettings
from botyard.kernel.bounded import json_of
from botyard.kernel.contract import MatchFile
from botyard.kernel.errors import BadRecord
from botyard.kernel.recording import Believed, Conformance, first_record

EXPORTS = {
    ".jsonl": "a record per tick and player: board, score, answer, events",
    ".txt": "the same as a listing, in the manner of the original's reference game",
}

PLAYABLE = (".jsonl",)

RECORD_KEYS = frozenset(("tick", "player", "board", "score", "answer", "events"))


def exporter(suffix: str, names: Sequence[str]) -> Recorder:
    return Lister(names) if suffix == ".txt" else Recorder(names)


def match_files(settings: SnakebattleSettings) -> list[MatchFile]:
    """Returns no files: the original wrote none of a match by itself."""
    return []


def recognise(text: str) -> bool:
    """Tells by its content whether a recording is of this game."""
    if text.startswith("["):
        return is_cases(decoded(text))
    first = first_record(text)
    settings = first.get("settings")
    return first.keys() >= RECORD_KEYS or (isinstance(settings, dict) and "rounds_enabled" in settings)


def is_cases(value: Any) -> bool:
    first = value[0] if isinstance(value, list) and value else None
    return isinstance(first, dict) and first.keys() >= {"name", "settings", "steps"}


def decoded(text: str) -> Any:
    try:
        return json_of(text, "the file")
    except BadRecord:
        return None


def check(text: str, result: Conformance, seed: int | None, new_game: Any) -> None:
    """Plays a recording on our rules; `new_game(settings, seed)` makes a game."""
    with Believed("not a recording of Snake Battle"):
        if text.startswith("["):
            check_cases(json_of(text, "the file"), result, new_game)
            return
        # Only "
        # " ends a record, because an answer may hold other characters that break lines.
        lines = text.removesuffix("\n").split("\n")
        records = [json_of(line, f"line {number}") for number, line in enumerate(lines, 1)]
        if records[0].keys() >= RECORD_KEYS or "dice" not in records[0]:
            check_undiced(records, result, new_game)
        else:
            check_runs(records, result, new_game)
