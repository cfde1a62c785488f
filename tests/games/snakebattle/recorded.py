"""Recordings as text, and what comes of playing them again."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

from botyard.games import load
from botyard.games.game import Game
from botyard.games.snakebattle.files import check, recognise
from botyard.kernel.recording import Conformance


def conform(text: str) -> Conformance:
    assert recognise(text)
    result = Conformance("snakebattle", "test")
    check(text, result, None, partial(Game, load("snakebattle")))
    return result


def as_lines(records: list[dict[str, Any]]) -> str:
    return "\n".join(json.dumps(record) for record in records)
