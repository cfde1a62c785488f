"""Scenes in the terminal."""

from __future__ import annotations

import io

from rich.console import Console

from botyard.kernel.scene import Mark, Scene
from botyard.render.terminal import paint, style_of

SCENE = Scene(
    headline="turn 3",
    rows=((Mark("A ", "seat0"), Mark("* ", "food")), (Mark(". ", "empty"), Mark("# ", "wall"))),
    seats=("1 point", "2 points"),
    legend=((Mark("# ", "wall"), "wall"),),
)


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
    assert style_of("seat0") != style_of("seat1")
    assert style_of("home1").startswith("reverse")
    assert style_of("trail16") == style_of("trail1")
    assert style_of("unheard of") == ""


def test_what_a_bot_said_cannot_steer_the_terminal() -> None:
    assert "\x1b[2J" not in drawn(False, notes=("seat 0: \x1b[2J",))


def test_long_notes_are_cut() -> None:
    assert max(len(line) for line in drawn(False, 40, ("x" * 200,)).splitlines()) <= 40


def test_a_long_legend_is_broken_between_its_entries() -> None:
    many = Scene(
        "", ((Mark(". ", "empty"),),), (), tuple((Mark(f"{at} ", "item"), "a thing to see") for at in range(9))
    )
    console = Console(file=io.StringIO(), width=80)
    with console.capture() as captured:
        console.print(paint(many, []))
    legend = [line.rstrip() for line in captured.get().splitlines()[2:]]
    assert legend == ["  ".join(f"{at} a thing to see" for at in part) for part in (range(4), range(4, 8), range(8, 9))]
