"""BattleBots between two trivial Python bots: a warm interpreter against a fresh, uncaged one for every move.

`PYTHONPATH=src python bench/per_move.py [ROUNDS] [PYTHON]`. Both ways play in the same match loop and the same run. The
whole bout from warm interpreters, their start included, stands between two parts of one from fresh interpreters, so
that a busy machine disturbs them alike. Prints one JSON object.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import cast

from botyard.games import load
from botyard.games.game import Game
from botyard.jail.note_lines import NoteLines
from botyard.jail.toolchains import INTERPRETER
from botyard.kernel.session import MoveSession
from botyard.kernel.verdict import Fault, Verdict
from botyard.links.cage_policy import CagePolicy, CommandBot
from botyard.links.per_move import FreshStarter, Move, MoveStarter, PerMovePlayer, starter_of
from botyard.match.clock import LoopClock
from botyard.match.loop import play_game

BOT = "import sys\nlines = sys.argv[1].splitlines()\nprint('NO')\n"
PART = 25  # a part of a bout from fresh interpreters is so many times shorter
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

    @property
    def over(self) -> bool:
        return False

    def fate(self) -> Fault | None:
        return None

    def said(self) -> str:
        return ""

    def note_lines(self) -> NoteLines:
        return NoteLines()


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


async def bout(rounds: int, starters: list[MoveStarter]) -> float:
    """Milliseconds a round takes; both sides of a round run at the same time."""
    book = load("battlebots")
    settings = book.settings.read({"rounds_per_bout": rounds})
    sessions = [cast(MoveSession, book.wire.open_session(settings, seat)) for seat in range(2)]
    players = [PerMovePlayer("bot", *pair, LoopClock()) for pair in zip(sessions, starters, strict=True)]
    game = Game(book, settings, 1)
    began = time.perf_counter()
    played = await play_game(game, players)
    seconds = time.perf_counter() - began
    assert not played.replay.missed, played.replay.missed[0]
    return seconds * 1000 / rounds


async def measure(rounds: int, command: list[str]) -> dict[str, float]:
    """A whole bout from warm interpreters, between two parts of one from fresh ones."""

    def warm() -> MoveStarter:
        return starter_of(CommandBot(command, CagePolicy()).launch, print)

    def caged() -> MoveStarter:
        return FreshStarter(CommandBot(command, CagePolicy()).launch)

    await bout(2, [warm(), warm()])  # the rules are loaded, and the files in memory
    part = max(1, rounds // PART)
    before = await bout(part, [Bare(command), Bare(command)])
    whole = await bout(rounds, [warm(), warm()])
    after = await bout(part, [Bare(command), Bare(command)])
    return {"warm": whole, "fresh": (before + after) / 2, "fresh, caged": await bout(part, [caged(), caged()])}


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    with tempfile.TemporaryDirectory() as folder:
        bot = Path(folder) / "bot.py"
        bot.write_text(BOT)
        Path(folder).chmod(0o755)
        python = sys.argv[2] if len(sys.argv) > 2 else str(INTERPRETER)
        costs = asyncio.run(measure(rounds, [python, str(bot)]))
    shown = {kind: round(ms, 2) for kind, ms in costs.items()}
    ratio = round(costs["fresh"] / costs["warm"], 1)
    print(json.dumps({"rounds": rounds, "python": python, "ms a round": shown, "ratio": ratio, "bar": BAR}))


if __name__ == "__main__":
    main()
