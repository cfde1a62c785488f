"""A visitor of a room on a server that is killed again and again: a client of 2018 that comes back to its address."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from threading import Event, Thread
from types import TracebackType

from websockets.exceptions import WebSocketException

from botyard.yard.rooms.rooms import RoomPlan
from tests.waiting import in_time, wait_until
from tests.yard.test_rooms_restart import BOT, GAME, QUICK, Original, registered

DEN = RoomPlan("den", GAME, settings=QUICK, house=[BOT, BOT])
BOARDS = 10  # that it answers before it looks where the server is


class Visitor:
    """Registers once and then plays as often as there is a server. `told` is what the server says of itself."""

    def __init__(self, told: Path) -> None:
        self._told, self._over, self._thread = told, Event(), Thread(target=self._stay, name="visitor")
        self._place = ""  # its address without that of the server, whose port changes
        self.boards = 0

    def __enter__(self) -> Visitor:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._over.set()
        in_time(self._thread.join)

    @property
    def user(self) -> str:
        return self._at("http://localhost").user

    def check_welcome(self) -> None:
        """Waits until the visitor has played on the server that runs now."""
        before = self.boards
        wait_until(lambda: self.boards >= before + 2 * BOARDS, lambda: f"{self.boards} boards, {before} before")

    def _stay(self) -> None:
        while not self._over.is_set():
            # The server is away, or was struck, or has not said yet where it is.
            with contextlib.suppress(OSError, EOFError, ValueError, WebSocketException):
                server = json.loads(self._told.read_text())["address"]
                self._place = self._place or registered(server, "Eva").removeprefix(server)
                self.boards += len(self._at(server).play(BOARDS))
            self._over.wait(0.2)

    def _at(self, server: str) -> Original:
        return Original(server + self._place)
