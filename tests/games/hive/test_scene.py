"""Drawings of Hive Arena: everything of a state but its chance, there and back."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import botyard
from botyard.games import load
from botyard.games.game import Game
from botyard.games.hive.settings import HiveSettings
from botyard.games.picture import scene_of
from botyard.kernel.errors import BadRecord
from tests.games.hive.table import hive
from tests.games.pictured import as_text, keyed_orders, seen

SIZE = {"rows": 5, "cols": 6, "bees_per_player": 3}
SMALL: dict[str, Any] = {**SIZE, "flowers_min": 3, "flowers_max": 9, "max_turns": 60}


@given(seed=st.integers(0, 2**64 - 1), orders=st.lists(st.integers(-1, 32), max_size=70))
def test_a_drawing_parses_back_to_itself_and_to_the_state(seed: int, orders: list[int]) -> None:
    game = botyard.new("hive", seed=seed, **SMALL)
    for order in orders:
        game.step_orders(dict.fromkeys(game.asked, order))
    again = Game.drawn("hive", str(game), game.settings)
    assert str(again) == str(game)
    again.state.chance = game.state.chance
    assert again.arrays[1].tobytes() == game.arrays[1].tobytes()


def test_the_headline_tells_what_the_board_cannot() -> None:
    head = "turn 32, score 1-4, last point 30, closing, over, swapped, changed, winner 1, forfeited 0"
    game = hive(f"{head}\nA . . *\n@ . . &\n. . . a")
    assert str(game).startswith(head + "\n")
    assert (game.state.closing, game.state.over, game.state.winner, game.state.forfeited) == (1, 1, 1, 0)


@pytest.mark.parametrize(
    ("drawing", "complaint"),
    [
        ("", "rows of equal length"),
        ("A . .\n@ .", "rows of equal length"),
        ("A . . ?\n@ . . &\n. . . a", "unknown cell '\\?'"),
        ("A . . *\n@ . . .\n. . . a", "each player must have one hive"),
        ("A . . *\n@ . . &\n. . . .", "bees of player 1 must stand where"),
        ("A . C *\n@ . B &\n. . . a", "bees of player 1 must stand where"),
        ("A . Y *\n@ X B &\n. . . a", "bees_per_player"),
        ("A . Y *\n@ . B &\na b . c", "bees of player 0 must stand where"),
        ("turn 3, score 0-0, last point 5\nA . . *\n@ . . &\n. . . a", "the last point must not lie in the future"),
        ("turn 3, score 0-0, last point -1, tired\nA . . *\n@ . . &\n. . . a", "unknown word 'tired' in the header"),
        ("turn 3, score 0-0, last point -1, winner 2\nA . . *\n@ . . &\n. . . a", "winner and forfeit must be players"),
    ],
)
def test_a_wrong_drawing_is_explained(drawing: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        hive(drawing)


def test_the_view_is_drawn_without_names() -> None:
    game = hive("A B*. *\n@ C . &\nc a*b #")
    assert str(game.view(0)) == (
        "turn 0, player 0, bee 0 at row 0, column 0\n\n\n\n      A A*. *\n      @ A . &\n      a a*a #\n"
    )


def test_the_scene_has_every_cell_a_seat_line_and_a_legend() -> None:
    scene = scene_of(hive("turn 5, score 1-0, last point 3\nA*. . *\n@ # . &\n. . . a"))
    assert scene.headline == "turn 5, last point in turn 3"
    assert scene.seats == ("points 1", "points 0")
    assert [[tile.glyph.strip() for tile in row] for row in scene.rows] == [
        ["A*", ".", ".", "*"],
        ["@", "#", ".", "&"],
        [".", ".", ".", "a!"],
    ]
    assert [(tile.style, tile.seat) for tile in scene.rows[1]] == [
        ("home", 0),
        ("wall", -1),
        ("empty", -1),
        ("home", 1),
    ]
    assert {tile.name for tile in scene.legend} >= {"flower", "wall", "bee with a flower"}
    assert scene_of(hive("A . . *\n@ . . &\n. . . a")).headline == "turn 0"


def test_a_bee_sees_only_its_surroundings_and_settings_say_so() -> None:
    game = hive("A . . *\n@ . . &\n. . . a", view_distance=1)
    assert as_text(game, seen(game, 0)).splitlines() == ["A! .  ", "@ .  ", "   "]
    assert game.settings.habits.hides


def test_a_person_can_give_every_order() -> None:
    book = load("hive")
    assert sorted(keyed_orders(book.scene.KEYS)) == sorted(book.facts.orders)


def test_other_settings_survive_a_drawing() -> None:
    game = Game.drawn("hive", "A . . *\n@ . . &\n. . . a", HiveSettings(carry_fail_sides=7))
    assert game.arena.carry_fail_sides == 7


def test_bytes_that_no_game_can_be_in_are_refused() -> None:
    game = botyard.new("hive", seed=1)
    good = bytes(game.arrays[1].tobytes())
    kind = game.arrays[1].dtype
    offset = kind.fields["cells"][1]  # type: ignore[index]
    for place, value in ((offset, 0), (offset + 3 * 36 + 3, 9), (kind.fields["bees"][1], 200)):  # type: ignore[index]
        raw = bytearray(good)
        raw[place] = value
        with pytest.raises(BadRecord, match="not a state of hive"):
            game.load_state(bytes(raw))
    with pytest.raises(BadRecord, match="the state has 10 bytes"):
        game.load_state(good[:10])
