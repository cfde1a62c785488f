"""BattleBots between two trivial Python bots: a warm interpreter against a fresh, uncaged one for every move.

`PYTHONPATH=src python bench/per_move.py [ROUNDS] [PYTHON]`. Both ways play in the same match loop and the same run, by
turns, so that a busy machine disturbs them alike. Prints one JSON object.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any, cast

from botyard.games import load
from botyard.games.game import Game
from botyard.jail.binds import INTERPRETER
from botyard.kernel.verdict import Fault, Verdict
from botyard.links.custody import CommandBot, Custody
from botyard.links.per_move import Fresh, Move, MoveSession, PerMovePlayer, Starter, starter_of
from botyard.match.clock import LoopClock
from botyard.match.loop import play_game

BOT = "import sys\nlines = sys.argv[1].splitlines()\nprint('NO')\n"
SHARES = 5  # a bout of each kind is played in so many parts
FRESH_PART = 20  # rounds of a fresh part are so many times fewer: their mean is taken
BAR = 15


class BareMove:
    """Nothing but a started process, read to the end of its output and waited for."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        self._process, self._output = process, process.stdout.fileno()
        self._ready = asyncio.Event()
        asyncio.get_running_loop().add_reader(self._output, self._ready.set)

    async def receive(self) -> bytes:
        await self._ready.wait()
        self._ready.clear()
        if chunk := os.read(self._output, 65536):
            return chunk
        asyncio.get_running_loop().remove_reader(self._output)
        return b""

    async def judge(self) -> Fault | None:
        with self._process:
            return Fault(Verdict.CRASHED, "") if self._process.wait() else None

    def said(self) -> str:
        return ""


class Bare:
    """The other side of the bar: a fresh, uncaged interpreter for every move, as lean as it can be."""

    level, peak_mb = "", 0.0

    def __init__(self, command: list[str]) -> None:
        self._command = command

    async def prepare(self) -> None:
        pass

    async def begin(self, argument: bytes) -> Move | Fault:
        command = [*self._command, argument.decode()]
        nothing = subprocess.DEVNULL
        return BareMove(subprocess.Popen(command, stdin=nothing, stdout=subprocess.PIPE, stderr=nothing))

    async def end(self) -> None:
        pass

    async def stop(self) -> None:
        pass


async def bout(rounds: int, starters: list[Starter]) -> float:
    """Seconds a round takes; both sides of a round run at the same time."""
    book = load("battlebots")
    settings = book.settings.read({"rounds_per_bout": rounds})
    sessions = [cast(MoveSession, book.wire.open_session(settings, seat)) for seat in range(2)]
    players = [PerMovePlayer("bot", *pair, LoopClock()) for pair in zip(sessions, starters, strict=True)]
    game = Game(book, settings, 1)
    began = time.perf_counter()
    played = await play_game(game, players)
    seconds = time.perf_counter() - began
    assert not played.replay.missed, played.replay.missed[0]
    return seconds / rounds


async def measure(rounds: int, command: list[str]) -> dict[str, Any]:
    def warm() -> Starter:
        return starter_of(CommandBot(command, Custody()).errand, print)

    def fresh() -> Starter:
        return Fresh(CommandBot(command, Custody()).errand)

    kinds: dict[str, Callable[[], Starter]] = {"warm": warm, "fresh": lambda: Bare(command), "fresh, caged": fresh}
    await bout(10, [warm(), warm()])
    seconds: dict[str, list[float]] = {kind: [] for kind in kinds}
    for _ in range(SHARES):
        for kind, starter in kinds.items():
            part = rounds // SHARES if kind == "warm" else max(1, rounds // SHARES // FRESH_PART)
            seconds[kind].append(await bout(part, [starter(), starter()]))
    return {kind: round(median(found) * 1000, 2) for kind, found in seconds.items()}


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    with tempfile.TemporaryDirectory() as folder:
        bot = Path(folder) / "bot.py"
        bot.write_text(BOT)
        Path(folder).chmod(0o755)
        python = sys.argv[2] if len(sys.argv) > 2 else str(INTERPRETER)
        result = asyncio.run(measure(rounds, [python, str(bot)]))
    ratio = result["fresh"] / result["warm"]
    print(json.dumps({"rounds": rounds, "python": python, "ms a round": result, "ratio": round(ratio, 1), "bar": BAR}))


if __name__ == "__main__":
    main()
