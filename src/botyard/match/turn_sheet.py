"""The turn sheet: what a viewer shows of every turn beside the board, as plain values for JSON.

    {"format", "version", "about": a sentence if there is little to show, "ticks": of the game, "ms": [per tick, …],
     "remedies": [text, …], "left_out": turns that did not fit,
     "seats": [{"name", "house": a house bot played it, "said": text after the last turn, "turns": [turn, …],
                "notes": [[tick, note], …], "notes_left_out": number}, …]}
    turn   {"tick", "verdict", "reason", "remedy": its place in the list, "order", "ms", "limit", "sent": text,
            "received": text, "early": text, "said": text, "notes_dropped", "notes_reason"}; what is empty is left out
    text   [[line, …], missing]: lines escaped; `missing` is how many bytes or characters are not shown

A sheet has a bounded size, whatever bots sent: texts are cut to a length at which all of them fit. It is for whoever
may see the turn log. Notes are in it if they are asked for.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from botyard.games import GAMES
from botyard.games.game import Game
from botyard.jail.note_lines import MOST_LINES
from botyard.kernel.errors import YardError
from botyard.kernel.verdict import Verdict
from botyard.match.board_notes import TurnNotes, tick_of
from botyard.match.checkup import Case, Protocol, explained, json_reader, native_reader, start_remedy
from botyard.match.replay import Replay
from botyard.match.report import ReportedGame
from botyard.match.report_json import note_json
from botyard.match.stretches import listed_turns
from botyard.match.turns import START_TICK, SeatRecord, Turn, TurnLog
from botyard.render.escape import escaped_text, visible

FORMAT = "botyard-turn-sheet"
VERSION = 1

LENGTHS = (16_384, 4096, 1024, 256, 64, 8)  # characters of one text; the longest at which all of them fit is chosen
TEXT_IN_ALL = 4 * 1024 * 1024  # characters of all texts
MOST_TURNS = 100_000
MOST_REMEDIES = 100  # of one seat; what is lost beyond them in other ways has the meaning of its verdict
NAME_MAX = 60
MOST_NOTES = 20_000  # of one seat

NO_LOG = "The turn log is missing, so only lost turns are known, without times and texts."
ONLY_HOUSE = "House bots played this game. They are asked inside Botyard: nothing is sent, received or timed."


def turn_sheet(replay: Replay, log: TurnLog | None, *, notes: bool = True) -> dict[str, Any]:
    """The sheet of a game; without its log it tells of the lost turns that the replay knows."""
    return TurnSheet(replay, log, notes).as_json()


@dataclass(slots=True)
class Remedies:
    """Sentences that are told of many turns and kept once."""

    listed: list[str] = field(default_factory=list)
    _at: dict[str, int] = field(default_factory=dict)

    def place(self, remedy: str) -> int:
        shown = visible(remedy)
        if shown not in self._at:
            self._at[shown] = len(self.listed)
            self.listed.append(shown)
        return self._at[shown]


class TurnSheet:
    """Makes one sheet."""

    def __init__(self, replay: Replay, log: TurnLog | None, notes: bool) -> None:
        self._replay, self._with_notes, self._timed = replay, notes, log is not None
        lost = (Turn.missed(miss) for miss in replay.missed if miss.verdict is not Verdict.HOUSE)
        given = list(lost) if log is None else log.turns
        self._seats = log.seats if log else tuple(map(SeatRecord, replay.names))
        self._in_turn = log is not None and log.in_turn
        self._told = ReportedGame("", replay, self._seats, None, timed=self._timed)
        self._turns, self._left_out = seated_turns(given, len(self._seats), len(replay.ticks))
        self._longest = fitting_length(self._turns.values(), self._seats)
        self._remedies = Remedies()
        self._game = game_of(replay)

    def as_json(self) -> dict[str, Any]:
        seats = [self._seat(at, seat) for at, seat in enumerate(self._seats)]
        house = self._timed and all(seat["house"] for seat in seats)
        return {
            "format": FORMAT,
            "version": VERSION,
            "about": ONLY_HOUSE if house else "" if self._timed else NO_LOG,
            "ticks": len(self._replay.ticks),
            "ms": self._times(),
            "remedies": self._remedies.listed,
            "left_out": self._left_out,
            "seats": seats,
        }

    def _times(self) -> list[float]:
        """How long each tick took the bots: all of them together where they are asked one after another."""
        times = [0.0] * len(self._replay.ticks)
        for turns in self._turns.values():
            for turn in turns:
                if 0 <= turn.tick < len(times):
                    before = times[turn.tick]
                    times[turn.tick] = before + turn.ms if self._in_turn else max(before, turn.ms)
        return [round(ms, 1) for ms in times]

    def _seat(self, at: int, seat: SeatRecord) -> dict[str, Any]:
        turns = self._turns[at]
        house = self._timed and is_house(turns)
        told: dict[str, Any] = {"name": escaped_text(seat.name[:NAME_MAX]), "house": house}
        if seat.said:
            told["said"] = words(seat.said, self._longest)
        told["turns"] = [] if house else list(self._rows(at, turns))
        if self._with_notes:
            told["notes"], told["notes_left_out"] = placed_notes(turns, seat.notes, len(self._replay.ticks))
        return told

    def _rows(self, at: int, turns: Sequence[Turn]) -> Iterator[dict[str, Any]]:
        case = case_of_log(self._game, turns, self._seats[at])
        explanations, remedy = 0, 0
        for listed in listed_turns(turns, words_matter=False):
            turn, row = listed.turn, self._row(listed.turn)
            if turn.verdict is not Verdict.OK:
                if not listed.again:
                    explanations += 1
                    remedy = self._remedies.place(remedy_of(case if explanations <= MOST_REMEDIES else None, turn))
                row["remedy"] = remedy
            yield row

    def _row(self, turn: Turn) -> dict[str, Any]:
        row: dict[str, Any] = {"tick": turn.tick, "verdict": str(turn.verdict)}
        if self._timed:
            row |= {"ms": round(turn.ms, 1), "limit": turn.limit_ms}
        row |= {
            "order": self._told.order_name(turn),
            "reason": visible(turn.reason[: self._longest]),
            "sent": spoken(turn.sent, len(turn.sent), self._longest),
            "received": spoken(turn.received, turn.received_bytes, self._longest),
            "early": spoken(turn.early, turn.early_bytes, self._longest),
            "said": words(turn.said, self._longest),
        }
        if self._with_notes and turn.notes and turn.notes.dropped:
            row |= {"notes_dropped": turn.notes.dropped, "notes_reason": visible(turn.notes.reason)}
        return {key: value for key, value in row.items() if value or key in ("tick", "ms")}


# What is shown of a text


def fitting_length(of_seats: Iterable[Sequence[Turn]], seats: Sequence[SeatRecord]) -> int:
    """The longest texts that may be shown, so that all of them together are not too much."""
    sizes = Counter(len(seat.said) for seat in seats)
    for turns in of_seats:
        for turn in turns:
            sizes.update((len(turn.sent), len(turn.received), len(turn.early), len(turn.said), len(turn.reason)))
    for length in LENGTHS:
        if sum(min(size, length) * count for size, count in sizes.items()) <= TEXT_IN_ALL:
            return length
    return LENGTHS[-1]


def spoken(text: str, in_all: int, most: int) -> list[Any] | None:
    """Bytes that were sent, one character each in the log, as lines."""
    if not in_all:
        return None
    shown = text[:most].encode("latin-1").decode("utf-8", "surrogateescape")
    return [lines_of(shown), max(in_all - min(len(text), most), 0)]


def words(said: str, most: int) -> list[Any] | None:
    """What was printed: of much the beginning and the end, as a program's last words tell most."""
    if not said:
        return None
    if len(said) <= most:
        return [lines_of(said), 0]
    missing, half = len(said) - most, most // 2
    return [[*lines_of(said[:half]), f"… {missing} characters …", *lines_of(said[-half:])], missing]


