"""Notes that bots draw on their boards: what is one, what is none, and that nothing in them does harm."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botyard.jail.note_lines import NoteLines
from botyard.match.board_notes import TEXT_MAX, TurnNotes, checked_notes, read_notes, shown_colour, tick_of

GOOD: list[dict[str, Any]] = [
    {"cell": [0, 3]},
    {"cell": [0, 3], "colour": "#a0B1c2", "text": "x" * TEXT_MAX, "turn": 0},
    {"cell": [9, 9], "colour": "red"},
    {"cell": [9, 9], "text": "<b>&amp;\u202e\x1b[31m"},
    {"line": [[0, 0], [5, 5]], "colour": "green", "turn": 7},
    {"line": [[0, 0], [0, 0]]},
    {"mark": "here it went wrong"},
]

BAD: list[tuple[bytes, str]] = [
    (b"", "not valid JSON"),
    (b"{", "not valid JSON"),
    (b"\xff\xfe", "not valid JSON"),
    (b'{"mark": "\xff"}', "not valid JSON"),
    (b"[" * 4000, "nested"),
    (b'{"cell":' * 400 + b"1" + b"}" * 400, "nested"),
    (b"9" * 4000, "digits"),
    (b'{"cell": [NaN, 1]}', "NaN"),
    (b'{"cell": [1, 1], "cell": [2, 2]}', "occurs twice"),
    (b"[]", "a JSON object"),
    (b"{}", "one of cell, line, mark"),
    (b'{"text": "x"}', "one of cell, line, mark"),
    (b'{"cell": [1, 1], "mark": "x"}', "one of cell, line, mark"),
    (b'{"cell": [1, 1], "color": "red"}', "unknown key 'color': a cell has cell, colour, text, turn"),
    (b'{"mark": "x", "colour": "red"}', "unknown key 'colour'"),
    (b'{"line": [[0, 0], [1, 1]], "text": "x"}', "unknown key 'text'"),
    (b'{"cell": [1]}', "[row, column]"),
    (b'{"cell": [1, 2, 3]}', "[row, column]"),
    (b'{"cell": [-1, 2]}', "[row, column]"),
    (b'{"cell": [10000, 2]}', "[row, column]"),
    (b'{"cell": [1.0, 2]}', "[row, column]"),
    (b'{"cell": [true, 2]}', "[row, column]"),
    (b'{"cell": {"0": 1}}', "[row, column]"),
    (b'{"line": [[0, 0]]}', "[[row, column], [row, column]]"),
    (b'{"line": [[0, 0], 5]}', "[row, column]"),
    (b'{"cell": [1, 2], "colour": "crimson"}', "one of red, orange"),
    (b'{"cell": [1, 2], "colour": "#12345"}', "#rrggbb"),
    (b'{"cell": [1, 2], "colour": "#123456\\n"}', "#rrggbb"),
    (b'{"cell": [1, 2], "colour": "url(x)"}', "#rrggbb"),
    (b'{"cell": [1, 2], "colour": null}', "#rrggbb"),
    (b'{"mark": ""}', "1 to 40 characters"),
    (b'{"mark": "' + b"x" * 41 + b'"}', "1 to 40 characters"),
    (b'{"mark": 5}', "1 to 40 characters"),
    (b'{"mark": "\\ud800"}', "half of a character"),
    (b'{"mark": "x", "turn": -1}', "number of a tick"),
    (b'{"mark": "x", "turn": true}', "number of a tick"),
    (b'{"mark": "x", "turn": 10000001}', "number of a tick"),
]


def lines_of(*notes: Any) -> NoteLines:
    return NoteLines(tuple(json.dumps(note).encode() for note in notes))


@pytest.mark.parametrize("note", GOOD, ids=json.dumps)
def test_a_note_is_kept_as_it_was_written(note: dict[str, Any]) -> None:
    assert read_notes(lines_of(note)) == TurnNotes((note,))


@pytest.mark.parametrize(("line", "reason"), BAD, ids=[repr(line[:40]) for line, _ in BAD])
def test_what_is_no_note_is_dropped_with_a_reason(line: bytes, reason: str) -> None:
    notes = read_notes(NoteLines((line, b'{"mark": "still here"}')))
    assert notes is not None
    assert (notes.kept, notes.dropped) == (({"mark": "still here"},), 1)
    assert reason in notes.reason
    assert len(notes.reason) <= 200


def test_all_that_is_dropped_is_counted_and_the_first_reason_is_told() -> None:
    notes = read_notes(NoteLines((b"{", b"[]"), dropped=10_000_000))
    assert notes is not None
    assert notes.dropped == 10_000_002
    assert "not valid JSON" in notes.reason
    assert "more than 64 notes or 4096 bytes" in read_notes(NoteLines((), 1)).reason  # type: ignore[union-attr]
    assert read_notes(NoteLines()) is None


@given(st.binary(max_size=200))
def test_no_bytes_are_too_odd(line: bytes) -> None:
    assert read_notes(NoteLines((line,))) is not None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 50) | st.floats() | st.sampled_from(["red", "#aabbcc", "x" * 41, "y"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["cell", "line", "mark", "text", "colour", "turn", "z"]), inner, max_size=4)
    ),
    max_leaves=8,
)


@given(JSON)
def test_whatever_is_kept_can_be_read_again_from_a_file(value: Any) -> None:
    notes = read_notes(lines_of(value))
    assert notes is not None
    filed = {"kept": list(notes.kept), "dropped": notes.dropped, "reason": notes.reason}
    assert checked_notes(json.loads(json.dumps(filed))) == notes


STRANGE: list[Any] = [5, {}, [1], [{"mark": ""}], [{"mark": "x"}] * 65]
FILED: dict[str, Any] = {"kept": [], "dropped": 0, "reason": ""}


@pytest.mark.parametrize(
    "value",
    [
        5,
        {},
        {"kept": [], "dropped": 0},
        {**FILED, "more": 1},
        *({**FILED, "dropped": dropped} for dropped in (-1, True, 1.0, None)),
        *({**FILED, "kept": kept} for kept in STRANGE),
        {**FILED, "reason": 5},
    ],
)
def test_notes_of_a_file_that_make_no_sense_are_refused(value: Any) -> None:
    with pytest.raises(ValueError, match=r"notes are|a note is|a text has"):
        checked_notes(value)


def test_the_turn_that_a_note_names_wins_over_the_one_it_was_read_in() -> None:
    assert tick_of({"mark": "x", "turn": 3}, 9) == 3
    assert tick_of({"mark": "x", "turn": 0}, 9) == 0
    assert tick_of({"mark": "x"}, 9) == 9
    assert tick_of({"mark": "x"}, -1) == 0


def test_colours_are_shown_as_numbers() -> None:
    assert shown_colour({"cell": [0, 0], "colour": "white"}) == "#ffffff"
    assert shown_colour({"cell": [0, 0], "colour": "#12AB34"}) == "#12AB34"
    assert shown_colour({"cell": [0, 0]}) is None
