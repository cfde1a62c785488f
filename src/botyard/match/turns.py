"""The log of a game's turns: for every question what was sent, what came back, how long it took and what became of it.

Kept beside the replay as `REPLAY.turns`, gzip-compressed JSON Lines: a head about the game, its seats and its host,
then one line per question. The replay is complete without it.
"""

from __future__ import annotations

import gzip
import json
import os
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field, fields, replace
from operator import attrgetter
from pathlib import Path
from types import NoneType
from typing import Any

from botyard.kernel.bounded import json_of, read_bounded, unpacked_lines
from botyard.kernel.errors import BadRecord
from botyard.kernel.settings import checked_seed
from botyard.kernel.verdict import Fault, Verdict
from botyard.match.board_notes import TurnNotes, checked_notes
from botyard.match.jitter import Lateness
from botyard.match.player import Answer, Player
from botyard.match.replay import Missed
from botyard.match.storage import write_atomically

FORMAT = "botyard-turns"
VERSION = 3
READABLE = (2, VERSION)  # the second knew no notes
SUFFIX = ".turns"

START_TICK = -1
KEPT_BYTES = 4096  # of what a bot sent in one turn
KEPT_WORDS = 32 * 1024  # characters of what it printed
KEPT_IN_ALL = 2 * 1024 * 1024  # of both over a game; of later turns only a taste is kept, however long the game gets
TASTE = 256

# What is read of a file from elsewhere. A match of fifteen seats and three rounds writes 220 MB, nearly all
# of it escapes for the signs of boards: 16 KB in the file are 2.7 KB of text.
PACKED_MAX = 64 * 1024 * 1024
UNPACKED_MAX = 1024 * 1024 * 1024
LINE_MAX = 8 * 1024 * 1024
TURNS_MAX = 500_000
TEXT_MAX = 256 * 1024 * 1024


as_line = json.JSONEncoder(separators=(",", ":")).encode


@dataclass(frozen=True, slots=True)
class Turn:
    """One question to one seat. Bytes are kept as text with one character per byte."""

    tick: int  # when it was asked; -1 (START_TICK) is the start-up
    seat: int  # who was asked
    verdict: Verdict  # what became of the answer
    reason: str  # why, in a sentence; empty where it was OK
    ms: float  # how long the answer took
    limit_ms: int  # how long it might take; 0: no limit
    sent: str  # the question
    received: str  # the beginning of what came back
    early: str  # the beginning of what had been sent before the question, and was dropped
    said: str  # what was printed: standard error of that turn, and standard output where it is not the link
    received_bytes: int  # how much came back in all
    early_bytes: int  # how much had been sent before in all
    order: int | None = None  # the order, as it was understood
    next_ms: int | None = None  # the limit of the next answer, where a time bank makes it change
    notes: TurnNotes | None = None  # what the bot drew on its board, for the viewer

    @classmethod
    def of(
        cls, tick: int, seat: int, answer: Answer, most_bytes: int = KEPT_BYTES, most_words: int = KEPT_WORDS
    ) -> Turn:
        """Returns the turn that came of an answer, of which the beginning is kept."""
        return cls(
            tick=tick,
            seat=seat,
            verdict=answer.verdict,
            reason=answer.reason[:most_words],
            ms=round(answer.ms, 3),
            limit_ms=answer.limit_ms,
            sent=answer.sent.decode("latin-1"),
            received=answer.received[:most_bytes].decode("latin-1"),
            early=answer.early[:most_bytes].decode("latin-1"),
            said=cut_words(answer.said, most_words),
            received_bytes=len(answer.received),
            early_bytes=len(answer.early),
            order=None if isinstance(answer.result, Fault) else answer.result,
            next_ms=answer.next_ms,
            notes=answer.notes,
        )

    @classmethod
    def missed(cls, miss: Missed) -> Turn:
        """Returns a lost turn of which no more is known than that, and why."""
        return cls(miss.tick, miss.seat, miss.verdict, miss.reason, 0.0, 0, "", "", "", "", 0, 0)

    @property
    def kept(self) -> int:
        """How much of the bot's own text is in here."""
        noted = self.notes.size if self.notes else 0
        return len(self.received) + len(self.early) + len(self.said) + len(self.reason) + noted


