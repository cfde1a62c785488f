"""Note lines: what a program prints for whoever watches its game, among the rest of what it prints.

A line that begins with `@yard ` is taken out before the rest is cut to its beginning and its end. What stands in it is
none of our business here: `match/board_notes.py` reads it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

MARKER = b"@yard "
MOST_LINES = 64  # kept from one turn
MOST_BYTES = 4096  # of all of them, without marker and line end
HELD_BYTES = len(MARKER) + MOST_BYTES + 1  # of a line that has not ended: a longer one cannot be kept any more

NOTE_LINE = re.compile(rb"^@yard ([^\n]*)\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class NoteLines:
    """What stood on the note lines of one turn, in order, and how many of these lines were dropped."""

    lines: tuple[bytes, ...] = ()
    dropped: int = 0


class NoteSieve:
    """Takes note lines out of a stream. It holds no more of it than one line that may become one."""

    def __init__(self) -> None:
        self._held = b""  # the beginning of a line that is a note line, or may become one
        self._within = False  # the stream stands within a line that is none
        self._skipping = False  # the stream stands within a note line that is too long
        self._lines: list[bytes] = []
        self._size = self._dropped = 0

    def sift(self, chunk: bytes) -> bytes:
        """Returns what is left of the next piece of the stream."""
        if self._skipping:
            _, end, chunk = chunk.partition(b"\n")
            if not end:
                return b""
            self._skipping = False
        data = self._held + chunk
        before = b""
        if self._within:
            before, end, data = data.partition(b"\n")
            before += end
            self._within = not end
        whole, end, last = data.rpartition(b"\n")
        parts = NOTE_LINE.split(whole + end) if MARKER in whole else [whole + end]
        for line in parts[1::2]:
            self._keep(line)
        return before + b"".join(parts[::2]) + self._hold(last)

    def _hold(self, last: bytes) -> bytes:
        """Holds the beginning of a line if it may be a note line, and returns it otherwise."""
        self._held = b""
        if not last:
            return b""
        if not last.startswith(MARKER) and not MARKER.startswith(last):
            self._within = True
            return last
        if len(last) > HELD_BYTES:
            self._skipping = True
            self._dropped += 1
        else:
            self._held = last
        return b""

    def _keep(self, line: bytes) -> None:
        if len(self._lines) < MOST_LINES and self._size + len(line) <= MOST_BYTES:
            self._lines.append(line)
            self._size += len(line)
        else:
            self._dropped += 1

    def end(self) -> bytes:
        """Ends the stream: a line that had no end is a line, too. Returns what is left of it."""
        last, self._held = self._held, b""
        if not last.startswith(MARKER):
            return last
        self._keep(last.removeprefix(MARKER))
        return b""

    def take(self) -> NoteLines:
        """Returns the note lines since the last call."""
        taken = NoteLines(tuple(self._lines), self._dropped)
        self._lines, self._size, self._dropped = [], 0, 0
        return taken
