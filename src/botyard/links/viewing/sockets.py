"""The WebSockets of pages: a live film, and a person's seat. Each has bounds, and no match waits for one."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from botyard.kernel.bounded import json_of
from botyard.kernel.errors import BadRecord
from botyard.links.human import HumanSeat
from botyard.links.viewing.stage import Stage
from botyard.match.live_film import LiveFilm, Watching
from botyard.render.film import compact

MOST_WATCHERS = 64  # of one match
MOST_SCREENS = 8  # of one person: a page that is loaded again, a phone beside it
MESSAGE_BYTES = 256  # of a page
MOST_MESSAGES = 40  # a second, of one person; keys are not pressed faster
FULL, MISUSED = 1013, 1008  # how sockets are closed
GONE = 4404  # likewise: what a page wanted to watch is over; render/web/live.js knows this number


class Audience:
    """The pages that watch one match."""

    def __init__(self, screening: Stage) -> None:
        self._screening, self.watchers = screening, 0

    async def serve(self, socket: WebSocket, seat: int | None) -> None:
        """Tells a page how a film grows, until it is over or the page has gone."""
        await socket.accept()
        if self.watchers >= MOST_WATCHERS:
            await socket.close(FULL, f"{MOST_WATCHERS} pages watch already")
            return
        self.watchers += 1
        try:
            await until_gone(socket, ignore, self._tell(socket, seat))
        finally:
            self.watchers -= 1

    async def _tell(self, socket: WebSocket, seat: int | None) -> None:
        if trouble := self._screening.withheld(seat):
            await socket.send_text(compact({"withheld": trouble}))
            await self._screening.ended.wait()
        await tell_film(socket, self._screening.live(seat))


async def tell_film(socket: WebSocket, film: LiveFilm) -> None:
    watching = Watching(film)
    while not watching.done:
        news = film.written(watching)
        if news is None:
            await film.news()  # nothing can be added between the look and the waiting: this loop films, too
        else:
            await socket.send_text(news)
    await socket.close()


async def ignore(text: str) -> None:
    """Whoever watches has nothing to say."""


class Screens:
    """The open pages of one person's seat."""

    def __init__(self, seat: HumanSeat, patient: bool) -> None:
        """A person whom the clock does not wait for says when to begin."""
        self.seat, self._patient, self.open = seat, patient, 0

    async def serve(self, socket: WebSocket) -> None:
        await socket.accept()
        if self.open >= MOST_SCREENS:
            await socket.close(FULL, f"{MOST_SCREENS} pages show this seat already")
            return
        self.open += 1
        if self._patient:
            self.seat.sit_down()
        try:
            await until_gone(socket, self._hear, self._tell(socket))
        finally:
            self.open -= 1

    async def _tell(self, socket: WebSocket) -> None:
        told: dict[str, Any] = {}
        shown = 0  # the last question whose text was told
        while True:
            coming = asyncio.ensure_future(self.seat.news())
            try:
                state, question = seat_state(self.seat), self.seat.question
                if state != told:
                    fresh = question is not None and question.number != shown
                    shown = question.number if question else shown
                    text = {"text": str(question.view)} if question and fresh else {}
                    told = state
                    await socket.send_text(compact({**state, **text, **time_left(self.seat)}))
                elif self.seat.over:
                    await socket.close()
                    return
                else:
                    await coming
            finally:
                coming.cancel()

    async def _hear(self, text: str) -> None:
        """Takes an order by name, or takes it back, begins, or resigns. Whatever else comes is not for us."""
        try:
            said = json_of(text, "a message")
        except BadRecord:
            return
        order = said.get("order") if isinstance(said, dict) else None
        if isinstance(order, str) and order in self.seat.orders:
            self.seat.offer(self.seat.orders.index(order))
        elif isinstance(said, dict) and said.get("withdraw") is True:
            self.seat.withdraw()
        elif isinstance(said, dict) and said.get("ready") is True:
            self.seat.sit_down()
        elif isinstance(said, dict) and said.get("resign") is True:
            self.seat.resign()


def seat_state(seat: HumanSeat) -> dict[str, Any]:
    """All that a page shows of a seat, but for the time."""
    question, lost = seat.question, seat.lost
    return {
        "here": seat.here,
        "question": question.number if question else 0,
        "limit_ms": round(1000 * question.limit_s) if question and question.limit_s else 0,
        "planned": None if seat.planned is None else seat.orders[seat.planned],
        "sent": None if seat.sent is None else seat.orders[seat.sent],
        "lost": None if lost is None else [lost.verdict, lost.reason],
        "over": seat.over,
    }


def time_left(seat: HumanSeat) -> dict[str, int]:
    if seat.question is None or seat.question.until is None:
        return {"left_ms": 0}
    return {"left_ms": max(0, round(1000 * (seat.question.until - asyncio.get_running_loop().time())))}


async def until_gone(socket: WebSocket, hear: Callable[[str], Awaitable[None]], telling: Awaitable[None]) -> None:
    """Tells and hears until one of the two ends."""
    speaking = asyncio.ensure_future(telling)
    hearing = asyncio.ensure_future(listen(socket, hear))
    try:
        await asyncio.wait([speaking, hearing], return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (speaking, hearing):
            task.cancel()
        for task in (speaking, hearing):
            with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError, OSError):
                await task


async def listen(socket: WebSocket, hear: Callable[[str], Awaitable[None]]) -> None:
    """Hears a page out; one that talks too much or too long is let go."""
    loop = asyncio.get_running_loop()
    since, heard = loop.time(), 0
    while True:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return
        text = message.get("text")
        now = loop.time()
        since, heard = (now, 1) if now - since > 1.0 else (since, heard + 1)
        if text is None or len(text) > MESSAGE_BYTES or heard > MOST_MESSAGES:
            await socket.close(MISUSED, "too much, or not text")
            return
        await hear(text)
