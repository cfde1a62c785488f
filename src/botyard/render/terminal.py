"""This module draws a scene in the terminal, with colours if the terminal has them."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from botyard.kernel.plain import clean
from botyard.kernel.scene import Mark, Scene

# The terminal colours of a scene's styles: names of the sixteen basic colours, which follow the user's theme.
SEAT_COLOURS = (
    "bright_blue", "bright_red", "bright_green", "bright_magenta", "bright_cyan", "bright_yellow",
    "blue", "red", "green", "magenta", "cyan", "yellow", "white", "bright_white", "bright_black",
)  # fmt: skip
WIDTH = 80  # columns that every terminal has
STYLES = {"empty": "bright_black", "food": "yellow", "wall": "white", "danger": "bold red", "item": "bright_magenta"}


def style_of(name: str) -> str:
    for prefix, weight in (("seat", "bold "), ("home", "reverse "), ("trail", "")):
        if name.startswith(prefix) and name.removeprefix(prefix).isdigit():
            return weight + SEAT_COLOURS[int(name.removeprefix(prefix)) % len(SEAT_COLOURS)]
    return STYLES.get(name, "")


def paint(scene: Scene, names: Sequence[str], notes: Sequence[str] = ()) -> RenderableType:
    """Returns the headline, a line per seat, the board, the last notes and the legend; a low window cuts the end."""
    seats = [
        Text.assemble((f"{seat} {clean(name) or '(no name)'}", style_of(f"seat{seat}")), f"  {clean(line)}")
        for seat, (name, line) in enumerate(zip(names, scene.seats, strict=True))
    ]
    remarks = [Text(clean(note), style="red", overflow="ellipsis", no_wrap=True) for note in notes]
    return Group(
        Text(clean(scene.headline), style="bold"), *seats, paint_board(scene.rows), *remarks, paint_legend(scene)
    )


def paint_board(rows: Sequence[Sequence[Mark]]) -> Text:
    board = Text(no_wrap=True)
    for at, row in enumerate(rows):
        if at:
            board.append("\n")
        for mark in row:
            board.append(mark.glyph, style=style_of(mark.style))
    return board


def paint_legend(scene: Scene) -> Text:
    """Returns what the signs mean; a sign and its meaning always stand on one line."""
    legend, column = Text(), 0
    for mark, meaning in scene.legend:
        sign, said = mark.glyph.strip(), f" {meaning}  "
        if column and column + len(sign + said.rstrip()) > WIDTH:
            legend.append("\n")
            column = 0
        legend.append(sign, style=style_of(mark.style))
        legend.append(said, style="bright_black")
        column += len(sign + said)
    return legend
