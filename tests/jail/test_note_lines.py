"""Note lines are taken out of what a program prints, however it comes, and never cost more than a bound."""

from __future__ import annotations

import time
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from botyard.jail.note_lines import MARKER, MOST_BYTES, MOST_LINES, NoteLines, NoteSieve
from botyard.jail.printed import HEAD_BYTES, Printed

LINES = st.lists(st.sampled_from([b"@yard 1", b"@yard ", b"@yard", b"@yar", b"", b" @yard 2", b"x@yard 3", b"text"]))
MEGABYTE = 1 << 20


def sifted(*chunks: bytes) -> tuple[bytes, NoteLines]:
    sieve = NoteSieve()
    left = b"".join(map(sieve.sift, chunks)) + sieve.end()
    return left, sieve.take()


@given(LINES, st.booleans(), st.lists(st.integers(0, 80), max_size=8))
def test_however_a_stream_is_cut_its_lines_are_told_apart(lines: list[bytes], ends: bool, cuts: list[int]) -> None:
    stream = b"\n".join(lines) + (b"\n" if ends and lines else b"")
    at = [0, *sorted(min(cut, len(stream)) for cut in cuts), len(stream)]
    left, notes = sifted(*(stream[one:other] for one, other in pairwise(at)))
    whole = stream.splitlines(keepends=True)
    assert left == b"".join(line for line in whole if not line.startswith(MARKER))
    marked = [line.removeprefix(MARKER).rstrip(b"\n") for line in whole if line.startswith(MARKER)]
    assert notes == NoteLines(tuple(marked[:MOST_LINES]), max(len(marked) - MOST_LINES, 0))


def test_as_many_lines_and_bytes_are_kept_as_a_turn_may_have_and_the_rest_is_counted() -> None:
    _, notes = sifted(b"@yard 1\n" * (MOST_LINES + 3))
    assert (len(notes.lines), notes.dropped) == (MOST_LINES, 3)
    exactly = b"@yard " + b"x" * MOST_BYTES + b"\n"
    assert sifted(exactly)[1] == NoteLines((b"x" * MOST_BYTES,), 0)
    assert sifted(b"@yard y\n" + exactly + b"@yard z\n")[1] == NoteLines((b"y", b"z"), 1)


def test_the_next_turn_has_its_own_bound() -> None:
    sieve = NoteSieve()
    sieve.sift(b"@yard 1\n" * 100)
    assert sieve.take().dropped == 100 - MOST_LINES
    sieve.sift(b"@yard 2\n")
    assert sieve.take() == NoteLines((b"2",), 0)


def test_a_line_that_was_not_ended_when_the_turn_was_belongs_to_the_next() -> None:
    sieve = NoteSieve()
    assert sieve.sift(b'before\n@yard {"mark"') == b"before\n"
    assert sieve.take() == NoteLines()
    assert sieve.sift(b': "x"}\nafter') == b"after"
    assert sieve.take() == NoteLines((b'{"mark": "x"}',), 0)


def test_a_line_without_an_end_is_not_held_but_counted_once() -> None:
    sieve = NoteSieve()
    assert sieve.sift(MARKER) == b""
    for _ in range(100):
        assert sieve.sift(b"x" * MEGABYTE) == b""
        assert len(sieve._held) <= MOST_BYTES + len(MARKER) + 1
    assert sieve.sift(b"\nwords\n@yard 1\n") == b"words\n"
    assert sieve.take() == NoteLines((b"1",), 1)


def test_notes_survive_a_flood_of_words_and_take_no_room_from_them() -> None:
    printed = Printed()
    flood = b"w" * (4 * HEAD_BYTES) + b"\n"
    printed.add(flood + b"@yard kept\n" + flood)
    said = printed.take()
    assert "kept" not in said
    assert "bytes dropped" in said
    assert printed.take_notes() == NoteLines((b"kept",), 0)
    printed.add(b"@yard 1\n" * 1000 + b"word\n")
    assert printed.take() == "word\n"


def test_the_shortest_lines_in_the_largest_number_are_sifted_faster_than_a_program_prints_them() -> None:
    sieve, chunk = NoteSieve(), b"@yard\n@yard \n" * 20_000
    began = time.process_time()
    for _ in range(16):
        sieve.sift(chunk)
    took = time.process_time() - began
    assert sieve.take().dropped == 16 * 20_000 - MOST_LINES
    assert took < 4.0, f"{took:.2f} s for {16 * len(chunk) / MEGABYTE:.1f} MiB"
