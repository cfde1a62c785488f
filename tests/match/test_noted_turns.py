"""Notes in turn logs: kept, read again, bounded; old logs that know none."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from botyard.kernel.errors import BadRecord
from botyard.match.board_notes import TurnNotes
from botyard.match.player import Answer
from botyard.match.turns import (
    KEPT_IN_ALL,
    TurnRecorder,
    pack_turns,
    read_turns,
    sidecar_path,
    write_turns,
)
from tests.match.test_checkup import found, only
from tests.match.test_checkup import turn as asked
from tests.match.test_report import HEAD, log_of, turn

NOTES = TurnNotes(({"cell": [1, 2], "colour": "red"}, {"mark": "\u202e", "turn": 3}), 2, "because")


def test_notes_are_read_as_they_were_written_and_take_no_room_where_there_are_none(tmp_path: Path) -> None:
    path = tmp_path / "game.replay"
    log = log_of(turn(0, 0, notes=NOTES), turn(0, 1))
    log.seats = (replace(log.seats[0], notes=NOTES), log.seats[1])
    written = gzip.decompress(write_turns(path, log).read_bytes()).decode()
    assert written.count('"notes"') == 2
    assert read_turns(path) == log


def test_a_log_that_knows_no_notes_is_still_read(tmp_path: Path) -> None:
    path = tmp_path / "game.replay"
    head, *rows = gzip.decompress(pack_turns(log_of(turn(0, 0), turn(1, 1)))).decode().splitlines()
    old = {**json.loads(head), "version": 2}
    del old["in_turn"]
    sidecar_path(path).write_bytes(gzip.compress("\n".join([json.dumps(old), *rows]).encode()))
    assert read_turns(path) == log_of(turn(0, 0), turn(1, 1))


@pytest.mark.parametrize("notes", [5, [], {}, {"kept": [{"mark": 1}], "dropped": 0, "reason": ""}])
def test_a_log_whose_notes_are_none_is_refused(notes: Any, tmp_path: Path) -> None:
    path = tmp_path / "game.replay"
    head, row = gzip.decompress(pack_turns(log_of(turn(0, 0)))).decode().splitlines()
    for lines in (
        [head, json.dumps({**json.loads(row), "notes": notes})],
        [json.dumps({**HEAD, "seats": [{"name": "a", "notes": notes}]})],
    ):
        sidecar_path(path).write_bytes(gzip.compress("\n".join(lines).encode()))
        with pytest.raises(BadRecord, match="is damaged"):
            read_turns(path)


def test_of_a_bot_that_notes_without_end_only_a_number_is_kept() -> None:
    book = TurnRecorder()
    many = TurnNotes(({"mark": "x" * 40},) * 64)
    for tick in range(2000):
        book.note(tick, 0, Answer(0, notes=many))
    assert sum(turn.kept for turn in book.turns) < 1.1 * KEPT_IN_ALL
    assert book.turns[0].notes == many
    last = book.turns[-1].notes
    assert last is not None
    assert (last.kept, last.dropped) == ((), 64)
    assert "2 MB" in last.reason


def test_a_note_that_was_dropped_is_worth_a_word() -> None:
    good = replace(asked(0, "N"), notes=TurnNotes(({"mark": "x"},)))
    bad = replace(asked(1, "S"), notes=TurnNotes((), 2, "a cell is [row, column]"))
    finding = only(found("battlebots", [good, bad]))
    assert (finding.stage, finding.wrong, finding.times, finding.turn) == ("output", False, 1, bad)
    assert finding.what == "a note for the viewer was dropped: a cell is [row, column]"
