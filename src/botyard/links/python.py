"""`py:` bots: a Python function in a child interpreter, which can be stopped.

`jail/programs/python_child.py` is the inside of that interpreter.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from botyard.games.view import View
from botyard.jail.program import Program
from botyard.jail.programs.python_child import LENGTH
from botyard.kernel.rulebook import Rulebook
from botyard.kernel.session import SETTLE_MS
from botyard.kernel.settings import Settings
from botyard.kernel.verdict import Fault, Verdict
from botyard.links.cage_policy import FunctionBot
from botyard.match.board_notes import TurnNotes, read_notes
from botyard.match.clock import Clock
from botyard.match.deadline import STOPPED, Deadline
from botyard.match.in_process import read_order
from botyard.match.player import Answer, Player

START_ALLOWANCE_S = 30.0  # for the interpreter and the bot's imports
FRAME_LIMIT = 64 * 1024
COMMAND = (sys.executable, "-m", "botyard.jail.programs.python_child")


class PythonPlayer(Player):
    """One child interpreter for one game."""

    def __init__(
        self, bot: FunctionBot, function: str, book: Rulebook, settings: Settings, entrant: int, clock: Clock
    ) -> None:
        self.name, self._bot = bot.name, bot
        self._head = {
            "file": str(bot.own),
            "function": function,
            "game": book.facts.name,
            "settings": settings.of_group("rules"),
        }
        self._facts, self._clock = book.facts, clock
        self._times = book.wire.open_session(settings, entrant)  # of the native protocol, a time bank included
        self._program: Program | None = None
        self._question = 0
        self._returned = ""  # what the function gave, as text
        self._held = b""

    async def start(self) -> Fault | None:
        started = await Program.start(self._bot.launch(), piped=True)
        if isinstance(started, Fault):
            return started
        self._program = started
        self._write(json.dumps(self._head).encode())
        try:
            answer = await Deadline(self._clock, START_ALLOWANCE_S).wait(self._read)
        except TimeoutError:
            return started.fate() or Fault(Verdict.SILENT, f"not ready within {START_ALLOWANCE_S:g} s")
        if isinstance(answer, Fault):
            return answer
        return Fault(Verdict.CRASHED, str(answer["error"])) if "error" in answer else None

    async def ask(self, view: View) -> Answer:
        limit_ms = self._times.move_ms
        if self._times.stopped:
            return Answer(STOPPED)
        self._question += 1
        deadline = Deadline(self._clock, limit_ms / 1000 or None)
        self._write(LENGTH.pack(self._question) + view.array.tobytes())
        self._returned = ""
        result = await deadline.order(
            self._read_order, lambda: self._silence(limit_ms), SETTLE_MS, is_late_answer=lambda owed: True
        )
        ms = deadline.ms
        self._times.took(ms, result)
        said, notes, next_ms = self.said(), self.notes(), self._times.move_ms
        returned = "" if isinstance(result, Fault) and result.verdict is Verdict.LATE else self._returned
        received = returned.encode("utf-8", "backslashreplace")
        return Answer(result, ms, limit_ms, received=received, said=said, next_ms=next_ms, notes=notes)

    def _silence(self, limit_ms: int) -> Fault:
        """Why no answer came."""
        assert self._program is not None
        return self._program.fate() or Fault(Verdict.SILENT, f"no answer within {limit_ms} ms")

    async def _read_order(self) -> int | Fault:
        """The order that the function returned; what else it returned is kept for the report."""
        answer = await self._read_current()
        if isinstance(answer, Fault):
            return answer
        if "error" in answer:
            return Fault(Verdict.CRASHED, str(answer["error"]))
        given = answer.get("order")
        if isinstance(given, dict):
            self._returned = str(given.get("odd"))
            return Fault(Verdict.GARBLED, f"a bot returns an order's name or number, not {self._returned}")
        self._returned = repr(given)
        return read_order(self._facts, given)

    async def _read_current(self) -> dict[str, Any] | Fault:
        """The answer to the question asked last; answers to earlier ones are late and dropped."""
        while True:
            answer = await self._read()
            if isinstance(answer, Fault) or answer.get("question") == self._question:
                return answer

    def _write(self, body: bytes) -> None:
        assert self._program is not None
        self._program.send(LENGTH.pack(len(body)) + body)

    async def _read(self) -> dict[str, Any] | Fault:
        assert self._program is not None
        while (size := self._frame_size()) is None or len(self._held) < LENGTH.size + size:
            if size is not None and size > FRAME_LIMIT:
                return Fault(Verdict.FLOODED, f"an answer of {size} bytes")
            chunk = await self._program.inbox.receive()
            if not chunk:
                await self._program.ended()
                return self._program.judge()
            self._held += chunk
        body, self._held = self._held[LENGTH.size : LENGTH.size + size], self._held[LENGTH.size + size :]
        try:
            answer = json.loads(body)
        except (ValueError, RecursionError):
            return Fault(Verdict.GARBLED, "the bot wrote into the channel to its interpreter")
        return answer if isinstance(answer, dict) else Fault(Verdict.GARBLED, f"not an answer: {answer!r:.80}")

    def _frame_size(self) -> int | None:
        return int(LENGTH.unpack(self._held[: LENGTH.size])[0]) if len(self._held) >= LENGTH.size else None

    @property
    def level(self) -> str:
        return self._program.level if self._program else ""

    @property
    def peak_mb(self) -> float:
        return self._program.peak_mb if self._program else 0.0

    def said(self) -> str:
        return self._program.said() if self._program else ""

    def notes(self) -> TurnNotes | None:
        return read_notes(self._program.note_lines()) if self._program else None

    async def stop(self) -> None:
        if self._program is not None:
            await self._program.stop()
