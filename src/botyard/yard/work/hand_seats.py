"""Seats of people in matches that workers play, as the server has them: a page's socket talks to one as to any seat."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar, cast

from starlette.websockets import WebSocket

from botyard.games import load
from botyard.games.view import View
from botyard.kernel.bounded import json_of
from botyard.kernel.errors import BadRecord
from botyard.kernel.verdict import Fault, Verdict
from botyard.links.human import HumanSeat, Question
from botyard.links.viewing.sockets import Screens
from botyard.yard.work.hand_work import LINE_BYTES, HandWork, say

GREETING_S = 5.0  # within which whoever connects must say who it is
GONE_S = 30.0  # without an open page, such as one that is loaded again over a bad line

W = TypeVar("W")


@dataclass(frozen=True, slots=True)
class ToldView:
    """What a seat is told, as text: the view itself is on the worker."""

    text: str

    def __str__(self) -> str:
        return self.text


class RelayedSeat(HumanSeat):
    """The seat of a person whose match is played elsewhere: what they do goes there, and what happens comes back."""

    def __init__(self, name: str, orders: tuple[str, ...], send: Callable[[dict[str, Any]], None]) -> None:
        super().__init__(name, orders)
        self._send = send

    def sit_down(self) -> None:
        super().sit_down()
        self._send({"here": True})

    def offer(self, order: int) -> None:
        super().offer(order)
        self._send({"order": order})

    def withdraw(self) -> None:
        super().withdraw()
        self._send({"withdraw": True})

    def resign(self) -> None:
        super().resign()
        self._send({"resign": True})

    def take_over(self, told: dict[str, Any]) -> None:
        """Takes over the state of the seat where the match is played."""
        asked = told["question"]
        if asked is None:
            self.question = None
        elif self.question is None or self.question.number != asked[0]:
            number, text, limit_s = asked
            until = None if limit_s is None else asyncio.get_running_loop().time() + limit_s
            self.question = Question(number, cast(View, ToldView(text)), limit_s, until)
        self.planned, self.sent, self.over = told["planned"], told["sent"], told["over"]
        lost = told["lost"]
        self.lost = None if lost is None else Fault(Verdict(lost[0]), lost[1])
        self._tell()


class HandScreens(Screens):
    """The open pages of a person in a match that a worker plays. A worker is not kept for somebody who has gone: whose
    last page was closed a while ago has resigned."""

    def __init__(self, seat: HumanSeat) -> None:
        super().__init__(seat, patient=True)
        self._leaving: asyncio.TimerHandle | None = None

    async def serve(self, socket: WebSocket) -> None:
        if self._leaving is not None:
            self._leaving.cancel()
        try:
            await super().serve(socket)
        finally:
            self._leaving = asyncio.get_running_loop().call_later(GONE_S, self._resign_if_gone)

    def _resign_if_gone(self) -> None:
        if not self.open:
            self.seat.resign()


class HandSeats:
    """The seats of people in matches that are being played."""

    def __init__(self) -> None:
        self._address = ""
        self._server: asyncio.Server | None = None
        self._secrets: dict[int, tuple[str, HandWork]] = {}  # by match
        self._screens: dict[int, HandScreens] = {}
        self._resigned: set[int] = set()  # matches that were given up before their worker was ready

    async def open(self) -> None:
        """Begins to listen to workers: at an address that is no file, so that nothing is left however we end."""
        self._address = f"\0botyard-{secrets.token_hex(8)}"
        self._server = await asyncio.start_unix_server(self._serve, self._address, limit=LINE_BYTES)

    async def close(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None

    def addressed(self, work: W) -> W:
        """Returns work that knows where its person is to be found; other work as it is."""
        if not isinstance(work, HandWork):
            return work
        secret = secrets.token_hex(16)
        sent = replace(work, mailbox=self._address, secret=secret)
        self._secrets[work.match] = (secret, sent)
        return cast(W, sent)

    def screens(self, match: int) -> HandScreens | None:
        """Returns the open pages of the person who plays a match; None until its worker is ready."""
        return self._screens.get(match)

    def resign(self, match: int) -> None:
        """Has the person in a match give it up."""
        if match in self._screens:
            self._screens[match].seat.resign()
        elif match in self._secrets:
            self._resigned.add(match)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Talks with one worker until the match is over."""
        match = None
        try:
            async with asyncio.timeout(GREETING_S):
                work = self._known(await reader.readline())
            match = work.match
            orders = load(work.game).facts.orders
            seat = RelayedSeat(work.players[work.place - 1].name, orders, lambda message: say(writer, message))
            self._screens[match] = HandScreens(seat)
            if match in self._resigned:
                seat.resign()
            while line := await reader.readline():
                seat.take_over(json_of(line, "a worker's message"))
            seat.close()
        except (BadRecord, OSError, TimeoutError, ValueError, KeyError, TypeError):
            pass  # a worker that died, or somebody who is none: nothing was changed
        finally:
            if match is not None:
                self._screens.pop(match, None)
                self._secrets.pop(match, None)
                self._resigned.discard(match)
            with contextlib.suppress(OSError):
                writer.close()

    def _known(self, line: bytes) -> HandWork:
        said = json_of(line, "a worker's greeting")
        secret, work = self._secrets[int(said["match"])]
        if not hmac.compare_digest(str(said["secret"]), secret):
            raise BadRecord("a stranger at the mailbox")
        return work
