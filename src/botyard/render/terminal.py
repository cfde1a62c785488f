"""A scene in the terminal: colours where there are any, plain text everywhere."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from botyard.kernel.plain import clean
from botyard.kernel.scene import Mark, Scene

# Styles of scenes as terminal colours; sixteen-colour names, so that every theme has a say.
SEAT_COLOURS = (
    "bright_blue", "bright_red", "bright_green", "bright_magenta", "bright_cyan", "bright_yellow",
    "blue", "red", "green", "magenta", "cyan", "yellow", "white", "bright_white", "bright_black",
)  # fmt: skip
WIDTH = 80  # what a terminal has at least
STYLES = {"empty": "bright_black", "food": "yellow", "wall": "white", "danger": "bold red", "item": "bright_magenta"}


def style_of(name: str) -> str:
    for prefix, weight in (("seat", "bold "), ("home", "reverse "), ("trail", "")):
        if name.startswith(prefix) and name.removeprefix(prefix).isdigit():
            return weight + SEAT_COLOURS[int(name.removeprefix(prefix)) % len(SEAT_COLOURS)]
    return STYLES.get(name, "")


def paint(scene: Scene, names: Sequence[str], notes: Sequence[str] = ()) -> RenderableType:
    """Headline, a line per seat, board, the last notes, and what the signs mean; a low window cuts from below."""
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
    """What the signs mean, a sign and its meaning on one line."""
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
