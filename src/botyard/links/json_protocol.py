"""Botyard's own protocol: JSON, one message a line, the same for every game (docs/protocol.md).

We say hello, with everything that holds for the whole game; the bot says it is ready; then each question carries the
number of its turn, and so does each answer. An answer to an earlier turn can therefore be told from a wrong one, and
never counts for a later turn. What is left to think is what the game's native protocol leaves, time bank included.

What a bot sends is believed in nothing: lines, numbers, names and brackets are counted before they are read.
"""

from __future__ import annotations

import json
from functools import partial
from typing import Any

from botyard.games.view import View
from botyard.kernel.bounded import no_number, short, single
from botyard.kernel.outcome import Outcome
from botyard.kernel.rulebook import Rulebook
from botyard.kernel.session import Session, printable
from botyard.kernel.settings import Settings
from botyard.kernel.verdict import Fault, Verdict
from botyard.links.view_json import FieldNames
from botyard.match.in_process import read_order

PROTOCOL = "botyard"
VERSION = 1

START_MS = 30_000  # from hello to ready: interpreters, virtual machines and tables computed from the map
FOR_EVER_MS = 24 * 60 * 60 * 1000  # where a game sets no limit

LINE_BYTES = 4096  # longest line of a bot; answers are a hundredth of it
ANSWER_BYTES = 64 * 1024  # most a bot may send for one question, stale answers and blank lines included
MOST_BRACKETS = 64  # in a line: far below the depth at which a parser gives up
MOST_DIGITS = 18  # of a number
MOST_LETTERS = 64  # of a name


class JsonSession(Session):
    """One bot's side of the conversation. Never raises on what a bot sends.

    `framed` is for links that hand over whole messages, as a WebSocket does: there a line needs no end.
    """

    introduces = True
    start_ms = START_MS

    def __init__(self, book: Rulebook, settings: Settings, number: int, *, framed: bool = False) -> None:
        super().__init__()
        self._book, self._settings = book, settings
        self._native = book.wire.open_session(settings, number)  # keeps the time
        self._fields = FieldNames(book, settings)
        self._lines = LineReader(framed)
        self._turn = 0
        self.connect_ms = self._native.connect_ms

    @property
    def stopped(self) -> bool:
        """Whether the bot has timed out once too often for this game."""
        return self._native.stopped

    @property
    def move_ms(self) -> int:
        return self._native.move_ms or (0 if self.stopped else FOR_EVER_MS)

    @property
    def settle_ms(self) -> int:
        return self._native.settle_ms

    def greet(self) -> bytes:
        """What a bot is told before it is to be ready: it may reckon as long as its start-up allowance lasts."""
        facts = self._book.facts
        return line_of(
            {
                "type": "hello",
                "protocol": PROTOCOL,
                "version": VERSION,
                "game": facts.name,
                "rules_version": facts.rules_version,
                "seats": self._book.layout.seats(self._settings),
                "orders": facts.orders,
                "settings": self._settings.of_group("rules"),
                "clock": self._settings.of_group("clock"),
                "limits": {
                    "start_ms": START_MS,
                    "move_ms": self._native.move_ms or None,
                    "line_bytes": LINE_BYTES,
                    "answer_bytes": ANSWER_BYTES,
                },
            }
        )

    def introduce(self, chunk: bytes) -> str | Fault | None:
        """Takes a raw read; gives the bot's name once it is ready."""
        line = self._lines.next(chunk)
        if line is None or isinstance(line, Fault):
            return line
        said = read_object(line)
        return said if isinstance(said, Fault) else name_in(said, line)

    def unasked(self, chunk: bytes) -> bytes:
        """Nothing that came before a question can answer it; a line that has begun is read on, for its number."""
        return self._lines.drop(chunk)

    def ask(self, view: View) -> bytes:
        self._turn += 1
        limit_ms = self._native.move_ms or None
        return line_of(
            {"type": "turn", "turn": self._turn, "limit_ms": limit_ms, "view": self._fields.of(view)},
        )

    def receive(self, chunk: bytes) -> int | Fault | None:
        """Takes a raw read after the question; gives an order, a fault, or nothing yet."""
        while (line := self._lines.next(chunk)) is not None:
            chunk = b""
            result = line if isinstance(line, Fault) else self._answer(line)
            if result is not None:
                return result
        return None

    def took(self, ms: float, result: int | Fault) -> None:
        self._native.took(ms, result)

    def closing(self, outcome: Outcome | None) -> bytes:
        told = None if outcome is None else {"groups": outcome.groups, "scores": outcome.scores}
        return line_of({"type": "goodbye", "outcome": told})

    def _answer(self, line: bytes) -> int | Fault | None:
        """The order in a line; nothing if it answers an earlier turn, and came too late."""
        said = read_object(line)
        if isinstance(said, Fault):
            return said
        turn, order = said.get("turn"), said.get("order")
        if type(turn) is not int or order is None:
            return garbled('an answer is {"turn": number, "order": name or number}', line)
        if turn < self._turn:
            return None
        if turn > self._turn:
            return garbled(f"an answer to turn {turn}, but the question was for turn {self._turn}", line)
        if isinstance(order, str) and len(order) > MOST_LETTERS:
            return garbled(f"the name of an order has at most {MOST_LETTERS} characters", line)
        return read_order(self._book.facts, order)


