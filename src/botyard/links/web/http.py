"""HTTP as a server of rooms takes it: strict heads, a deadline for every part of a request, and refusals that arrive.

A request has a strict head (`heads`) and a pace for its parts (`pace`); a refusal is one answer and the end of its
connection. Nothing a client does is an event for the log.
"""

from __future__ import annotations

import asyncio
import enum
import http
import math
import socket
from collections.abc import Callable
from typing import Any

import h11
from starlette.requests import ClientDisconnect
from starlette.types import Message, Receive, Scope, Send
from uvicorn.protocols.http.flow_control import HIGH_WATER_LIMIT
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import ClientDisconnected

from botyard.links.aborting import abort
from botyard.links.web import pace
from botyard.links.web.heads import StrictConnection
from botyard.links.web.pace import LINGER_S, PAGE, Pace

LINGER_BYTES = 1 << 20  # that are read and dropped meanwhile
READ_BYTES = 16 * 1024
STREAM_BUFFER_BYTES = 128 * 1024  # of the kernel: a stream that is not read must be noticed


def refusal(status: int, sentence: str) -> bytes:
    """An answer that is the last on its connection."""
    body = f"{sentence}\n".encode()
    lines = [
        f"HTTP/1.1 {status} {http.HTTPStatus(status).phrase}",
        "content-type: text/plain; charset=utf-8",
        "x-content-type-options: nosniff",
        f"content-length: {len(body)}",
        "connection: close",
    ]
    return "\r\n".join([*lines, "", ""]).encode() + body


def unnoticed(event: Any) -> None:
    """Nobody watches a connection any more."""


class HttpPart(enum.Enum):
    """What a connection is at."""

    IDLE = "between two requests"
    HEAD = "the head of a request"
    BODY = "its body"
    ANSWER = "its answer"
    OVER = "nothing more is read"


