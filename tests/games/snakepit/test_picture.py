"""Snakepit in pictures and words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import botyard
from botyard.games.game import Game
from botyard.games.picture import camera_of, scene_of, words_of
from botyard.kernel.scene import NOBODY
from tests.games.snakepit.table import snakepit


def sprites(game: Game) -> list[list[str]]:
    camera = camera_of(game)
    rows = camera.take(game).grid.tolist()
    return [[camera.palette[tile].sprite.removeprefix("snake-") for tile in row] for row in rows]


def pieces(game: Game) -> list[tuple[int, int, int, str]]:
    """Each piece as seat, row, column and sprite, by seat."""
    camera = camera_of(game)
    taken = camera.take(game).pieces
    return sorted(
        (int(one["id"]), int(one["row"]), int(one["col"]), camera.palette[one["tile"]].sprite) for one in taken
    )


def test_a_body_joins_at_every_corner() -> None:
    game = snakepit("a a a .\na . a .\na A a .\n. . a *")
    assert "body 2,3 luurrddd" in str(game)
    assert sprites(game) == [
        ["corner/1", "body", "corner/2", "pit"],
        ["body/1", "pit", "body/1", "pit"],
        ["corner", "pit", "body/1", "pit"],
        ["pit", "pit", "tail/3", "pellet"],
    ]
    turning = snakepit("a a .\n. a a\n. . A")
    assert sprites(turning) == [["tail", "corner/2", "pit"], ["pit", "corner", "corner/2"], ["pit", "pit", "pit"]]
    back = snakepit(". . A\n. a a\n. a .")
    assert sprites(back) == [["pit", "pit", "pit"], ["pit", "corner/1", "corner/3"], ["pit", "tail/3", "pit"]]


@pytest.mark.parametrize(
    ("drawing", "order", "head", "tail"),
    [
        ("a A . .", "r", (0, 2, "snake-head"), "tail"),
        (". . A a", "l", (0, 1, "snake-head/2"), "tail/2"),
        (".\n.\nA\na", "u", (1, 0, "snake-head/3"), "tail/3"),
        ("a\nA\n.\n.", "d", (2, 0, "snake-head/1"), "tail/1"),
    ],
)
def test_heads_and_tails_are_turned(drawing: str, order: str, head: tuple[int, int, str], tail: str) -> None:
    game = snakepit(drawing).play(A=order)
    assert pieces(game) == [(0, *head)]
    assert any(tail in row for row in sprites(game))


def test_a_snake_of_one_cell_has_a_head_only() -> None:
    game = snakepit("A . *")
    assert sprites(game) == [["pit", "pit", "pellet"]]
    assert pieces(game) == [(0, 0, 0, "snake-head")]


def test_the_dead_look_dead_where_they_stay_and_are_not_there_where_they_do_not() -> None:
    drawing = "a A . .\n. . . .\n. . B b\n. . . .\n. C c *"
    game = snakepit(drawing, preserve_dead=True).play(A="u", B="l", C="l")
    assert pieces(game)[0] == (0, 0, 1, "snake-head-dead/3")
    tiles = {tile.plain.strip(): tile for row in scene_of(game).rows for tile in row}
    assert (tiles["x^"].style, tiles["x^"].seat, tiles["x^"].name) == ("danger", NOBODY, "dead head")
    assert (tiles["B<"].style, tiles["B<"].seat) == ("seat", 1)
    gone = snakepit(drawing).play(A="u", B="l", C="l")
    assert [piece[0] for piece in pieces(gone)] == [1, 2]
    assert sprites(gone)[0] == ["pit"] * 4


def test_words_tell_points_length_and_fate() -> None:
    game = snakepit("a A . .\n. . . .\n. . B b\n. . . .\n. C c *", preserve_dead=True).play(A="u", B="l", C="l")
    said = words_of(game)
    assert said.headline == "tick 1, 1 since the last pellet"
    assert said.line(0) == "points 1, length 2, pellets 0, died in tick 1"
    assert said.line(1) == "points 1, length 2, pellets 0"
    assert said.out == {0}
    assert said.steady == 1
    game.change("forfeit", 1)
    assert words_of(game).conditions == ("died in tick 1", "nobody steers it", "")
    assert words_of(game).out == {0, 1}
    assert words_of(botyard.new("snakepit", seed=1)).headline == "tick 0"


@pytest.mark.parametrize("settings", [{"snakes": 4}, {"snakes": 2, "tick_timeout": 3}, {"snakes": 1}])
def test_the_first_number_is_the_score(settings: dict[str, Any]) -> None:
    dice = np.random.default_rng(2)
    game = botyard.new("snakepit", seed=3, width=8, height=8, **settings)
    while not game.over:
        assert words_of(game).numbers["points"] == game.scores
        game.step({seat: str(dice.choice(game.orders(seat))) for seat in game.asked})
    assert words_of(game).numbers["points"] == game.scores


@pytest.mark.parametrize(
    "settings",
    [
        {"snakes": 4, "width": 12, "height": 9},
        {"snakes": 3, "width": 7, "height": 9, "preserve_dead": True, "initial_len": 0},
        {"snakes": 3, "width": 14, "height": 7, "swap_board_axes": True},
    ],
)
def test_a_picture_shows_what_a_drawing_shows(settings: dict[str, Any]) -> None:
    dice = np.random.default_rng(4)
    for seed in range(3):
        game = botyard.new("snakepit", seed=seed, **settings)
        while not game.over and game.state.tick < 60:
            compare(game)
            game.step({seat: str(dice.choice(game.orders(seat))) for seat in game.asked})


def compare(game: Game) -> None:
    camera = camera_of(game)
    board = [line.split() for line in str(game).splitlines()[1 + game.seats :]]
    for line, row in zip(board, camera.take(game).stamped().tolist(), strict=True):
        for sign, number in zip(line, row, strict=True):
            tile = camera.palette[number]
            assert (tile.name in ("pit", "pellet")) == (sign in ".*")
            assert tile.name.endswith("head") == sign.isupper()
            assert tile.seat in (NOBODY, ord(sign.lower()) - ord("a"))


def test_what_a_tail_has_wiped_away_is_not_seen_but_a_head_always_is() -> None:
    game = snakepit(
        """
        tick 9, hunger 0, pellet 1,1
        A facing r, pellets 0, growing 0, body 3,1 r
        B facing r, pellets 0, growing 0, body 6,1 rrr
        * . . a . B b b b
        . . . . . . . . .
        . . . . . . . . .
        """,
        clean_start=False,
    )
    assert pieces(game)[0] == (0, 0, 2, "snake-head")
    game.play(A=4, B="d")  # a step on the spot: the same cell twice
    assert pieces(game)[0] == (0, 0, 2, "snake-head")
    assert sprites(game)[0][:5] == ["pellet", "pit", "pit", "pit", "pit"]
    game.play(A="d", B="d")
    assert sprites(game)[0][2] == "pit"


def test_a_body_that_hangs_out_of_the_board_ends_at_its_edge() -> None:
    game = snakepit(
        """
        tick 0, hunger 0, pellet 1,1
        A facing r, pellets 0, growing 0, body 2,2 dd
        B facing r, pellets 0, growing 0, body 4,1 r
        * . . B b
        . A . . .
        . a . . .
        """,
        clean_start=False,
    )
    assert sprites(game)[1:] == [["pit"] * 5, ["pit", "body/1", "pit", "pit", "pit"]]


def test_of_heads_on_one_cell_the_first_is_seen() -> None:
    game = snakepit(
        """
        tick 0, hunger 0, pellet 1,1
        A facing r, pellets 0, growing 0, body 2,2
        B facing r, pellets 0, growing 0, body 2,2
        * . .
        . A .
        """,
        clean_start=False,
    )
    assert scene_of(game).rows[1][1].seat == 0
