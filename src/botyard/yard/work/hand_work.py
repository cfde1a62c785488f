"""A match in which a person plays, as a worker plays it.

The person's page talks to the server, and the server to the worker, over a socket on this machine, whose secret comes
with the work: questions and what became of them go one way, orders the other, as lines of JSON. The clock is a
person's: there is time to think, but a worker is not kept for somebody who has left.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator, Callable
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from botyard.contest.messages import GameReport, Sign
from botyard.games import load
from botyard.games.game import Game
from botyard.games.view import View
from botyard.kernel.bounded import json_of
from botyard.kernel.errors import BadRecord
from botyard.kernel.verdict import Fault, Verdict
from botyard.links.bot_spec import BotSpec, Seating
from botyard.links.human import HumanPlayer, HumanSeat
from botyard.match.player import Answer
from botyard.yard.work.matches import MatchPlayer, MatchWork

if TYPE_CHECKING:
    from botyard.contest.worker import Worker

COME_S = 60.0  # within which the person takes the seat
THINK_MS = 45_000  # for an order; a lease lasts longer without progress
GONE_AFTER = 2  # turns without an order: nobody is there any more, and the rest of the game is soon over
LONGEST_S = 1800.0  # of a game; then it is played to its end without the person
NO_TIME_MS = 1
LINE_BYTES = 256 * 1024  # of a message: the text of a view

SEAT: ContextVar[HumanSeat] = ContextVar("SEAT")
"""The seat of the person in the match that this task plays; what a worker has prepared is used for many matches."""


@dataclass(frozen=True, slots=True)
class HandWork(MatchWork):
    """A match to play with a person in one place."""

    place: int = 1  # of the person
    mailbox: str = ""  # the socket of the server
    secret: str = field(default="", repr=False)

    async def done_by(self, worker: Worker, progress: Callable[[Sign], None]) -> GameReport:
        seat = HumanSeat(self.players[self.place - 1].name, load(self.game).facts.orders)
        SEAT.set(seat)
        try:
            async with at_the_table(self, seat):
                return await MatchWork.done_by(self, worker, progress)
        except OSError as error:
            return GameReport(self.match, trouble=f"the person's page cannot be reached: {error}")

    def shown_seat(self, game: Game) -> int | None:
        if not game.settings.habits.hides:
            return None
        return next(seat for seat in range(game.seats) if game.entrant(seat) == self.place - 1)

    def _read(self, player: MatchPlayer) -> BotSpec:
        if player.house or player.source:
            return MatchWork._read(self, player)
        return BotSpec(player.name, seated_person, is_person=True)


def seated_person(seating: Seating, at: int) -> HandPlayer:
    return HandPlayer(SEAT.get(), seating.book, seating.settings, at, seating.clock, patient=True)


class HandPlayer(HumanPlayer):
    """A person who has time to think, but not for ever."""

    _silent = 0  # turns in a row
    _began = 0.0

    async def start(self) -> Fault | None:
        self._began = time.monotonic()
        try:
            async with asyncio.timeout(COME_S):
                return await super().start()
        except TimeoutError:
            return Fault(Verdict.SILENT, f"nobody took the seat within {COME_S:g} s")

    async def ask(self, view: View) -> Answer:
        answer = await super().ask(view)
        self._silent = self._silent + 1 if isinstance(answer.result, Fault) else 0
        return answer

    def _limit_ms(self) -> int:
        gone = self._silent >= GONE_AFTER or time.monotonic() - self._began > LONGEST_S
        return NO_TIME_MS if gone else THINK_MS


# The socket, seen from the worker


@contextlib.asynccontextmanager
async def at_the_table(work: HandWork, seat: HumanSeat) -> AsyncIterator[None]:
    """While inside, the person's page and the seat know of each other."""
    reader, writer = await asyncio.open_unix_connection(work.mailbox, limit=LINE_BYTES)
    say(writer, {"secret": work.secret, "match": work.match})
    tasks = [asyncio.create_task(hear(reader, seat)), asyncio.create_task(tell(writer, seat))]
    try:
        yield
    finally:
        seat.close()
        say(writer, state_of(seat))
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        with contextlib.suppress(OSError):
            await writer.drain()
            writer.close()


async def hear(reader: asyncio.StreamReader, seat: HumanSeat) -> None:
    """Takes what the person's page says."""
    while line := await reader.readline():
        with contextlib.suppress(BadRecord, ValueError):
            said = json_of(line, "a message")
            if isinstance(said, dict) and isinstance(said.get("order"), int):
                seat.offer(said["order"])
            elif isinstance(said, dict) and said.get("withdraw"):
                seat.withdraw()
            elif isinstance(said, dict) and said.get("resign"):
                seat.resign()
            elif isinstance(said, dict) and said.get("here"):
                seat.sit_down()


async def tell(writer: asyncio.StreamWriter, seat: HumanSeat) -> None:
    """Tells the server whatever changes about the seat."""
    told: dict[str, Any] = {}
    while True:
        coming = asyncio.ensure_future(seat.news())
        state = state_of(seat)
        if state != told:
            told = state
            say(writer, state)
            await writer.drain()
            coming.cancel()
        else:
            await coming


def state_of(seat: HumanSeat) -> dict[str, Any]:
    question, lost = seat.question, seat.lost
    return {
        "here": seat.here,
        "question": question and [question.number, str(question.view), question.limit_s],
        "planned": seat.planned,
        "sent": seat.sent,
        "lost": lost and [str(lost.verdict), lost.reason],
        "over": seat.over,
    }


def say(writer: asyncio.StreamWriter, message: dict[str, Any]) -> None:
    with contextlib.suppress(OSError, RuntimeError):
        writer.write(json.dumps(message).encode() + b"\n")
