"""Scenes in the terminal."""

from __future__ import annotations

import io
from dataclasses import replace

from rich.console import Console

from botyard.kernel.scene import Scene, Tile
from botyard.render.terminal import paint, style_of

BEE, FLOWER = Tile("A ", "bee", "seat", seat=0), Tile("*", "flower", "food")
WALL, GROUND = Tile("# ", "wall", "wall"), Tile(". ", "ground", "empty")
SCENE = Scene("turn 3", ("1 point", "2 points"), ((BEE, FLOWER), (GROUND, WALL)), (WALL,))


def drawn(colour: bool, width: int = 80, notes: tuple[str, ...] = ()) -> str:
    stream = io.StringIO()
    console = Console(file=stream, width=width, force_terminal=colour, color_system="standard" if colour else None)
    console.print(paint(SCENE, ["alpha", ""], notes))
    return stream.getvalue()


def test_without_colour_a_scene_is_plain_text() -> None:
    lines = [line.rstrip() for line in drawn(False).splitlines()]
    assert lines == ["turn 3", "0 alpha  1 point", "1 (no name)  2 points", "A *", ". #", "# wall"]


def test_with_colour_every_seat_has_its_own() -> None:
    assert "\x1b[1;94mA " in drawn(True)
    assert style_of(BEE) != style_of(replace(BEE, seat=1))
    assert style_of(replace(BEE, style="home", seat=1)).startswith("reverse")
    assert style_of(replace(BEE, style="trail", seat=16)) == style_of(replace(BEE, style="trail", seat=1))
    assert style_of(replace(GROUND, style="unknown")) == ""


def test_what_a_bot_said_cannot_steer_the_terminal() -> None:
    assert "\x1b[2J" not in drawn(False, notes=("seat 0: \x1b[2J",))


def test_long_notes_are_cut() -> None:
    assert max(len(line) for line in drawn(False, 40, ("x" * 200,)).splitlines()) <= 40


def test_a_long_legend_is_broken_between_its_entries() -> None:
    entries = tuple(Tile(f"{at} ", "a thing to see", "item") for at in range(9))
    many = Scene("", (), ((GROUND,),), entries)
    console = Console(file=io.StringIO(), width=80)
    with console.capture() as captured:
        console.print(paint(many, []))
    legend = [line.rstrip() for line in captured.get().splitlines()[2:]]
    assert legend == ["  ".join(f"{at} a thing to see" for at in part) for part in (range(4), range(4, 8), range(8, 9))]