def lines_of(text: str) -> list[str]:
    """Lines, escaped. A text that ends with a line end has an empty last one."""
    return [escaped_text(line) for line in text.split("\n")]


# Which turns


def seated_turns(turns: Iterable[Turn], seats: int, ticks: int) -> tuple[dict[int, list[Turn]], int]:
    """The turns of each seat by tick, the first of several, and how many are left out because there are too many."""
    found: dict[int, dict[int, Turn]] = {seat: {} for seat in range(seats)}
    count = left_out = 0
    for turn in turns:
        if not 0 <= turn.seat < seats or turn.tick > ticks or turn.tick in found[turn.seat]:
            continue
        if count >= MOST_TURNS:
            left_out += 1
            continue
        found[turn.seat][turn.tick] = turn
        count += 1
    return {seat: [own[tick] for tick in sorted(own)] for seat, own in found.items()}, left_out


def is_house(turns: Sequence[Turn]) -> bool:
    """Whether a house bot sat there: it is sent nothing, sends nothing, has no limit, and never loses a turn."""
    return bool(turns) and not any(
        turn.sent or turn.received or turn.said or turn.limit_ms or turn.verdict is not Verdict.OK for turn in turns
    )


# Why a turn was lost


def game_of(replay: Replay) -> Game | None:
    """The game of a replay at its start; None if this Botyard does not have its rules."""
    try:
        return replay.new_game() if replay.game in GAMES else None
    except YardError:
        return None


def case_of_log(game: Game | None, turns: Sequence[Turn], seat: SeatRecord) -> Case | None:
    """The case of a seat, as far as its log tells. Neither its language nor its command line is in there."""
    if game is None:
        return None
    protocol = protocol_of(turns)
    read = json_reader if protocol == "json" else native_reader(game.book, game.settings)
    return Case(game.book.facts, turns, read, protocol=protocol, peak_mb=seat.peak_mb or 0.0)


def protocol_of(turns: Sequence[Turn]) -> Protocol:
    """What a bot was spoken to in: our own protocol has a sign of its own, and a function is sent nothing."""
    first = next((turn.sent for turn in turns if turn.sent), "")
    if first.startswith('{"type"'):
        return "json"
    return "native" if first else "function"


def remedy_of(case: Case | None, turn: Turn) -> str:
    if case is None:
        return turn.verdict.meaning
    if turn.tick == START_TICK:
        return start_remedy(case, turn)
    return explained(case, turn)[1]


# Notes


def placed_notes(turns: Sequence[Turn], last: TurnNotes | None, ticks: int) -> tuple[list[Any], int]:
    """The notes of a seat, each with its tick, and how many are left out: a tick has no more than a turn may have."""
    read_in = turns[-1].tick if turns else 0
    noted = [(turn.tick, turn.notes) for turn in turns if turn.notes]
    if last is not None:
        noted.append((read_in, last))
    placed: dict[int, list[Any]] = defaultdict(list)
    left_out = count = 0
    for tick, notes in noted:
        for note in notes.kept:
            at = tick_of(note, tick)
            if at > ticks or len(placed[at]) >= MOST_LINES or count >= MOST_NOTES:
                left_out += 1
                continue
            count += 1
            placed[at].append({key: value for key, value in note_json(note).items() if key != "turn"})
    return [[at, note] for at in sorted(placed) for note in placed[at]], left_out
