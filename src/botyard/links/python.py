"""`py:` bots: a Python function in a child interpreter, which can be stopped (`child.py` is its inside)."""

from __future__ import annotations

import json
import sys
from typing import Any

from botyard.games.view import View
from botyard.jail.program import Program
from botyard.kernel.outcome import Outcome
from botyard.kernel.rulebook import Rulebook
from botyard.kernel.session import SETTLE_MS
from botyard.kernel.settings import Settings
from botyard.kernel.verdict import Fault, Verdict
from botyard.links.child import LENGTH
from botyard.links.custody import FunctionBot
from botyard.match.clock import Clock
from botyard.match.direct import read_order
from botyard.match.player import Answer
from botyard.match.wired import OWN_LAG_S

SETTLE_S = SETTLE_MS / 1000

START_ALLOWANCE_S = 30.0  # for the interpreter and the bot's imports
FRAME_LIMIT = 64 * 1024
COMMAND = (sys.executable, "-m", "botyard.links.child")


class PythonPlayer:
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
        self._held = b""

    async def start(self) -> Fault | None:
        started = await Program.start(self._bot.errand(), piped=True)
        if isinstance(started, Fault):
            return started
        self._program = started
        self._write(json.dumps(self._head).encode())
        try:
            answer = await self._clock.within(START_ALLOWANCE_S, self._read())
        except TimeoutError:
            return Fault(Verdict.SILENT, f"not ready within {START_ALLOWANCE_S:g} s")
        if isinstance(answer, Fault):
            return answer
        return Fault(Verdict.CRASHED, str(answer["error"])) if "error" in answer else None

    async def ask(self, view: View) -> Answer:
        limit_ms = self._times.move_ms
        if getattr(self._times, "stopped", False):
            return Answer(Fault(Verdict.SILENT, "stopped: it had timed out too often"))
        self._question += 1
        began = self._clock.now()
        self._write(LENGTH.pack(self._question) + view.array.tobytes())
        result, received = await self._await_order(began, limit_ms)
        ms = (self._clock.now() - began) * 1000
        self._times.took(ms, result)
        said, next_ms = self.said(), self._times.move_ms
        return Answer(result, ms, limit_ms, received=received.encode(), said=said, next_ms=next_ms)

    async def _await_order(self, began: float, limit_ms: int) -> tuple[int | Fault, str]:
        deadline = began + limit_ms / 1000
        try:
            left = deadline - self._clock.now() if limit_ms else None
            return self._judge(await self._clock.within(left, self._read_current()))
        except TimeoutError:
            pass
        if self._clock.now() - deadline > OWN_LAG_S:
            # As with bots on a wire: this loop itself was held up, and what lies here by now may have come in time.
            try:
                return self._judge(await self._clock.within(OWN_LAG_S, self._read_current()))
            except TimeoutError:
                pass
        try:
            await self._clock.within(SETTLE_S, self._read_current())
        except TimeoutError:
            return Fault(Verdict.SILENT, f"no answer within {limit_ms} ms"), ""
        ms = (self._clock.now() - began) * 1000
        return Fault(Verdict.LATE, f"answered after {ms:.0f} ms, the limit is {limit_ms} ms"), ""

    def _judge(self, answer: dict[str, Any] | Fault) -> tuple[int | Fault, str]:
        if isinstance(answer, Fault):
            return answer, ""
        if "error" in answer:
            return Fault(Verdict.CRASHED, str(answer["error"])), ""
        given = answer.get("order")
        if isinstance(given, dict):
            reason = f"a bot returns an order's name or number, not {given.get('odd')}"
            return Fault(Verdict.GARBLED, reason), str(given.get("odd"))
        return read_order(self._facts, given), repr(given)

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
            chunk = await self._program.intake.receive()
            if not chunk:
                await self._program.ended()
                fault = self._program.judge()  # it may have been killed for its memory, or by somebody outside
                ended = f"the interpreter ended: {self._program.ending()}"
                return Fault(fault.verdict, ended) if fault.verdict is Verdict.CRASHED else fault
            self._held += chunk
        body, self._held = self._held[LENGTH.size : LENGTH.size + size], self._held[LENGTH.size + size :]
        try:
            answer = json.loads(body)
        except ValueError:
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

    async def finish(self, outcome: Outcome | None) -> None:
        pass

    async def stop(self) -> None:
        if self._program is not None:
            await self._program.stop()
