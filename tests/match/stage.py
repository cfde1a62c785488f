"""A stage for matches: time that jumps instead of passing, and bots made of events."""

from __future__ import annotations

import asyncio
import math
import selectors
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from botyard.games.game import new
from botyard.games.hive.settings import HiveSettings
from botyard.games.hive.wire import HiveSession
from botyard.kernel.verdict import Fault, Verdict
from botyard.match.clock import LoopClock
from botyard.match.in_process import FunctionPlayer
from botyard.match.link import Link
from botyard.match.loop import Played, play_game
from botyard.match.wire_player import WirePlayer
from tests.waiting import RUN_S

T = TypeVar("T")


class JumpingSelector(selectors.SelectSelector):
    """Where the event loop would wait, its clock jumps."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self._deadline = time.monotonic() + RUN_S  # of real time, in which this may turn and turn and get nowhere

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if not ready and timeout:
            self.now += timeout
        if time.monotonic() > self._deadline:
            self._deadline = math.inf  # what is left over is cancelled in this loop, too
            raise AssertionError(f"waited {RUN_S:g} s: what runs without waiting is not finished")
        return ready


class JumpingLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._jumping = JumpingSelector()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.now

    def stand_still(self, seconds: float) -> None:
        """Time passes, and nothing in this process happens."""
        self._jumping.now += seconds


def without_waiting(main: Coroutine[Any, Any, T]) -> T:
    with asyncio.Runner(loop_factory=JumpingLoop) as runner:
        return runner.run(main)


@dataclass(frozen=True)
class Stall:
    """Our own process is stopped for so many seconds; what a bot does next it has done meanwhile."""

    seconds: float


Event: TypeAlias = bytes | int | Stall | None
"""Bytes sent in one read, milliseconds that pass, a stall of ours, or the end of the connection."""


class ScriptedLink(Link):
    """A bot as events: the first list plays when it connects, one further list at each question."""

    flooded, level, peak_mb, comes_again = False, "", 0.0, False

    def __init__(self, *acts: Sequence[Event]) -> None:
        self._acts = list(acts)
        self._reads: list[bytes] = []
        self._news = asyncio.Event()
        self._playing: list[asyncio.Task[None]] = []
        self.gone = self.closed = False
        self.sent: list[bytes] = []
        self.limit: float | None = -1
        self.refusal: Fault | None = None
        self.frozen: list[bool] = []

    async def freeze(self, frozen: bool) -> None:
        self.frozen.append(frozen)

    async def open(self, limit_s: float | None) -> Fault | None:
        self.limit = limit_s
        self._next_act()
        return self.refusal

    def _next_act(self) -> None:
        if self._acts:
            self._playing.append(asyncio.create_task(self._play(self._acts.pop(0))))

    async def _play(self, act: Sequence[Event]) -> None:
        for event in act:
            if isinstance(event, int):
                await asyncio.sleep(event / 1000)
                continue
            if isinstance(event, Stall):
                loop = asyncio.get_running_loop()
                assert isinstance(loop, JumpingLoop)
                loop.stand_still(event.seconds)
                continue
            if event is None:
                self.gone = True
            else:
                self._reads.append(event)
            self._news.set()

    async def send(self, data: bytes) -> None:
        self.sent.append(data)
        self._next_act()

    async def receive(self) -> bytes:
        while not self._reads and not self.gone:
            self._news.clear()
            await self._news.wait()
        return self._reads.pop(0) if self._reads else b""

    def unread(self) -> bytes:
        early, self._reads = b"".join(self._reads), []
        return early

    async def departure(self) -> Fault:
        return Fault(Verdict.GONE, "the bot closed its connection")

    def said(self) -> str:
        return "words"

    async def close(self) -> None:
        self.closed = True
        for task in self._playing:
            task.cancel()


def idle(view: object) -> str:
    """A bot that does nothing, for ever."""
    return "guard N"


def play_hive(
    *acts: Sequence[Event],
    rival: Callable[[Any], Any] = idle,
    prepare: Callable[[ScriptedLink], None] = lambda link: None,
    **settings: Any,
) -> tuple[Played, ScriptedLink]:
    """A game of Hive Arena between a scripted bot, who is player 0, and a function."""
    chosen = {"random_seats": False, "max_turns": 8, **settings}

    async def main() -> tuple[Played, ScriptedLink]:
        link, clock = ScriptedLink(*acts), LoopClock()
        prepare(link)
        config = HiveSettings.read(chosen)
        game = new("hive", seed=4, **chosen)
        scripted = WirePlayer("scripted", HiveSession(config), link, clock)
        played = await play_game(game, [scripted, FunctionPlayer(rival, game.book.facts, 2000, clock)])
        return played, link

    return without_waiting(main())
