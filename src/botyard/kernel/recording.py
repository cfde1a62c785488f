"""What comes out when a recording of an original program is played on our rules."""

from __future__ import annotations

import gzip
import json
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from botyard.kernel.errors import BadRecord, YardError


@dataclass(frozen=True, slots=True)
class Difference:
    """The first place where we part from a recording: both sides as text, to be drawn side by side."""

    game: str
    step: int
    what: str
    recorded: str
    ours: str


@dataclass(slots=True)
class Conformance:
    """The sum over one file."""

    game: str
    file: str
    preset: str | None = None  # the one that is asked for, where a file does not name its settings
    under: str = ""  # the settings it was compared under, in words; nothing: those that the file names
    games: int = 0
    steps: int = 0
    equal: int = 0
    notes: list[str] = field(default_factory=list)
    first: Difference | None = None

    def count(self, difference: Difference | None) -> None:
        """Takes the result of one step."""
        self.steps += 1
        self.equal += difference is None
        self.first = self.first or difference

    @property
    def holds(self) -> bool:
        return self.steps > 0 and self.equal == self.steps and self.first is None


def read_text(path: Path) -> str:
    """The text of a plain or gzip-compressed file; bytes that are no UTF-8 survive, for originals write names raw."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise YardError(f"cannot read {path}", hint=str(error.strerror)) from None
    try:
        whole = gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw
    except (OSError, EOFError, zlib.error) as error:
        raise BadRecord(f"{path} is damaged", hint=str(error)) from None
    return whole.decode("utf-8", "surrogateescape")


def first_record(text: str) -> dict[str, Any]:
    """The first line of JSON Lines, by which a game knows its recordings; empty if there is none."""
    try:
        record = json.loads(text.split("\n", 1)[0]) if text.startswith("{") else None
    except ValueError:
        record = None
    return record if isinstance(record, dict) else {}