class LineReader:
    """Bytes as they come, cut into lines. A line that is too long is a fault, and what is left of it is skipped."""

    def __init__(self, framed: bool) -> None:
        self._framed = framed
        self._held = b""
        self._skipping = False
        self._taken = 0  # bytes since the last question

    def next(self, chunk: bytes) -> bytes | Fault | None:
        """The next line that is not blank, without its end; nothing yet; or a fault."""
        self._take(chunk)
        while b"\n" in self._held:
            line, _, self._held = self._held.partition(b"\n")
            if len(line) > LINE_BYTES:
                return too_long(line)
            if line.strip():
                return line
        if len(self._held) > LINE_BYTES:
            begun, self._held, self._skipping = self._held, b"", True
            return too_long(begun)
        if self._taken > ANSWER_BYTES:
            self._taken = 0
            return Fault(Verdict.FLOODED, f"more than {ANSWER_BYTES} bytes without an answer among them")
        return None

    def drop(self, chunk: bytes) -> bytes:
        """Drops all whole lines, and says which. Here the count for the next question begins."""
        self._take(chunk)
        self._taken = 0
        end = self._held.rfind(b"\n") + 1
        dropped, self._held = self._held[:end], self._held[end:]
        if len(self._held) > LINE_BYTES:
            dropped, self._held, self._skipping = dropped + self._held, b"", True
        return dropped

    def _take(self, chunk: bytes) -> None:
        self._taken += len(chunk)
        if self._framed and chunk:
            chunk += b"\n"
        if self._skipping:
            _, newline, chunk = chunk.partition(b"\n")
            self._skipping = not newline
        self._held += chunk


def line_of(message: dict[str, Any]) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def garbled(why: str, line: bytes) -> Fault:
    return Fault(Verdict.GARBLED, f"{why}: {printable(line)}")


def too_long(line: bytes) -> Fault:
    return Fault(Verdict.FLOODED, f"a line of more than {LINE_BYTES} bytes: {printable(line)}")


def name_in(said: dict[str, Any], line: bytes) -> str | Fault:
    """The name of a bot that says it is ready, if it speaks as we do."""
    if said.get("type") != "ready":
        return garbled(f'the first line of a bot must be {{"type": "ready", "version": {VERSION}, "name": …}}', line)
    version, name = said.get("version"), said.get("name", "")
    if type(version) is not int or version != VERSION:
        return garbled(f"the bot must speak version {VERSION} of the protocol", line)
    if not isinstance(name, str):
        return garbled("a name must be a string", line)
    return name[:MOST_LETTERS].encode("utf-8", "replace").decode()


def read_object(line: bytes) -> dict[str, Any] | Fault:
    """A line as a JSON object."""
    if line.count(b"[") + line.count(b"{") > MOST_BRACKETS:
        return garbled(f"more than {MOST_BRACKETS} brackets in a line", line)
    try:
        said = json.loads(
            line.decode(),
            object_pairs_hook=single,
            parse_int=partial(short, most=MOST_DIGITS),
            parse_constant=no_number,
        )
    except UnicodeDecodeError:
        return garbled("not UTF-8", line)
    except ValueError as error:
        return garbled(f"not valid JSON ({error})", line)
    return said if isinstance(said, dict) else garbled("not a JSON object", line)
