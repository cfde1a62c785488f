"""BattleBots drawn: text that parses back, and a scene for viewers."""

from __future__ import annotations

import pytest

from botyard.games.battlebots.settings import BattlebotsSettings
from botyard.games.game import Game
from botyard.kernel.errors import BadRecord, SettingsError
from tests.games.battlebots.table import DrawnBout, battle, fresh
from tests.games.drawn import board

DRAWN = """
    round 12, hp 9/7, paralysed 1
    . . . . .
    . 1 B . L
    . L M . 2
    B x=2 y=1 dir=E
    B x=2 y=1 dir=NW
    M x=2 y=2 dir=S
    L x=4 y=1
    L x=1 y=2 spent
"""


def test_a_drawing_is_drawn_again() -> None:
    assert str(battle(DRAWN)) == board(DRAWN)
    assert str(battle(DRAWN, "program")) == board(DRAWN)


@pytest.mark.parametrize(
    "head", ["round 3, hp 0/-4, over", "round 3, hp 2/2, forfeited 1, over", "round 1000, hp 2/2, over"]
)
def test_the_end_is_drawn_too(head: str) -> None:
    assert str(battle(f"{head}\n1 . 2\n. . .")).startswith(head + "\n")


def test_a_fault_is_drawn_too() -> None:
    assert battle("round 3, hp 2/2, fault\n1 . 2\n. . .").fault


def test_squares_that_cannot_be_used_are_drawn_and_read() -> None:
    game = fresh("program")
    assert str(game).startswith("round 0, hp 10/10\n# # # # # # # # # #\n# 1 . . ")
    assert DrawnBout.drawn("battlebots", str(game)).settings.min_coordinate == 1


def test_a_board_of_the_settings_own_size_keeps_the_settings() -> None:
    settings = BattlebotsSettings(start_inset=3, bullet_speed=1)
    drawing = str(Game(fresh().book, settings, 0))
    assert Game.drawn("battlebots", drawing, settings).settings is settings


def test_without_a_header_it_is_the_start() -> None:
    game = battle("1 . 2\n. . .", start_hp=4)
    assert str(game).startswith("round 0, hp 4/4\n")


def test_signs_of_weapons_may_be_left_out() -> None:
    assert battle("1 . 2\n. . .\nL x=1 y=0").board() == "1 L 2\n. . .\nL x=1 y=0"


@pytest.mark.parametrize(
    ("drawing", "message"),
    [
        ("", "not a drawing"),
        ("1 . 2\n. .", "not a drawing"),
        ("1 . .\n. . .", "bot 2 is on the board 0 times"),
        ("1 1 2\n. . .", "bot 1 is on the board 2 times"),
        ("1 B 2\n. . .", "'B' at x=1 y=0"),
        ("1 L 2\n. . .\nB x=1 y=0 dir=N", "it must be 'B'"),
        ("1 ? 2\n. . .", "'?' at x=1 y=0"),
        ("# # #\n# # #\n# # #", "bot 1 is on the board 0 times"),
        ("1 . 2\n. . .\nB x=1 y=0 dir=NN", "'B x=1 y=0 dir=NN' is not a weapon"),
        ("1 . 2\n. . .\nL x=1 y=0 dir=N", "is not a weapon"),
        ("1 . 2\n. . .\nB x=3 y=0 dir=N", "square x=3 y=0 does not exist"),
        ("1 . 2\n. . .\nL x=0 y=2", "square x=0 y=2 does not exist"),
        ("1 . 2\n. . .\nL x=0 y=0\nL x=0 y=0 spent", "there is a mine already"),
        ("1 . 2\n. . .\n" + "M x=0 y=0 dir=E\n" * 21, "no room for 'M x=0 y=0 dir=E'"),
        ("round 3, hp 2/2, tired\n1 . 2\n. . .", "unknown word 'tired'"),
        ("round 3, hp 2/2, over 3\n1 . 2\n. . .", "unknown word 'over 3'"),
        ("round 3, hp 2/2, paralysed\n1 . 2\n. . .", "unknown word 'paralysed'"),
        ("round 3, hp 2/2, forfeited 2, over\n1 . 2\n. . .", "unknown word 'forfeited 2'"),
        ("round 3, hp 2/2, paralysed 3\n1 . 2\n. . .", "paralysis must be from 0 to 2"),
        ("round 3, hp 2/2, over\n1 . 2\n. . .", "a bout must end when"),
        ("round 3, hp 0/2\n1 . 2\n. . .", "a bout must end when"),
        ("round 3, hp 12/2\n1 . 2\n. . .", "hit points must not exceed the 10 of the start"),
        ("round 1001, hp 2/2, over\n1 . 2\n. . .", "rounds must be from 0 to 1000"),
    ],
)
def test_what_no_bout_can_be_in_is_refused(drawing: str, message: str) -> None:
    with pytest.raises(BadRecord) as error:
        battle(drawing)
    assert message in str(error.value)


def test_a_board_too_small_for_two_bots_is_refused() -> None:
    with pytest.raises(SettingsError):
        battle("1")


def test_a_view_is_drawn_as_the_text_for_the_bot() -> None:
    assert str(battle("1 . 2\n. . .").view(1)) == "Y at x=2 y=0, X at x=0 y=0\nX.Y\n...\nY hp=10\nX hp=10"


def test_a_scene_shows_the_board_and_fits_the_terminal() -> None:
    game = battle(DRAWN)
    scene = game.book.scene.scene(game.arena, game.state)
    assert scene.headline == "round 12, no movement for 1 more"
    assert scene.seats == ("bot 1, 9 hp", "bot 2, 7 hp")
    assert "".join(mark.glyph for mark in scene.rows[1]) == ". 1 B\\. L "
    assert [mark.style for mark in scene.rows[2]] == ["empty", "food", "danger", "empty", "seat1"]
    assert len(scene.legend) == 3
    program = fresh("program")
    whole = program.book.scene.scene(program.arena, program.state)
    assert whole.headline == "round 0"
    assert (whole.rows[0][0].glyph.strip(), whole.rows[0][0].style) == ("#", "wall")
    assert len(whole.legend) == 4
    assert all(len("".join(mark.glyph for mark in row)) <= 80 for row in whole.rows)


def test_the_arrow_behind_a_shot_is_that_of_the_shot_that_is_seen() -> None:
    game = battle("""
        1 . . .
        . . . .
        . . . 2
        B x=1 y=1 dir=N
        B x=2 y=1 dir=SW
        M x=1 y=1 dir=W
        B x=0 y=0 dir=S
    """)
    scene = game.book.scene.scene(game.arena, game.state)
    assert "".join(mark.glyph for mark in scene.rows[1]) == ". M<B/. "
    assert scene.rows[0][0].glyph == "1 "
