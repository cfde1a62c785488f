"""This module draws a scene in the terminal, with colours if the terminal has them."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from botyard.kernel.plain import clean
from botyard.kernel.scene import NOBODY, Scene, Tile

# The terminal colours of a scene's styles: names of the sixteen basic colours, which follow the user's theme.
SEAT_COLOURS = (
    "bright_blue", "bright_red", "bright_green", "bright_magenta", "bright_cyan", "bright_yellow",
    "blue", "red", "green", "magenta", "cyan", "yellow", "white", "bright_white", "bright_black",
)  # fmt: skip
WIDTH = 80  # columns that every terminal has
STYLES = {"empty": "bright_black", "food": "yellow", "wall": "white", "danger": "bold red", "item": "bright_magenta"}


WEIGHTS = {"seat": "bold ", "home": "reverse ", "trail": ""}


def seat_colour(seat: int) -> str:
    return SEAT_COLOURS[seat % len(SEAT_COLOURS)]


def style_of(tile: Tile) -> str:
    if tile.seat == NOBODY:
        return STYLES.get(tile.style, "")
    return WEIGHTS.get(tile.style, "") + seat_colour(tile.seat)


def paint(scene: Scene, names: Sequence[str], notes: Sequence[str] = ()) -> RenderableType:
    """Returns the headline, a line per seat, the board, the last notes and the legend; a low window cuts the end."""
    seats = [
        Text.assemble((f"{seat} {clean(name) or '(no name)'}", f"bold {seat_colour(seat)}"), f"  {clean(line)}")
        for seat, (name, line) in enumerate(zip(names, scene.seats, strict=True))
    ]
    remarks = [Text(clean(note), style="red", overflow="ellipsis", no_wrap=True) for note in notes]
    return Group(
        Text(clean(scene.headline), style="bold"), *seats, paint_board(scene.rows), *remarks, paint_legend(scene)
    )


def paint_board(rows: Sequence[Sequence[Tile]]) -> Text:
    """Returns the board, two columns for a cell where all of it fits so."""
    width = 2 if rows and 2 * len(rows[0]) <= WIDTH else 1
    board = Text(no_wrap=True)
    for at, row in enumerate(rows):
        if at:
            board.append("\n")
        for tile in row:
            board.append(f"{tile.glyph:{width}}"[:width], style=style_of(tile))
    return board


def paint_legend(scene: Scene) -> Text:
    """Returns what the signs mean; a sign and its meaning always stand on one line."""
    legend, column = Text(), 0
    for tile in scene.legend:
        sign, said = tile.glyph.strip(), f" {tile.name}  "
        if column and column + len(sign + said.rstrip()) > WIDTH:
            legend.append("\n")
            column = 0
        legend.append(sign, style=style_of(tile))
        legend.append(said, style="bright_black")
        column += len(sign + said)
    return legend
