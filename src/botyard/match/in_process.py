"""Players inside this process: plain functions, and house bots."""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from botyard.games.view import View
from botyard.kernel.facts import Facts
from botyard.kernel.rule import opened
from botyard.kernel.rulebook import Rulebook
from botyard.kernel.settings import Settings, seed_word
from botyard.kernel.verdict import Fault, Verdict
from botyard.match.clock import Clock
from botyard.match.deadline import Stopwatch
from botyard.match.player import Answer, Player

BotFunction: TypeAlias = Callable[[View], Any]
"""A function from a view to an order: its name or its number, or something to await that gives it."""


def read_order(facts: Facts, given: Any) -> int | Fault:
    """What a Python bot returned, as an order: a name or a number."""
    if isinstance(given, bool) or not isinstance(given, (str, int, np.integer)):
        return Fault(Verdict.GARBLED, f"a bot returns an order's name or number, not {given!r:.80}")
    try:
        return facts.order_named(given) if isinstance(given, str) else facts.order_numbered(int(given))
    except ValueError as error:  # a YardError, or a number of thousands of digits
        return Fault(Verdict.GARBLED if isinstance(given, str) else Verdict.INVALID, str(error))


class FunctionPlayer(Player):
    """A function that is called with each view.

    It runs inside this process: a deadline is measured, but a function that never returns cannot be stopped. What it
    does before it returns is all its own time: from here nobody can tell a function that sleeps from a process that was
    stopped. Only while something is awaited is the time taken out in which we were held up.
    """

    def __init__(self, function: BotFunction, facts: Facts, limit_ms: int, clock: Clock) -> None:
        self.name = getattr(function, "__name__", type(function).__name__)
        self._function, self._facts, self._limit_ms, self._clock = function, facts, limit_ms, clock

    async def ask(self, view: View) -> Answer:
        began = self._clock.now()
        waited = None
        try:
            given: Any = self._function(view)
            called_s = self._clock.now() - began
            if inspect.isawaitable(given):
                waited = Stopwatch(self._clock)
                given = await self._clock.within(None, given)
        except (Exception, SystemExit) as error:
            reason = "".join(traceback.format_exception_only(error)).strip()
            ms = (self._clock.now() - began) * 1000
            return Answer(Fault(Verdict.CRASHED, reason), ms, self._limit_ms, said=traceback.format_exc())
        ms = (called_s + (waited.seconds if waited else 0.0)) * 1000
        result = read_order(self._facts, given)
        if self._limit_ms and ms > self._limit_ms:
            result = Fault(Verdict.LATE, f"returned after {ms:.0f} ms; the limit is {self._limit_ms} ms")
        return Answer(result, ms, self._limit_ms, received=repr(given).encode())


class HousePlayer(Player):
    """A house bot: the compiled rule function, one call per turn."""

    def __init__(self, book: Rulebook, settings: Settings, bot: str, clock: Clock) -> None:
        book.prepare(settings, "bots")
        self.name = bot
        self._number, self._loops = book.bot_number(bot), book.loops
        self._arenas = book.layout.make_arena(settings)
        self._memories = np.zeros(1, book.layouts(settings).memory)
        self._clock = clock

    def playing_by(self, book: Rulebook, settings: Settings) -> HousePlayer:
        """Returns the same bot for games by these settings."""
        return HousePlayer(book, settings, self.name, self._clock)

    def wake(self, seed: int, seat: int) -> None:
        """Its own chance, keyed by the game's seed and the seat: the same as in a compiled batch."""
        self._loops.wake_at(opened(self._memories), seed_word(seed), seat)

    def preload(self, view: View) -> None:
        """Decides once without effect, which loads the compiled code before any bot's time runs."""
        self._decide(view, self._memories.copy())

    async def ask(self, view: View) -> Answer:
        began = self._clock.now()
        return Answer(self.decide(view), (self._clock.now() - began) * 1000)

    def decide(self, view: View) -> int:
        """Its order, at once."""
        return self._decide(view, self._memories)

    def _decide(self, view: View, memories: NDArray[Any]) -> int:
        return int(self._loops.decide_at(self._number, opened(self._arenas), opened(view.array), opened(memories)))
