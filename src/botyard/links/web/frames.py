"""What clients may do to a socket: limits that uvicorn's protocol does not have by itself.

It reads small pieces, so that no client can make the event loop parse for long; it does not read while its client does
not, so that replies to pings cannot pile up; pings and fragments are counted; and a client that has gone, or is gone
for us, is let go of soon.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode, Frame
from websockets.protocol import State

from botyard.links.aborting import abort
from botyard.links.web.pace import LINGER_S

READ_BYTES = 1024  # an answer has at most a thousand characters
MOST_FRAGMENTS = 64  # of one frame
MOST_PINGS = 20  # in one second


class PatientWebSocket(WebSocketsSansIOProtocol, asyncio.BufferedProtocol):
    """A WebSocket that cannot be made to work, to hoard or to wait."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._space = bytearray(READ_BYTES)
        self._pings, self._pings_since = 0, 0.0
        self._heard = False  # anything at all since the last time a ping was due

    # Small reads

    def get_buffer(self, sizehint: int) -> bytearray:
        return self._space

    def buffer_updated(self, nbytes: int) -> None:
        self._heard = True
        self.data_received(bytes(self._space[:nbytes]))

    # A handshake that cannot be read is an end: uvicorn would wait for more of it, which never comes

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if not self.handshake_initiated:
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.transport.close()
            self._let_go()

    # No reading while the client does not read

    def pause_writing(self) -> None:
        super().pause_writing()
        self.transport.pause_reading()

    def resume_writing(self) -> None:
        super().resume_writing()
        if not self.read_paused:
            self.transport.resume_reading()

    async def send(self, message: Any) -> None:
        await self.writable.wait()
        closed = self.close_sent
        if closed:  # there was a reason to close, which the app has not heard of yet
            raise ClientDisconnected
        await super().send(message)
        if self.initial_response is not None and self.close_sent:
            self.handshake_complete = True  # by a refusal; uvicorn would report it as a fault of the app

    async def receive(self) -> Any:
        message = await self.queue.get()
        if self.read_paused and self.queue.empty():
            self.read_paused = False
            if self.writable.is_set():
                self.transport.resume_reading()
        return message

    # A client that talks need not be asked whether it is there: nine hundred pings at once would be felt

    def send_keepalive_ping(self) -> None:
        if self._heard:
            self._heard = False
            self.schedule_ping()
        else:
            super().send_keepalive_ping()

    # Counted

    def handle_ping(self) -> None:
        now = self.loop.time()
        if now - self._pings_since > 1.0:
            self._pings, self._pings_since = 0, now
        self._pings += 1
        if self._pings > MOST_PINGS:
            self._refuse(CloseCode.POLICY_VIOLATION, "too many pings")
        else:
            super().handle_ping()

    def handle_cont(self, event: Frame) -> None:
        if len(self.frames) >= MOST_FRAGMENTS:
            self._refuse(CloseCode.MESSAGE_TOO_BIG, "too many fragments")
        else:
            super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        if self.curr_msg_data_type == "text":
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self._refuse(CloseCode.INVALID_DATA, "not UTF-8")
                return
        super().send_receive_event_to_app()

    def _refuse(self, code: CloseCode, reason: str) -> None:
        if self.close_sent or self.transport.is_closing():
            return
        self.conn.fail(code, reason)
        self.handle_parser_exception()

    def handle_parser_exception(self) -> None:
        if self.conn.close_sent is None:  # before the handshake is complete there is nobody to say it to
            abort(self.transport)  # frames that came with the request were refused before
            return
        super().handle_parser_exception()
        self._let_go()

    # Nobody lingers

    def _let_go(self) -> None:
        self.loop.call_later(LINGER_S, abort, self.transport)

    def eof_received(self) -> None:
        self._let_go()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        abort(self.transport)

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        super().on_task_complete(task)
        self._let_go()

    def shutdown(self) -> None:
        if self.conn.state in (State.CLOSING, State.CLOSED):  # nothing more may be said; uvicorn would try to
            self.stop_keepalive()
            self.transport.close()
        else:
            super().shutdown()
        self._let_go()