class TurnRecorder:
    """Notes the turns of a game as they are played. A bot that talks much cannot fill our memory with it."""

    def __init__(self) -> None:
        self.turns: list[Turn] = []
        self._kept: Counter[int] = Counter()  # by seat

    def note(self, tick: int, seat: int, answer: Answer) -> None:
        full = self._kept[seat] >= KEPT_IN_ALL
        if full and answer.notes:
            answer = replace(answer, notes=answer.notes.withheld(f"{KEPT_IN_ALL >> 20} MB of this game are kept"))
        turn = Turn.of(tick, seat, answer, TASTE, TASTE) if full else Turn.of(tick, seat, answer)
        self._kept[seat] += turn.kept
        self.turns.append(turn)


def cut_words(said: str, most: int = KEPT_WORDS) -> str:
    """What a bot printed: the beginning and the end, and how much is missing between."""
    dropped = len(said) - most
    if dropped <= 0:
        return said
    half = most // 2
    return f"{said[:half]}\n… {dropped} characters dropped …\n{said[-half:]}"


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """What is known of one seat after the game: who sat there, in what cage, with how much memory."""

    name: str
    level: str | None = None  # of the cage: caged, limited or open; empty if we did not run it; None if unknown
    peak_mb: float | None = None  # memory high-water mark, where somebody measured it
    said: str = ""  # what was printed after the last turn
    notes: TurnNotes | None = None  # printed after the last turn

    @classmethod
    def of(cls, player: Player) -> SeatRecord:
        """Of a player who has stopped."""
        said = cut_words(player.said())
        return cls(player.name, player.level, round(player.peak_mb, 3) or None, said, player.notes())


@dataclass(slots=True)
class TurnLog:
    """What is kept of a game beside its replay: all its turns, and what is known of its seats."""

    game: str = ""
    seed: int | None = None
    seats: tuple[SeatRecord, ...] = ()
    jitter: Lateness | None = None
    turns: list[Turn] = field(default_factory=list)
    in_turn: bool = False  # seats that move at once were asked one after another


def sidecar_path(replay: Path) -> Path:
    return replay.with_name(replay.name + SUFFIX)


def write_turns(replay: Path, log: TurnLog) -> Path:
    """Writes the log beside its replay."""
    path = sidecar_path(replay)
    write_atomically(path, pack_turns(log))
    return path


def pack_turns(log: TurnLog) -> bytes:
    """A log as its file holds it."""
    head = {
        "format": FORMAT,
        "version": VERSION,
        "game": log.game,
        "seed": None if log.seed is None else str(log.seed),
        "seats": [row_of(seat) for seat in log.seats],
        "jitter": log.jitter and asdict(log.jitter),
        "in_turn": log.in_turn,
    }
    packed = "".join(as_line(row) + "\n" for row in (head, *map(row_of, log.turns)))
    return gzip.compress(packed.encode(), mtime=0)


def row_of(record: Turn | SeatRecord) -> dict[str, Any]:
    """A turn or a seat as a line; most have no notes. `asdict`, which copies every value, takes ten times as long."""
    names, values_of = COLUMNS[type(record)]
    row = dict(zip(names, values_of(record), strict=True))
    if record.notes is None:
        del row["notes"]
    else:
        row["notes"] = asdict(record.notes)
    return row


def columns_of(kind: type[Turn] | type[SeatRecord]) -> tuple[tuple[str, ...], Callable[[Any], tuple[Any, ...]]]:
    """Returns the names of a record's columns, and what reads all their values."""
    names = tuple(column.name for column in fields(kind))
    return names, attrgetter(*names)


COLUMNS: dict[type[Any], tuple[tuple[str, ...], Callable[[Any], tuple[Any, ...]]]] = {
    kind: columns_of(kind) for kind in (Turn, SeatRecord)
}


class NoTurns(BadRecord):
    """A replay without its turns: what it says can be told, and no more."""


