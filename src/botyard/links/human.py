"""A person as a player. A `HumanSeat` is what the match and the person's screen share, be it a terminal or a page.

The match asks through the seat; whoever draws the screen waits for `news`, shows `question` and `planned`, and calls
`offer` for every key. An order that is offered between two questions is planned: it answers the next one, and until
then another order takes its place. So nothing is lost by being quick, and the screen can always say what will be sent.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any

from botyard.games.view import View
from botyard.kernel.outcome import Outcome
from botyard.kernel.rulebook import Rulebook
from botyard.kernel.settings import Settings
from botyard.kernel.verdict import Fault, Verdict
from botyard.match.clock import Clock
from botyard.match.deadline import STOPPED, Deadline
from botyard.match.player import Answer, Player

RESIGNED = Fault(Verdict.GONE, "resigned", ends=True)


@dataclass(frozen=True, slots=True)
class Question:
    """What a person is asked: an order for this view."""

    number: int  # counted from 1
    view: View
    limit_s: float | None  # None: the clock waits
    until: float | None  # the same as a time of the event loop's clock


class HumanSeat:
    """The place of a person at a board. It belongs to the event loop in which the match is played."""

    def __init__(self, name: str, orders: tuple[str, ...]) -> None:
        self.name, self.orders = name, orders
        self.question: Question | None = None  # what the person is asked now
        self.planned: int | None = None  # the order that will be sent
        self.sent: int | None = None  # the order that was sent last
        self.lost: Fault | None = None  # why the last turn was lost, if it was
        self.resigned = False
        self.over = False
        self.outcome: Outcome | None = None
        self._here = asyncio.Event()
        self._asked = asyncio.Event()
        self._planned = asyncio.Event()
        self._news = asyncio.Event()

    # The person's side

    def sit_down(self) -> None:
        """The person is there; until then the match does not begin."""
        self._here.set()
        self._tell()

    @property
    def here(self) -> bool:
        return self._here.is_set()

    def offer(self, order: int) -> None:
        """Gives an order, by its number, for this question or else the next; a later one replaces it."""
        if not 0 <= order < len(self.orders):
            raise ValueError(f"there is no order {order}")
        if not self.over:
            self.planned = order
            self._planned.set()
            self._tell()

    def withdraw(self) -> None:
        """Takes a planned order back, unless it was sent already."""
        self.planned = None
        if not self.resigned:
            self._planned.clear()
        self._tell()

    def resign(self) -> None:
        """Gives the game up, whatever was planned. It ends with this question, or else the next, as a forfeit."""
        if not self.over:
            self.resigned = True
            self._here.set()
            self._planned.set()
            self._tell()

    async def asked(self) -> Question | None:
        """Waits until the person is asked; None: the game is over."""
        await self._asked.wait()
        return self.question

    def news(self) -> Coroutine[Any, Any, bool]:
        """Waits until something about this seat changes, from the moment of this call: a change that comes before the
        wait itself has begun counts, too."""
        return self._news.wait()

    # The match's side

    async def wait_for_person(self) -> None:
        await self._here.wait()

    def ask(self, question: Question) -> None:
        self.question, self.lost = question, None
        self._asked.set()
        self._tell()

    async def take(self) -> int | Fault:
        """Waits for an order and takes it."""
        await self._planned.wait()
        if self.resigned:
            return RESIGNED
        assert self.planned is not None
        order, self.planned = self.planned, None
        self._planned.clear()
        return order

    def settle(self, result: int | Fault) -> None:
        """The question is answered, or its time is over."""
        self.question = None
        self.sent, self.lost = (None, result) if isinstance(result, Fault) else (result, None)
        self._asked.clear()
        self._tell()

    def close(self, outcome: Outcome | None = None) -> None:
        """Nothing will be asked any more."""
        self.over, self.question, self.planned = True, None, None
        self.outcome = self.outcome or outcome
        self._asked.set()
        self._tell()

    def _tell(self) -> None:
        """Wakes everybody who waits for news; whoever waits from now on waits for the next."""
        self._news.set()
        self._news = asyncio.Event()


class HumanPlayer(Player):
    """A person under the clock of the game; one who is waited for has all the time there is."""

    level = ""  # not ours to run

    def __init__(
        self,
        seat: HumanSeat,
        book: Rulebook,
        settings: Settings,
        entrant: int,
        clock: Clock,
        *,
        patient: bool = False,
    ) -> None:
        self.name, self.seat = seat.name, seat
        self._clock, self._patient, self._questions = clock, patient, 0
        self._times = book.wire.open_session(settings, entrant)  # of the native protocol, a time bank included

    async def start(self) -> Fault | None:
        await self.seat.wait_for_person()
        return None

    async def ask(self, view: View) -> Answer:
        if self._times.stopped:
            return Answer(STOPPED)
        limit_ms = self._limit_ms()
        limit_s = limit_ms / 1000 or None
        self._questions += 1
        until = None if limit_s is None else self._clock.now() + limit_s
        deadline = Deadline(self._clock, limit_s)
        self.seat.ask(Question(self._questions, view, limit_s, until))
        silent = Fault(Verdict.SILENT, f"no order within {limit_ms} ms")
        result = await deadline.order(self.seat.take, lambda: silent)
        ms = deadline.ms
        if not self._patient:
            self._times.took(ms, result)
        self.seat.settle(result)
        received = b"" if isinstance(result, Fault) else self.seat.orders[result].encode()
        sent = str(view).encode("utf-8", "replace")
        return Answer(result, ms, limit_ms, sent, received, next_ms=None if self._patient else self._times.move_ms)

    def _limit_ms(self) -> int:
        """Returns how long the person may take now; 0: as long as they like."""
        return 0 if self._patient else self._times.move_ms

    async def finish(self, outcome: Outcome | None) -> None:
        self.seat.close(outcome)

    async def stop(self) -> None:
        self.seat.close()
