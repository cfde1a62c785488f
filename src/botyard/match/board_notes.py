"""Board notes: what a bot draws onto its own board, for its author.

A bot prints a line on standard error that begins with `@yard ` and holds one JSON object out of a closed set:

    {"cell": [row, column], "colour": "#rrggbb" or a name, "text": "at most 40 characters"}
    {"line": [[row, column], [row, column]], "colour": …}
    {"mark": "at most 40 characters"}

each with `"turn": tick` if it belongs to another turn than the one it was read in. Reading never raises: what is no
note is dropped and counted, and the first reason is kept for the author. Notes in files of others are checked alike.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from botyard.jail.note_lines import MOST_BYTES, MOST_LINES, NoteLines
from botyard.kernel.bounded import BadJson, json_of
from botyard.kernel.errors import YardError, quoted

BoardNote: TypeAlias = dict[str, Any]
"""One note as its JSON says it, checked."""

COLOURS = {
    "red": "#d62828", "orange": "#e36414", "yellow": "#e0a800", "green": "#2b8a3e", "blue": "#1c6fd6",
    "purple": "#8a3ffc", "pink": "#d6336c", "brown": "#7a4b21", "grey": "#6b7280", "black": "#000000",
    "white": "#ffffff",
}  # fmt: skip
HEX = re.compile(r"#[0-9a-fA-F]{6}")

KINDS = {"cell": ("colour", "text"), "line": ("colour",), "mark": ()}
"""What a note may be, and what it may say besides; each may name its turn."""

TEXT_MAX = 40  # characters
LARGEST = 10_000  # rows and columns; no board is a tenth of it
LATEST = 10_000_000  # turn
REASON_MAX = 200  # characters

OVER = f"more than {MOST_LINES} notes or {MOST_BYTES} bytes of them in one turn"
NOT_IN_CONTEST = "the contest keeps no notes (notes = true in its file)"


class NoNote(Exception):
    """A line that is no note, and why."""


@dataclass(frozen=True, slots=True)
class TurnNotes:
    """The notes of one turn, how many were dropped, and why the first of these was."""

    kept: tuple[BoardNote, ...] = ()
    dropped: int = 0
    reason: str = ""

    @property
    def size(self) -> int:
        """About how much room they take."""
        return sum(len(json.dumps(note)) for note in self.kept) + len(self.reason)

    def withheld(self, reason: str) -> TurnNotes:
        """Drops all of them, for a reason of ours."""
        return TurnNotes((), self.dropped + len(self.kept), self.reason or reason)


def read_notes(given: NoteLines) -> TurnNotes | None:
    """The notes that a bot printed in a turn; None if it printed none."""
    if not given.lines and not given.dropped:
        return None
    kept, reasons = [], []
    for line in given.lines:
        try:
            kept.append(checked_note(json_of(line, "it")))
        except BadJson as error:
            reasons.append(f"{error.message}: {error.hint}")
        except YardError as error:
            reasons.append(error.message)
        except NoNote as error:
            reasons.append(str(error))
    first = reasons[0] if reasons else OVER if given.dropped else ""
    return TurnNotes(tuple(kept), len(reasons) + given.dropped, first[:REASON_MAX])


def checked_notes(value: Any) -> TurnNotes | None:
    """Notes as a file has them; ValueError if they are none."""
    if value is None:
        return None
    if not isinstance(value, dict) or value.keys() != {"kept", "dropped", "reason"}:
        raise ValueError(f"notes are {value!r:.40}")
    kept, dropped, reason = value["kept"], value["dropped"], value["reason"]
    sound = isinstance(kept, list) and len(kept) <= MOST_LINES and isinstance(reason, str)
    if not sound or type(dropped) is not int or dropped < 0:
        raise ValueError(f"notes are {value!r:.40}")
    try:
        return TurnNotes(tuple(map(checked_note, kept)), dropped, reason[:REASON_MAX])
    except NoNote as error:
        raise ValueError(str(error)) from None


def checked_note(value: Any) -> BoardNote:
    """A note as it is; NoNote if it is none."""
    if not isinstance(value, dict):
        raise NoNote(f"a note is a JSON object, not {quoted(value)}")
    kinds = [kind for kind in KINDS if kind in value]
    if len(kinds) != 1:
        raise NoNote(f"a note is one of {listed(KINDS)}: {quoted(list(value))}")
    (kind,) = kinds
    allowed = (kind, *KINDS[kind], "turn")
    for key in value:
        if key not in allowed:
            raise NoNote(f"unknown key {quoted(key)}: a {kind} has {listed(allowed)}")
    for key, given in value.items():
        CHECKS[key](given)
    return dict(value)


def check_cell(given: Any) -> None:
    fits = isinstance(given, list) and len(given) == 2
    if not fits or not all(type(number) is int and 0 <= number < LARGEST for number in given):
        raise NoNote(f"a cell is [row, column], counted from 0, not {quoted(given)}")


def check_line(given: Any) -> None:
    if not isinstance(given, list) or len(given) != 2:
        raise NoNote(f"a line is [[row, column], [row, column]], not {quoted(given)}")
    for end in given:
        check_cell(end)


def check_words(given: Any) -> None:
    if not isinstance(given, str) or not 0 < len(given) <= TEXT_MAX:
        raise NoNote(f"a text has 1 to {TEXT_MAX} characters: {quoted(given)}")
    try:
        given.encode()
    except UnicodeEncodeError:
        raise NoNote("a text holds half of a character") from None


def check_colour(given: Any) -> None:
    if not isinstance(given, str) or not (given in COLOURS or HEX.fullmatch(given)):
        raise NoNote(f'a colour is "#rrggbb" or one of {listed(COLOURS)}, not {quoted(given)}')


def check_turn(given: Any) -> None:
    if type(given) is not int or not 0 <= given <= LATEST:
        raise NoNote(f"a turn is the number of a tick, counted from 0, not {quoted(given)}")


CHECKS = {
    "cell": check_cell,
    "line": check_line,
    "mark": check_words,
    "text": check_words,
    "colour": check_colour,
    "turn": check_turn,
}


def listed(words: Iterable[str]) -> str:
    return ", ".join(words)


def shown_colour(note: BoardNote) -> str | None:
    """The colour of a note as #rrggbb; None if it leaves that to the viewer."""
    given = note.get("colour")
    return None if given is None else COLOURS.get(given, given)


def tick_of(note: BoardNote, read_in: int) -> int:
    """The tick that a note belongs to: the one it names, or the one it was read in."""
    return int(note.get("turn", max(read_in, 0)))


def told_notes(notes: TurnNotes | None) -> Sequence[str]:
    """Sentences about the notes of a turn, for its author."""
    if notes is None:
        return []
    told = [f"notes for the viewer: {len(notes.kept)}"] if notes.kept else []
    return [*told, f"notes dropped: {notes.dropped} ({notes.reason})"] if notes.dropped else told