class PatientHttp(H11Protocol, asyncio.BufferedProtocol):
    """HTTP with strict heads, a deadline for each part, small reads and a limit on connections."""

    _timer: asyncio.TimerHandle | None = None  # for what comes
    _taking: asyncio.TimerHandle | None = None  # for what is sent, while some of it has not been taken

    def __init__(self, *arguments: Any, admits: Callable[[Any], bool] = lambda caller: True, **named: Any) -> None:
        """`admits` is asked about the socket of every caller; a caller that is not let in gets no answer."""
        super().__init__(*arguments, **named)
        self._admits = admits
        self._hosted, self.app = self.app, self._attend
        self.conn = self._strict = StrictConnection(self._notice)
        self._pace = PAGE
        self._part, self._began, self._fed_until = HttpPart.HEAD, 0.0, 0.0
        self._space = bytearray()
        self._dropped = 0

    # Small reads

    def get_buffer(self, sizehint: int) -> bytearray:
        self._space = bytearray(READ_BYTES)  # most connections are idle, and need none
        return self._space

    def buffer_updated(self, nbytes: int) -> None:
        given, self._space = bytes(self._space[:nbytes]), bytearray()
        self.data_received(given)

    def data_received(self, data: bytes) -> None:
        if self._part is HttpPart.OVER:
            self._dropped += len(data)
            if self._dropped > LINGER_BYTES:
                abort(self.transport)
            return
        if self._part is HttpPart.IDLE:
            self._enter(HttpPart.HEAD)  # of a further request: the pause before it does not count
        super().data_received(data)

    # Connections come and go

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        full = self.limit_concurrency is not None and len(self.connections) > self.limit_concurrency
        if full or not self._admits(transport.get_extra_info("socket")):
            transport.abort()
            return
        self._enter(HttpPart.HEAD)

    def handle_websocket_upgrade(self, event: Any) -> None:
        if self.conn.trailing_data[0]:
            self._refuse(400, "a WebSocket's frames come after our answer")
            return
        self._stop()
        super().handle_websocket_upgrade(event)
        self._come_apart()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()  # timers would hold it in memory
        super().connection_lost(exc)
        self._come_apart()

    def _come_apart(self) -> None:
        """Lets go of all that refers back to this: it would wait in memory for a garbage collection, which rooms feel.

        An app that is still at work has its cycle, and knows by that that its client has gone.
        """
        self.app = self._hosted
        self._strict.notice = unnoticed
        if self.scope is not None:
            self.scope.get("extensions", {}).pop(pace.EXTENSION, None)

    def _stop(self) -> None:
        for timer in (self._timer, self._taking):
            if timer is not None:
                timer.cancel()
        self._timer = self._taking = None

    # Deadlines

    def _enter(self, part: HttpPart) -> None:
        self._part, self._began = part, self.loop.time()
        self._fed_until = self._began + self._pace.patience_s
        self._watch()

    def _notice(self, event: Any) -> None:
        """Something of a request has been read."""
        if isinstance(event, h11.Request):
            self.keep_pace(PAGE)
            self._enter(HttpPart.BODY)
        elif isinstance(event, h11.Data) and self._part is HttpPart.BODY:
            now = self.loop.time()
            earned = max(self._fed_until, now) + len(event.data) / self._pace.least_rate
            self._fed_until = min(earned, now + self._pace.patience_s)  # a burst buys no long silence
        elif isinstance(event, h11.EndOfMessage) and self._part is HttpPart.BODY:
            self._enter(HttpPart.ANSWER)

    def keep_pace(self, chosen: Pace) -> None:
        """The request being served has this pace from now on."""
        self._pace = chosen
        streams = chosen.answer_s == math.inf
        self.transport.set_write_buffer_limits(0 if streams else HIGH_WATER_LIMIT)
        if streams:
            plain = self.transport.get_extra_info("socket")
            plain.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, STREAM_BUFFER_BYTES)
            plain.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        self._fed_until = self.loop.time() + chosen.patience_s
        self._watch()

    @property
    def _due(self) -> float:
        match self._part:
            case HttpPart.IDLE:
                return self._began + pace.IDLE_S
            case HttpPart.HEAD:
                return self._began + pace.HEAD_S
            case HttpPart.BODY:
                return min(self._began + self._pace.body_s, self._fed_until)
            case HttpPart.ANSWER:
                return self._began + self._pace.answer_s
            case HttpPart.OVER:
                return self._began + LINGER_S

    def _watch(self) -> None:
        """Sees to it that the deadline is looked at when it is due; one that has moved on is looked at again."""
        due = self._due
        if self._timer is not None and self._timer.when() > due:
            self._timer.cancel()
            self._timer = None
        if self._timer is None and due < math.inf:
            self._timer = self.loop.call_at(due, self._look)

    def _look(self) -> None:
        self._timer = None
        if self._part is HttpPart.BODY and self.flow.read_paused:  # the app is slow, not the client
            self._fed_until = self.loop.time() + self._pace.patience_s
        if (
            self._part in (HttpPart.IDLE, HttpPart.OVER) and self._taking is not None
        ):  # our last answer is still being read
            self._began = self.loop.time()
        if self._due > self.loop.time():
            self._watch()
        elif self._part is HttpPart.BODY:
            self._refuse(408, "the body came too slowly")
        elif self._part is HttpPart.IDLE:
            self.transport.close()
        else:
            abort(self.transport)

    # What we send must be taken

    def pause_writing(self) -> None:
        super().pause_writing()
        self._see_it_taken()

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._taking is not None and not self.transport.get_write_buffer_size():
            self._taking.cancel()
            self._taking = None

    def _see_it_taken(self) -> None:
        left = self.transport.get_write_buffer_size()
        if left and self._taking is None:
            self._taking = self.loop.call_later(self._pace.patience_s, self._look_what_is_left, left)

    def _look_what_is_left(self, before: int) -> None:
        self._taking = None
        left = self.transport.get_write_buffer_size()
        if left and before - left < self._pace.least_rate * self._pace.patience_s:
            abort(self.transport)
        else:
            self._see_it_taken()

    # The app

    async def _attend(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Runs the app for one request. That its client has gone is told to the app alone, and ends it."""
        scope.setdefault("extensions", {})[pace.EXTENSION] = self.keep_pace
        cycle = self.cycle

        async def receiving() -> Message:
            if self.flow.read_paused:  # from now on it is read again
                self._fed_until = self.loop.time() + self._pace.patience_s
            return await receive()

        async def sending(message: Message) -> None:
            if cycle.disconnected or self.transport.is_closing():
                raise ClientDisconnected
            await send(message)
            if message.get("more_body"):
                await asyncio.sleep(0)  # an app that sends without end must let others have their turn

        try:
            await self._hosted(scope, receiving, sending)
        except (ClientDisconnect, ClientDisconnected, asyncio.CancelledError):
            # It is cancelled when the server ends and does not wait for it any longer.
            cycle.disconnected = True
            if self._part is not HttpPart.OVER:
                abort(self.transport)

    def on_response_complete(self) -> None:
        self._see_it_taken()
        if self.conn.their_state is h11.SEND_BODY:  # nobody wants the rest of the body
            self._leave()
            return
        self._enter(HttpPart.HEAD if self.conn.trailing_data[0] else HttpPart.IDLE)
        super().on_response_complete()
        self._unset_keepalive_if_required()  # that pause is ours to measure

    def shutdown(self) -> None:
        if self._part is HttpPart.OVER:  # uvicorn would try to say it again
            self.transport.close()
        elif self._part is HttpPart.ANSWER and self._pace.answer_s == math.inf:  # it would wait for the end of a stream
            self._disown()
            abort(self.transport)
        else:
            super().shutdown()

    # Refusals

    def send_400_response(self, msg: str) -> None:
        self._refuse(self._strict.refusal.error_status_hint, str(self._strict.refusal))

    def _refuse(self, status: int, sentence: str) -> None:
        """Says why and goes."""
        if self._disown() and self.cycle.response_started:  # there is no place for another answer
            abort(self.transport)
            return
        self.transport.write(refusal(status, sentence))
        self._leave()

    def _disown(self) -> bool:
        """Tells an app that is at work that its client has gone; whether there is one."""
        at_work = self.cycle is not None and not self.cycle.response_complete
        if at_work:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        return at_work

    def _leave(self) -> None:
        """The end, said by half-closing: what the client is still sending would otherwise destroy our answer."""
        self.flow.resume_reading()
        if self.transport.can_write_eof() and not self.transport.is_closing():
            self.transport.write_eof()
        self._enter(HttpPart.OVER)
