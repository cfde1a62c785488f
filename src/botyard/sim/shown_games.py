"""This module shows games of a drill to people, in the ways that Gymnasium and PettingZoo call render modes."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from botyard.games.game import Game
from botyard.games.picture import camera_of, scene_of, words_of
from botyard.kernel.errors import UnknownName
from botyard.render.footage import Shot
from botyard.render.frames import Frame
from botyard.render.head import film_head
from botyard.render.terminal import WIDTH, paint
from botyard.render.themes import USUAL, theme_named
from botyard.sim.drill import Drill
from botyard.sim.extras import extra

RENDER_MODES = ("human", "ansi", "rgb_array")
FRAMES_PER_S = 10
PIXELS = 480  # of the longer side of a board

HEIGHT = 60  # lines of a text; a board that is higher is shown whole all the same


class DrillScreen:
    """Shows the games of one drill in one mode: `human` in the terminal, `ansi` as text, `rgb_array` as pixels."""

    def __init__(self, drill: Drill, mode: str | None) -> None:
        if mode is not None and mode not in RENDER_MODES:
            raise UnknownName("render mode", mode, RENDER_MODES)
        self.mode = mode
        self._drill = drill
        learners = ["learner"] if drill.learners == 1 else [f"learner {k}" for k in range(drill.learners)]
        self._names = learners + ["house bot"] * (drill.seats - drill.learners)
        self._easels: dict[tuple[str, ...], Any] = {}
        self._shown_at = 0.0

    def rendered(self, i: int = 0) -> str | NDArray[np.uint8] | None:
        """Returns game `i` as text or pixels; shows it and returns nothing if people watch."""
        if self.mode is None:
            return None
        game = self._drill.position(i)
        if self.mode == "rgb_array":
            return self._pixels(game)
        if self.mode == "ansi":
            return self._text(game)
        self._show(game)
        return None

    def _seat_names(self, game: Game) -> tuple[str, ...]:
        """Returns the names by seat: a game may seat its players otherwise than they came."""
        return tuple(self._names[game.entrant(seat)] for seat in range(game.seats))

    def _text(self, game: Game) -> str:
        console = Console(
            width=WIDTH, height=HEIGHT, force_terminal=True, color_system="standard", legacy_windows=False
        )
        with console.capture() as text:
            console.print(paint(scene_of(game), self._seat_names(game)))
        return text.get()

    def _pixels(self, game: Game) -> NDArray[np.uint8]:
        camera, names = camera_of(game), self._seat_names(game)
        if names not in self._easels:
            with extra("film", "render_mode='rgb_array'"):
                from botyard.render.raster import Easel
            self._easels[names] = Easel(film_head(camera, game.settings, names), theme_named(USUAL), PIXELS)
        shot = Shot(0, Frame(camera.take(game), words_of(game)))
        return np.asarray(self._easels[names].painted(shot))

    def _show(self, game: Game) -> None:
        """Draws over the last picture, at a pace that people can follow; into a file one picture follows another."""
        terminal = Console()  # made anew each time: it has a lock, which no copy or pickle can take along
        if terminal.is_terminal:
            time.sleep(max(0.0, self._shown_at + 1 / FRAMES_PER_S - time.monotonic()))
            terminal.clear()
        terminal.print(paint(scene_of(game), self._seat_names(game)))
        self._shown_at = time.monotonic()
