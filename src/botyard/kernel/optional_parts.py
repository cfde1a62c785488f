"""These classes stand in for the parts that a game may leave out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from botyard.kernel.contract import ContestRecord, Exporter, MatchFile
from botyard.kernel.errors import UnknownName
from botyard.kernel.recording import Conformance


class NoFiles:
    """The part `files` of a game without an original: there is nothing to export and nothing to recognise."""

    EXPORTS: Mapping[str, str] = {}
    PLAYABLE: Sequence[str] = ()

    def match_files(self, settings: Any) -> Sequence[MatchFile]:
        return ()

    def exporter(self, suffix: str, names: Sequence[str]) -> Exporter:
        raise UnknownName("export format", suffix, self.EXPORTS)

    def recognise(self, text: str) -> bool:
        return False

    def check(self, text: str, result: Conformance, seed: int | None, new_game: Callable[[Any, int], Any]) -> None:
        """Never called: nothing is recognised."""


class NoContest:
    """The part `contest` of a game that never had a contest of its own."""

    USUAL_FORMAT: str = ""
    note: Callable[[Any], dict[str, Any]] | None = None

    def format_defaults(self, kind: str, settings: Any) -> Mapping[str, Any]:
        return {}

    def contest_files(self, contest: ContestRecord) -> Mapping[str, str]:
        return {}
