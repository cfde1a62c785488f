"""The original's files of games: on demand from a replay, and those its host left of every match by itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from botyard.games.game import Game
from botyard.kernel.contract import Exporter, MatchFile
from botyard.kernel.errors import BadRecord, UnknownName, YardError
from botyard.kernel.rulebook import Rulebook
from botyard.kernel.settings import Settings
from botyard.match.loop import Played
from botyard.match.replay import Replay
from botyard.match.storage import append_to, write_atomically
from botyard.match.turns import TurnLog

MOST_CHARACTERS = 256 * 1024 * 1024  # of the boards of a game: a hundred thousand ticks of a large one


def open_writer(book: Rulebook, suffix: str, names: Sequence[str]) -> Exporter:
    if suffix not in book.files.EXPORTS:
        raise UnknownName(f"export format of {book.facts.name}", suffix, book.files.EXPORTS)
    return book.files.exporter(suffix, names)


def follow(writer: Exporter, replay: Replay, log: TurnLog | None, more: Mapping[str, Any] | None = None) -> bytes:
    """What a writer makes of a game. `more` are settings that a replay does not keep: they are none of its rules."""
    if log is not None:
        writer.hear(log)
    for game, orders in replay.play(more):
        if orders:
            writer.before(game, orders)
    return writer.end(game)


def check_size(replay: Replay, more: Mapping[str, Any]) -> None:
    """Originals write the board of every tick, and a replay of a few kilobytes may have a million ticks."""
    size = len(str(replay.new_game(more))) * len(replay.ticks)
    if size > MOST_CHARACTERS:
        raise BadRecord(f"the boards of {len(replay.ticks)} ticks take {size >> 20} MiB", hint="no match is that long")


@dataclass(slots=True)
class OriginalFile:
    """One of these files, as far as its match has come."""

    file: MatchFile
    writer: Exporter | None = None
    content: bytes | None = None

    def open(self, book: Rulebook, names: Sequence[str]) -> Exporter:
        self.writer = self.writer or open_writer(book, self.file.suffix, names)
        return self.writer


class OriginalFiles:
    """All that the original's host left of a match, taken down from game to game."""

    def __init__(self, book: Rulebook, settings: Settings, games: int = 1) -> None:
        self._book, self._settings = book, settings
        self._files = [OriginalFile(file) for file in book.files.match_files(settings)]
        for file in (wanted.file for wanted in self._files):
            if games > 1 and not file.of_series:
                hint = "play one game, or `botyard export` the replays of several"
                raise YardError(f"{file.path or file.suffix} can hold one game, not {games}", hint=hint)

    @property
    def wanted(self) -> bool:
        """Whether there is anything to take down."""
        return bool(self._files)

    def add(self, played: Played) -> None:
        """A game that went through the match loop. One that was void is no game of a series."""
        values = {key: value for key, value in vars(self._settings).items() if key not in played.replay.settings}
        for wanted in self._files:
            if played.outcome is not None or not wanted.file.of_series:
                wanted.content = follow(wanted.open(self._book, played.names), played.replay, played.log, values)

    def add_end(self, game: Game, names: Sequence[str]) -> None:
        """A game of which only the end is known: enough for the files of a series."""
        for wanted in self._files:
            wanted.content = wanted.open(self._book, names).end(game)

    def write(self) -> tuple[list[Path], str]:
        """Writes the files; where they are, and what the host would have printed."""
        paths, printed = [], ""
        for wanted in self._files:
            if wanted.content is None:
                continue
            path = Path(wanted.file.path)
            if not wanted.file.path:
                printed += wanted.content.decode("utf-8", "replace")
                continue
            if wanted.file.append:
                append_to(path, wanted.content)
            else:
                write_atomically(path, wanted.content)
            paths.append(path)
        return paths, printed
