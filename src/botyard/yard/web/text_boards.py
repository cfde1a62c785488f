"""A board as text, for those whose browser runs no scripts: one tick at a time, with what is said of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from botyard.games.game import Game
from botyard.games.picture import Picture, camera_of, words_of
from botyard.kernel.plain import clean
from botyard.kernel.scene import NOBODY, Tile, Words
from botyard.match.filming import Shots
from botyard.match.replay import Replay

COLUMNS = 2  # of a sign


@dataclass(frozen=True, slots=True)
class TextBoard:
    """One tick of a game."""

    tick: int
    last: int
    rows: tuple[str, ...]
    headline: str
    seats: tuple[tuple[str, str], ...]  # name, and what is said of it
    legend: tuple[tuple[str, str], ...]  # sign, and what it means


def text_board(replay: Replay, tick: int) -> TextBoard:
    """Returns the board of a tick, or of the last one if there are not so many."""
    last = len(replay.ticks)
    shots = Shots(replay, [min(max(tick, 0), last)])
    shot = next(iter(shots))
    palette = [Tile(*row) for row in shots.head["palette"]]
    words = shot.frame.words
    assert words is not None, "everybody's board has words"
    return written(shot.frame.picture, palette, words, replay.names, (shot.tick, last))


def board_now(game: Game, names: Sequence[str]) -> TextBoard:
    """Returns the board of a game as it is."""
    camera = camera_of(game)
    return written(camera.take(game), camera.palette, words_of(game), names, (0, 0))


def written(
    picture: Picture, palette: Sequence[Tile], words: Words, called: Sequence[str], ticks: tuple[int, int]
) -> TextBoard:
    cells = picture.stamped()
    seen = sorted({int(number) for row in cells for number in row})
    names = [clean(name) for name in called]
    legend = {palette[number].plain: meaning(palette[number], names) for number in seen}
    return TextBoard(
        *ticks,
        tuple("".join(palette[int(number)].plain.ljust(COLUMNS) for number in row).rstrip() for row in cells),
        words.headline,
        tuple((name, words.line(seat)) for seat, name in enumerate(names)),
        tuple(legend.items()),
    )


def meaning(tile: Tile, names: list[str]) -> str:
    return tile.name if tile.seat == NOBODY else f"{tile.name} of {names[tile.seat]}"