def read_turns(replay: Path) -> TurnLog:
    """The log beside a replay. Whoever wrote it is not believed; it is read line by line, within bounds."""
    path = sidecar_path(replay)
    if not os.path.exists(path):  # noqa: PTH110 (a name that is too long is no file either)
        hint = "`botyard play` writes it beside the replay; keep the two files together"
        raise NoTurns(f"there is no turn report {path}", hint=hint)
    return unpack_turns(read_bounded(path, PACKED_MAX), str(path))


def unpack_turns(raw: bytes, name: str) -> TurnLog:
    """The log that a file holds."""
    rows = (
        json_of(line, f"line {number} of {name}")
        for number, line in enumerate(unpacked_lines(raw, UNPACKED_MAX, LINE_MAX, name), 1)
    )
    try:
        head = next(rows, None)
        if not isinstance(head, dict) or head.get("format") != FORMAT:
            raise BadRecord(f"{name} is not a turn report", hint="`botyard play` writes it beside the replay")
        if type(head.get("version")) is not int or head["version"] not in READABLE:
            version = f"version {head.get('version')!r:.40}"
            raise BadRecord(f"{name} is a turn report of {version}", hint=f"this Botyard reads up to version {VERSION}")
        return read_log(head, rows)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        if isinstance(error, BadRecord):
            raise
        raise BadRecord(f"{name} is damaged", hint=f"{error!s:.200}" or type(error).__name__) from None


def read_log(head: dict[str, Any], rows: Iterable[Any]) -> TurnLog:
    jitter = head["jitter"] and Lateness(**typed(head["jitter"], {"samples": int}, (int, float)))
    return TurnLog(
        game=str(head["game"]),
        seed=None if head["seed"] is None else checked_seed(int(head["seed"])),
        seats=tuple(SeatRecord(**noted(typed(seat, SEAT_TYPES, str))) for seat in head["seats"]),
        jitter=jitter,
        turns=read_rows(rows),
        in_turn=head.get("in_turn") is True,
    )


def read_rows(rows: Iterable[dict[str, Any]]) -> list[Turn]:
    """The turns, of which there is a bounded number with a bounded amount of text."""
    turns: list[Turn] = []
    size = 0
    for row in rows:
        turn = read_turn(row)
        turns.append(turn)
        size += turn.kept + len(turn.sent)
        if len(turns) > TURNS_MAX or size > TEXT_MAX:
            hint = f"at most {TURNS_MAX} turns and {TEXT_MAX >> 20} MiB of text are read"
            raise BadRecord("the turn report is too large", hint=hint)
    return turns


def read_turn(row: dict[str, Any]) -> Turn:
    turn = Turn(**{**noted(typed(row, TURN_TYPES, str)), "verdict": Verdict(row["verdict"])})
    if turn.tick < START_TICK or turn.seat < 0 or min(turn.ms, turn.limit_ms, turn.received_bytes) < 0:
        raise ValueError(f"a turn of tick {turn.tick}, seat {turn.seat}, {turn.ms} of {turn.limit_ms} ms")
    for raw in (turn.sent, turn.received, turn.early):
        raw.encode("latin-1")  # one character per byte
    return turn


def noted(row: dict[str, Any]) -> dict[str, Any]:
    """A line with its notes checked."""
    return {**row, "notes": checked_notes(row.get("notes"))}


def typed(row: dict[str, Any], kinds: dict[str, Any], usual: Any) -> dict[str, Any]:
    """The fields of a line, each of its type: a file from elsewhere is not believed."""
    for name, value in row.items():
        if isinstance(value, bool) or not isinstance(value, kinds.get(name, usual)):
            raise TypeError(f"{name} is {value!r:.40}")
    return row


NOTES = {"notes": (dict, NoneType)}
SEAT_TYPES: dict[str, Any] = {"level": (str, NoneType), "peak_mb": (int, float, NoneType), **NOTES}
WHOLE = ("tick", "seat", "limit_ms", "received_bytes", "early_bytes")
TURN_TYPES: dict[str, Any] = {
    **dict.fromkeys(WHOLE, int),
    **dict.fromkeys(("order", "next_ms"), (int, NoneType)),
    "ms": (int, float),
    **NOTES,
}
