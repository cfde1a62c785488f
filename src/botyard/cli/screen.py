"""This module shows a game on the screen while it is played, and a replay as a film."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.live import Live

from botyard.cli.console import out
from botyard.games.picture import scene_of
from botyard.render.terminal import paint

if TYPE_CHECKING:
    from botyard.games.game import Game
    from botyard.match.player import Answer

FRAMES_PER_SECOND = 20
PLAIN_EVERY = 500  # ticks between two printed boards if the output is no terminal
NOTES = 3


@contextmanager
def live(names: Sequence[str], pace: int) -> Iterator[Callable[[Game, dict[int, Answer]], Awaitable[None]]]:
    """Yields a watcher for the match loop, which draws the board and the latest faults, and holds the game to `pace`.

    The pace is in ticks per second; 0 means no limit.
    """
    notes: deque[str] = deque(maxlen=NOTES)
    ticks = 0
    with Live(console=out, auto_refresh=False, transient=False) as screen:
        started = shown = time.monotonic()

        async def show(game: Game, answers: dict[int, Answer]) -> None:
            nonlocal ticks, shown
            ticks += 1
            notes.extend(
                f"seat {seat}: {answer.verdict} {answer.reason}" for seat, answer in answers.items() if answer.reason
            )
            if not out.is_terminal:
                if ticks % PLAIN_EVERY == 0 or game.over:
                    out.print(paint(scene_of(game), names, notes))
                return
            now = time.monotonic()
            if game.over or now - shown >= 1 / FRAMES_PER_SECOND:
                shown = now
                screen.update(paint(scene_of(game), names, notes), refresh=True)
            if pace:
                await asyncio.sleep(max(0.0, started + ticks / pace - now))

        yield show
