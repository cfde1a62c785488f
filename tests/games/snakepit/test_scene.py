"""Snakepit as text: what is drawn parses back, and what cannot be is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import botyard
from botyard.games.game import Game
from botyard.games.snakepit.layout import PELLET, SNAKE
from botyard.games.snakepit.scene import draw, draw_view, parse
from botyard.games.snakepit.settings import SnakepitSettings
from botyard.kernel.errors import BadRecord
from tests.games.snakepit.table import snakepit

DRAWING = """\
tick 41, hunger 3, pellet 5,3, gone B, eaten, fresh
A facing r, pellets 2, growing 1, left 1,1, body 2,1 dll
B facing u, pellets 0, growing 0, body 4,3
C died 12, facing ?, pellets 1, growing 0, length 6
. A . . .
a a . . .
. . . B *"""


def test_a_drawing_parses_back() -> None:
    drawing = DRAWING.replace("body 2,1 dll", "body 2,1 dl")
    assert str(Game.drawn("snakepit", drawing)) == drawing


def test_a_finished_game_parses_back() -> None:
    game = snakepit("a A . .\n. . . .\n. . . B\n. . . b").play(A="u", B="u")
    assert "last man B, over" in str(game)
    assert str(Game.drawn("snakepit", str(game), game.settings)) == str(game)


@pytest.mark.parametrize(
    "settings",
    [
        {"snakes": 4, "width": 12, "height": 9},
        {"snakes": 4, "width": 8, "height": 8, "profile": "program"},
        {"snakes": 3, "width": 7, "height": 9, "preserve_dead": True, "initial_len": 0},
        {"snakes": 3, "width": 14, "height": 7, "swap_board_axes": True},
        {"snakes": 1, "width": 4, "height": 8, "growth": 9},
    ],
)
def test_every_state_of_a_game_parses_back_to_the_byte(settings: dict[str, Any]) -> None:
    dice = np.random.default_rng(4)
    for seed in range(6):
        game = botyard.new("snakepit", seed=seed, **settings)
        while not game.over and game.state.tick < 60:
            again = Game.drawn("snakepit", str(game), game.settings)
            assert str(again) == str(game)
            again.state.chance = game.state.chance
            assert again.state.tobytes() == game.state.tobytes()
            game.step({seat: str(dice.choice(game.orders(seat))) for seat in game.asked})


def test_bodies_made_by_hand_are_traced() -> None:
    game = snakepit("a a a\n. . a\nA a a")
    assert "A facing r, pellets 0, growing 0, body 1,3 rruull" in str(game)
    assert game.state.snakes[0]["length"] == 7


def test_a_folded_body_is_traced_over_all_its_cells() -> None:
    assert snakepit("A a a\na a a").state.snakes[0]["length"] == 6
    assert "body 1,1 drur" in str(snakepit("A a a\na a ."))  # going right first leads nowhere


def test_cells_may_stand_close_together() -> None:
    assert str(snakepit(".aA*\n....")) == str(snakepit(". a A *\n. . . ."))


@pytest.mark.parametrize(
    ("drawing", "complaint"),
    [
        ("", "not a drawing"),
        (". A\n. . .", "not a drawing"),
        (". .\n. .", "no snake"),
        ("A . A", "2 heads A"),
        ("A . C", "0 heads B"),
        ("A . a", "is not connected"),
        ("A # .", "unknown cell '#'"),
        ("tick 1, hunger 0, dancing\nA . .", "unknown word 'dancing'"),
        ("tick 1, hunger 0\nB facing r, body 1,1\nA . .", "does not describe snake A"),
        ("tick 1, hunger 0\nA pellets 3, body 1,1\nA . .", "does not describe snake A"),
        ("tick 1, hunger 0\nA facing r, body 1;1\nA . .", "is not a cell"),
        ("A . *\n. * .", "the pellet must lie where it was announced"),
        (
            "tick 1, hunger 0\nA facing r, pellets 0, growing 0, body 1,1 r\nA . .",
            "snakes must not overlap, and all their cells must be marked",
        ),
        (
            "tick 1, hunger 0\nA facing r, pellets 0, growing 0, body 1,1\nA . a",
            "only cells on which a snake lies may be marked",
        ),
        ("A . .\nB . .\n. . .", None),
    ],
)
def test_what_is_no_drawing_is_refused(drawing: str, complaint: str | None) -> None:
    if complaint is None:
        assert parse(drawing)
        return
    with pytest.raises(BadRecord, match=complaint):
        parse(drawing)


def test_a_view_is_drawn_as_it_is_told() -> None:
    game = snakepit("a A * . .\n. . . . .\n. B b . .").play(A="r", B="u", pellet=(5, 3))
    assert draw_view(game.view(1)) == "tick 1, snake B, pellet 5,3 (new); A 3,1; B 2,2 left 3,3"
    game = snakepit("a A . .\n. . . .").play(A="r")
    assert draw_view(game.view(0)) == "tick 1, snake A, no pellet; A 3,1 left 1,1"


# What holds in every state


def broken(**fields: Any) -> Game:
    """A sound game with some fields written over; `snakes_…` are those of the first snake."""
    game = snakepit(". a A . .\n. . . . .\n. B b . *").play(A="r", B="u")
    for name, value in fields.items():
        if name.startswith("snakes_"):
            game.state.snakes[0][name.removeprefix("snakes_")] = value
        else:
            game.state[name] = value
    return game


@pytest.mark.parametrize(
    ("fields", "what"),
    [
        ({"spare": 1}, "spare bytes"),
        ({"tick": -1}, "counters must not be negative"),
        ({"hunger": 2}, "hunger must not exceed"),
        ({"over": 2}, "flags must be 0 or 1"),
        ({"living": 7}, "only snakes of this game"),
        ({"gone": 8}, "only snakes of this game"),
        ({"last_man": 2}, "the last survivor"),
        ({"snakes_aim_x": 1}, "no step may be half done"),
        ({"living": 0}, "a running game must have a living snake"),
        ({"living": 2}, "a running game must have at least two living snakes"),
        ({"snakes_length": 0}, "the length of snake 0 must fit into its ring"),
        ({"snakes_length": 4097}, "the length of snake 0 must fit into its ring"),
        ({"snakes_growing": -1}, "must not be negative"),
        ({"snakes_facing": 4}, "must face a direction"),
        ({"snakes_pause": 2}, "must be one of the steps of its body"),
        ({"snakes_head_x": 0}, "must have a body while it lives"),
        ({"snakes_head_x": 9}, "the head of snake 0 must be on the board"),
        ({"snakes_tail_x": 1}, "where its steps lead"),
        ({"snakes_left_x": 5}, "left the cell beside it"),
        ({"pellet_x": 9}, "the pellet must be on the board"),
        ({"pellet_x": 1}, "the pellet must lie where it was announced"),
        ({"cells": PELLET}, "nothing may lie outside the board"),
    ],
)
def test_a_state_that_cannot_be_is_refused(fields: dict[str, Any], what: str) -> None:
    game = broken(**fields)
    with pytest.raises(BadRecord, match=what):
        Game.from_bytes(game.bytes())


def written(write: Any) -> Game:
    game = broken()
    write(game.state)
    return game


@pytest.mark.parametrize(
    ("write", "what"),
    [
        (lambda state: state.ring.__setitem__((9, 0), 1), "beyond its body must be zero"),
        (lambda state: state.ring.__setitem__((0, 5), 1), "unused snakes must be zero"),
        (lambda state: state.died.__setitem__(0, 1), "must be alive, or have died"),
        (lambda state: state.cells.__setitem__((0, 0), 3), "cell codes"),
        (lambda state: state.cells.__setitem__((0, 0), SNAKE), "only cells on which a snake lies may be marked"),
        (lambda state: state.cells.__setitem__((2, 4), 0), "the announced pellet must lie on the board"),
        (lambda state: state.chance.__setitem__("kind", 9), "the kind of chance must be known"),
    ],
)
def test_bytes_that_cannot_be_are_refused(write: Any, what: str) -> None:
    game = written(write)
    with pytest.raises(BadRecord, match=what):
        Game.from_bytes(game.bytes())


def test_the_dead_leave_nothing() -> None:
    game = snakepit("a A . .\n. . . .\n. . B b\n. . . .\n. C c *").play(A="u", B="l", C="l")
    game.state.snakes[0]["tail_x"] = 1
    with pytest.raises(BadRecord, match="is gone, so its cells must be zero"):
        Game.from_bytes(game.bytes())
    kept = snakepit("a A . .\n. . . .\n. . B b\n. . . .\n. C c *", preserve_dead=True).play(A="u", B="l", C="l")
    assert Game.from_bytes(kept.bytes()) == kept
    kept.state.snakes[0]["left_x"] = 1
    with pytest.raises(BadRecord, match="must not have left a cell"):
        Game.from_bytes(kept.bytes())


def test_bodies_may_hang_out_of_the_board_but_not_anywhere() -> None:
    game = botyard.new("snakepit", seed=2, snakes=2, width=6, height=6, clean_start=False)
    assert Game.from_bytes(game.bytes()) == game
    line = "tick 3, hunger 0\nA facing r, pellets 0, growing 0, body 1,1 l\nA . ."
    with pytest.raises(BadRecord, match="where snakes can be"):
        parse(line, SnakepitSettings(clean_start=False))
    line = "tick 3, hunger 0\nA facing r, pellets 0, growing 0, left 1,0, body 1,1\nA . ."
    with pytest.raises(BadRecord, match="the cell that snake 0 left must exist"):
        parse(line, SnakepitSettings(clean_start=False))


def test_draw_is_what_str_gives() -> None:
    game = botyard.new("snakepit", seed=1)
    assert draw(game.arena, game.state) == str(game)
