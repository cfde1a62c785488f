"""A board as text, for those whose browser runs no scripts: one tick at a time, with what is said of it."""

from __future__ import annotations

from dataclasses import dataclass

from botyard.kernel.plain import clean
from botyard.kernel.scene import NOBODY, Tile
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
    cells = shot.frame.picture.stamped()
    seen = sorted({int(number) for row in cells for number in row})
    words = shot.frame.words
    assert words is not None, "everybody's board has words"
    names = [clean(name) for name in replay.names]
    legend = {palette[number].plain: meaning(palette[number], names) for number in seen}
    return TextBoard(
        shot.tick,
        last,
        tuple("".join(palette[int(number)].plain.ljust(COLUMNS) for number in row).rstrip() for row in cells),
        words.headline,
        tuple((name, words.line(seat)) for seat, name in enumerate(names)),
        tuple(legend.items()),
    )


def meaning(tile: Tile, names: list[str]) -> str:
    return tile.name if tile.seat == NOBODY else f"{tile.name} of {names[tile.seat]}"
