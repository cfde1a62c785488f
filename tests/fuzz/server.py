"""The real server's protocols in an event loop turned by hand: a client speaks, the loop runs dry, it listens."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from types import TracebackType
from typing import Any, Self

import uvicorn
from uvicorn.server import ServerState

from botyard.games import load
from botyard.links.codenjoy.app import room_server
from botyard.links.web.frames import PatientWebSocket
from botyard.links.web.http import PatientHttp
from botyard.links.web.server import FRAME_BYTES
from botyard.match.lobby import Lobby
from botyard.match.room import Room

TURNS = 12  # of the loop, after which nothing happens by itself any more
ALIVE = b"GET /codenjoy-contest/rest/health HTTP/1.1\r\nHost: x\r\n\r\n"
MOST_MEMBERS = 20


class Complaints(logging.Handler):
    """What was logged as an error, with its traceback."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.heard: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.heard.append(logging.Formatter().format(record))


class Server:
    """A room with ann in it, behind the protocols `serving` uses. Whatever nobody caught is raised by `check_calm`."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.loop.set_exception_handler(lambda _, context: self.troubles.append(context))
        self.troubles: list[dict[str, Any]] = []
        self.complaints = Complaints()
        self.state = ServerState()
        self.lobby = Lobby()
        book = load("snakebattle")
        self.room = self.lobby.open(Room("snakebattle", book, book.settings.read({"rounds_enabled": False})))
        self.ann = self.lobby.register(self.room, "ann", "ann", "7")
        self.config = uvicorn.Config(
            room_server(self.lobby), http=PatientHttp, ws=PatientWebSocket, ws_per_message_deflate=False,
            ws_max_size=FRAME_BYTES, lifespan="off", log_config=None, access_log=False,
        )  # fmt: skip
        self.config.load()

    def __enter__(self) -> Self:
        logging.getLogger("uvicorn").setLevel(logging.ERROR)  # as `serving` does
        logging.getLogger().addHandler(self.complaints)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        logging.getLogger().removeHandler(self.complaints)
        self.turn()
        self.loop.close()

    def turn(self) -> None:
        async def idle() -> None:
            for _ in range(TURNS):
                await asyncio.sleep(0)

        self.loop.run_until_complete(idle())

    def connect(self, theirs: socket.socket) -> asyncio.BaseTransport:
        async def accepted() -> asyncio.BaseTransport:
            return (
                await self.loop.connect_accepted_socket(lambda: PatientHttp(self.config, self.state, {}), sock=theirs)
            )[0]

        return self.loop.run_until_complete(accepted())

    def check_calm(self) -> None:
        """Nothing is left of the last client, and it was no trouble."""
        assert self.troubles == []
        assert self.complaints.heard == [], self.complaints.heard[0]
        assert not self.state.connections
        assert not self.state.tasks
        assert not self.ann.listeners
        for user in list(self.lobby._members)[MOST_MEMBERS:]:  # registering is open to anybody
            del self.lobby._members[user]
        del self.room.members[MOST_MEMBERS:]

    def check_alive(self) -> None:
        with Line(self) as line:
            line.say(ALIVE)
            assert line.heard().endswith(b"\r\n\r\nok")


class Line:
    """A client's end of a connection."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._own, theirs = socket.socketpair()
        self._own.setblocking(False)
        self._transport = server.connect(theirs)
        self._heard = bytearray()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._own.close()
        self._server.turn()
        if not self._transport.is_closing():
            self._transport.abort()  # type: ignore[attr-defined]
        self._server.turn()

    def say(self, raw: bytes) -> None:
        """All of it, as far as the other side takes it; a line that is closed hears nothing."""
        while raw:
            try:
                raw = raw[self._own.send(raw) :]
            except BlockingIOError:
                before = len(raw)
                self.heard()
                with contextlib.suppress(BlockingIOError, OSError):
                    raw = raw[self._own.send(raw) :]
                if len(raw) == before:
                    return
            except OSError:
                return
        self._server.turn()

    def heard(self) -> bytes:
        """Everything that has come so far."""
        while True:
            self._server.turn()
            try:
                piece = self._own.recv(1 << 20)
            except OSError:
                break
            if not piece:
                break
            self._heard += piece
        return bytes(self._heard)
