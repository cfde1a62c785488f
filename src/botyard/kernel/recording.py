"""This module reads recordings of the original programs and counts where our rules agree with them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from botyard.kernel.bounded import BadJson, json_of, read_bounded, unpacked
from botyard.kernel.errors import BadRecord, YardError


@dataclass(frozen=True, slots=True)
class Difference:
    """The first place where our rules and a recording differ: both sides as text, to be shown side by side."""

    game: str
    step: int
    what: str
    recorded: str
    ours: str


@dataclass(slots=True)
class Conformance:
    """How far our rules agree with one recording."""

    game: str
    file: str
    preset: str | None = None  # the preset to compare under, if a file does not name its settings
    under: str = ""  # the settings it was compared under, in words; empty: those that the file names
    games: int = 0
    steps: int = 0
    equal: int = 0
    notes: list[str] = field(default_factory=list)
    first: Difference | None = None

    def count(self, difference: Difference | None) -> None:
        """Counts one step, which agrees unless there is a difference."""
        self.steps += 1
        self.equal += difference is None
        self.first = self.first or difference

    @property
    def holds(self) -> bool:
        return self.steps > 0 and self.equal == self.steps and self.first is None


TEXT_MAX = 128 * 1024 * 1024  # bytes unpacked: three times the largest recording we know
GZIP = b"\x1f\x8b"


def read_text(path: Path) -> str:
    """Returns the text of a plain or compressed file; bytes that are no UTF-8 survive, as originals write names raw."""
    raw = read_bounded(path, TEXT_MAX)
    whole = unpacked(raw, TEXT_MAX, str(path)) if raw[:2] == GZIP else raw
    return whole.decode("utf-8", "surrogateescape")


def first_record(text: str) -> dict[str, Any]:
    """Returns the first line of JSON Lines, by which a game knows its recordings; empty if there is none."""
    try:
        record = json_of(text.split("\n", 1)[0], "the first line") if text.startswith("{") else None
    except BadRecord:
        record = None
    return record if isinstance(record, dict) else {}


MALFORMED = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, StopIteration)
"""The errors that code raises which trusts a recording, when a part is missing or of another kind."""


class Believed(AbstractContextManager[None]):
    """Code inside this context may trust a recording: what it raises becomes a BadRecord, which `what` describes."""

    def __init__(self, what: str | Callable[[], str]) -> None:
        self._what = what
        self._strict = np.errstate(invalid="raise")  # a number that does not fit into a record is an error

    def __enter__(self) -> None:
        self._strict.__enter__()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        self._strict.__exit__(None, None, None)
        if isinstance(error, BadJson) or (isinstance(error, MALFORMED) and not isinstance(error, YardError)):
            what = self._what if isinstance(self._what, str) else self._what()
            raise BadRecord(what, hint=f"{error!r:.200}") from None
