"""A camera takes pictures of games: what everybody may see of a position, or what one seat saw."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from botyard.games.game import Game
from botyard.games.view import View
from botyard.kernel.records import record_of
from botyard.kernel.rule import opened
from botyard.kernel.rulebook import Rulebook
from botyard.kernel.scene import Scene, Tile, Words, picture_arrays
from botyard.kernel.settings import Settings


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A grid of palette numbers, and the pieces that stand on it."""

    grid: NDArray[np.uint16]
    pieces: NDArray[Any]

    def stamped(self) -> NDArray[np.uint16]:
        """The grid with its pieces on it, as boards without layers show it. Of two on a cell the last is seen."""
        cells = self.grid.copy()
        for piece in self.pieces:
            cells[piece["row"], piece["col"]] = piece["tile"]
        return cells

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Picture)
            and np.array_equal(self.grid, other.grid)
            and np.array_equal(self.pieces, other.pieces)
        )

    __hash__ = None  # type: ignore[assignment]  # it holds arrays


class Camera:
    """Takes pictures of games that are played under the same settings. `camera_of` finds the one of a game."""

    def __init__(self, book: Rulebook, settings: Settings) -> None:
        book.prepare(settings, "pictures")
        self.book = book
        self._arenas = book.layout.make_arena(settings)
        self._loops = book.picture_loops
        self.size = book.scene.picture_size(record_of(self._arenas))
        self.palette = book.scene.palette(record_of(self._arenas))

    @property
    def has_seat_pictures(self) -> bool:
        """Whether a seat's view shows something else than the whole board."""
        return hasattr(self._loops, "seat_picture_at")

    def take(self, game: Game) -> Picture:
        """The picture of a position."""
        return self._exposed(self._loops.picture_at, game.arrays[1])

    def take_view(self, game: Game, view: View) -> Picture:
        """The picture of what a seat is told; of the position where a view tells all of it."""
        if not self.has_seat_pictures:
            return self.take(game)
        return self._exposed(self._loops.seat_picture_at, view.array)

    def _exposed(self, loop: Callable[..., int], records: NDArray[Any]) -> Picture:
        grid, pieces = picture_arrays(self.size)
        count = loop(opened(self._arenas), opened(records), opened(grid), opened(pieces))
        return Picture(grid, pieces[:count])


@lru_cache(maxsize=16)
def camera_for(book: Rulebook, settings: Settings) -> Camera:
    return Camera(book, settings)


def camera_of(game: Game) -> Camera:
    return camera_for(game.book, game.settings)


def words_of(game: Game) -> Words:
    return game.book.scene.words(game.arena, game.state)


def scene_of(game: Game) -> Scene:
    """Returns a position as a terminal shows it."""
    camera, words = camera_of(game), words_of(game)
    lines = tuple(words.line(seat) for seat in range(game.seats))
    return scene_with(camera.take(game), camera.palette, words.headline, lines)


def scene_with(picture: Picture, palette: tuple[Tile, ...], headline: str, seats: tuple[str, ...]) -> Scene:
    rows = tuple(tuple(palette[tile] for tile in row) for row in picture.stamped().tolist())
    return Scene(headline, seats, rows, legend_of(palette))


def legend_of(palette: tuple[Tile, ...]) -> tuple[Tile, ...]:
    """The first tile of each name; what is just empty needs no explanation."""
    first = {tile.name: tile for tile in reversed(palette) if tile.listed and tile.style not in ("empty", "unknown")}
    return tuple(reversed(first.values()))
