"""Drawings of Hack-man and what viewers are shown."""

from __future__ import annotations

import pytest

import botyard
from botyard.games import load
from botyard.games.game import Game
from botyard.games.golden import playthrough
from botyard.games.hackman.scene import mark, scene
from botyard.games.hackman.settings import HackmanSettings
from botyard.kernel.errors import BadRecord
from tests.games.hackman.table import hackman, plan_of

BOARD = "0 . C g s\n. x x x x\n. W . . 1"

WHOLE = """round 12, collected 9, next bug 8
player 0: 1 snippet, weapon
player 1: 5 snippets, paralysed 2
bugs: 7 3 5
0   .   C>  g   s^<
.   x   x   x   x
.   W   .   .   1"""


def test_a_drawing_parses_back() -> None:
    assert str(hackman(WHOLE)) == WHOLE.replace(", next bug 8", "")
    head, _, rest = WHOLE.partition("\n")
    other = f"{head.replace('8', '11')}\n{rest}"
    assert str(hackman(other)) == other


def test_an_ended_game_parses_back() -> None:
    drawing = "round 3, collected 0, over, fault, winner 1\nplayer 0: -4 snippets, out\nplayer 1: 0 snippets, absent\n"
    drawing += BOARD.replace(" ", "  ").replace("  ", " ")
    again = str(hackman(drawing))
    assert again.splitlines()[:3] == drawing.splitlines()[:3]
    assert str(hackman(again)) == again


def test_a_whole_game_parses_back_at_every_round() -> None:
    game = botyard.new("hackman", seed=4, initial_enemy_count=5, map_weapon_count=3, player_snippet_count=9)
    for at in range(40):
        twin = Game.drawn("hackman", str(game), game.settings)
        assert str(twin) == str(game)
        assert twin.settings == game.settings
        game.step_orders({0: at * 3 % 5, 1: at * 7 % 5})


def test_the_lines_above_the_board_may_be_missing() -> None:
    game = hackman("0 . C> g s<\n. x x x x\n. W . . 1")
    assert game.state.next_bug == 2
    assert game.scores == (0, 0)


def test_the_map_of_the_settings_is_kept_if_it_is_drawn() -> None:
    settings = HackmanSettings(start_points="0,0 19,0")
    game = botyard.Game(load("hackman"), settings, 1)
    assert Game.drawn("hackman", str(game), settings).settings == settings
    small = hackman(BOARD)
    assert (plan_of(small).width, plan_of(small).starts) == (5, (0, 14))


@pytest.mark.parametrize(
    ("drawing", "hint"),
    [
        ("", "not a drawing"),
        ("0 . 1\n. .", "not a drawing"),
        (BOARD.replace("W", "Q"), "unknown cell 'Q'"),
        (BOARD.replace("C", "10"), "unknown cell '10'"),
        (BOARD.replace("1", "."), "not a map that can be played"),
        (BOARD.replace("x x x x", "x x x 0"), "not a map that can be played"),
        (BOARD.replace("s", "."), "not a map that can be played"),
        ("bugs: 3\n" + BOARD, "the line 'bugs: 3'"),
        ("player 2: 3 snippets\n" + BOARD, "the line"),
        ("player 0: 3 snippets, asleep\n" + BOARD, "unknown word 'asleep'"),
        ("round 1, collected 2, winner 3\n" + BOARD, "unknown word 'winner 3'"),
        ("round 1, collected 2, winner 1\n" + BOARD, "before the end -1"),
        (BOARD.replace("C", "<" * 33), "too many bugs"),
    ],
)
def test_what_is_no_drawing_is_refused(drawing: str, hint: str) -> None:
    with pytest.raises(BadRecord, match=hint):
        hackman(drawing)


def test_every_player_is_drawn_once_on_the_default_map_too() -> None:
    drawing = str(botyard.new("hackman", seed=1)).replace(" 0 x ", " . x ")
    with pytest.raises(BadRecord, match="each player once"):
        hackman(drawing)


def test_a_view_is_drawn_without_the_walls() -> None:
    assert str(hackman(WHOLE).view(1)) == "\n".join(
        [
            "round 13, player 1",
            "player 0 at (0,0), 1 snippets, weapon",
            "player 1 at (4,2), 5 snippets, paralysed",
            "snippets (2,0)",
            "weapons (1,2)",
            "bugs (2,0) (4,0) (4,0)",
        ]
    )
    assert "bugs none" in str(hackman(BOARD).view(0))


def test_a_scene_fits_the_screen_and_names_its_glyphs() -> None:
    game = botyard.new("hackman", seed=4, initial_enemy_count=5)
    shown = scene(game.arena, game.state)
    assert {len(cell.glyph) for row in shown.rows for cell in row} == {2}
    assert len(shown.rows[0]) * 2 <= 80
    assert shown.headline == "round 0 of 200, 0 snippets collected"
    assert shown.seats == ("0 snippets", "0 snippets")
    assert [glyph.glyph.strip() for glyph, _ in shown.legend] == ["0", "1", "C", "W", "E", "#", ":"]


@pytest.mark.parametrize(
    ("cell", "glyph", "style"),
    [
        (".", ". ", "empty"), ("x", "# ", "wall"), ("s", ": ", "empty"), ("g^", ":E", "danger"), ("C", "C ", "food"),
        ("W", "W ", "item"), ("C<<", "CE", "danger"), ("0", "0 ", "seat0"), ("1", "1 ", "seat1"),
        ("01", "01", "danger"), ("C01", "01", "danger"), ("E", "E ", "danger"),
    ],
)  # fmt: skip
def test_the_most_important_thing_of_a_cell_is_shown(cell: str, glyph: str, style: str) -> None:
    assert (mark(cell).glyph, mark(cell).style) == (glyph, style)


def test_the_golden_game_meets_many_rules() -> None:
    text = playthrough(load("hackman"))
    for word in ("weapon", "paralysed", "bugs:", "01", "winner", "over", "g^", "out"):
        assert word in text, word
