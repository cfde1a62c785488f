"""The original's window as a picture (specification 8.2), as it looked when the game ended."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from botyard.games.snakepit.files.results import round_of
from botyard.games.snakepit.layout.bodies import alive, read_body
from botyard.games.snakepit.settings import SnakepitSettings, colour_of
from botyard.kernel.contract import Exporter

# The organiser chose the colour of each bot; the first one is that of the original's example bot.
SNAKE_COLOURS = (
    "161,255,65", "200,200,200", "255,160,60", "90,200,255", "255,120,200", "190,140,255",
    "255,230,120", "120,230,180", "230,150,130", "150,170,255", "210,255,200", "255,200,230",
)  # fmt: skip
DEAD = "RED"
LEFT, TOP, LINE = 2, 20, 15  # where the lines about the snakes begin, and their distance
FONT = 12


class WindowWriter(Exporter):
    """Follows a game and writes its last picture, as SVG."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names

    def before(self, game: Any, orders: Mapping[int, int]) -> None:
        """Does nothing: only the end is shown."""

    def end(self, game: Any) -> bytes:
        return ("\n".join(window(game, self._names)) + "\n").encode("utf-8", "replace")


def window(game: Any, names: Sequence[str]) -> Iterator[str]:
    """Draws background, pellet, snakes, and the lines about them."""
    settings, state = game.settings, game.state
    size = settings.pixel_size
    width, height = size * settings.width, size * settings.height
    yield f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
    yield "<title>Battle Snakes: Round 1</title>"
    yield f'<rect width="{width}" height="{height}" fill="{paint(settings.bg_color)}"/>'
    if state.pellet_x:
        x, y = ((int(cell) - 0.5) * size for cell in (state.pellet_x, state.pellet_y))
        yield f'<circle cx="{x:g}" cy="{y:g}" r="{size / 2:g}" fill="{paint(settings.pellet_color)}"/>'
    for seat in range(game.seats):
        yield from body(game, seat, size)
    if settings.show_info:
        yield from info(game, settings, names)
    yield "</svg>"


def body(game: Any, seat: int, size: int) -> Iterator[str]:
    """Draws a square for every cell; dead snakes are drawn only if they are kept (`preserve_dead`)."""
    colour = paint(colour_name(game.state, seat))
    for x, y in read_body(game.state, seat, int(game.arena.slots)):
        yield f'<rect x="{(x - 1) * size}" y="{(y - 1) * size}" width="{size}" height="{size}" fill="{colour}"/>'


def info(game: Any, settings: SnakepitSettings, names: Sequence[str]) -> Iterator[str]:
    state, winner = game.state, round_of(game).winner
    yield line(FONT, settings.info_color, f"Ticks: {state.tick}")
    if game.over:
        yield line(FONT, DEAD, "Game Over!", 10 * LEFT + len(f"Ticks: {state.tick}") * FONT // 2)
    for seat, name in enumerate(names):
        snake = state.snakes[seat]
        known = f"[{name}] ID: {seat + 1} P: {snake['pellets']} L: {snake['length']} W: {int(seat == winner)}"
        fate = "" if alive(state, seat) else " [DEAD]"
        yield line(TOP + FONT + LINE * seat, colour_name(state, seat), known + fate)


def line(y: int, colour: str, words: str, x: int = LEFT) -> str:
    shown = escape("".join(sign if sign.isprintable() else "·" for sign in words))
    return f'<text x="{x}" y="{y}" font-family="sans-serif" font-size="{FONT}" fill="{paint(colour)}">{shown}</text>'


def colour_name(state: Any, seat: int) -> str:
    return SNAKE_COLOURS[seat % len(SNAKE_COLOURS)] if alive(state, seat) else DEAD


def paint(colour: str) -> str:
    return f"rgb({','.join(map(str, colour_of(colour)))})"
