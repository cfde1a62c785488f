"""Ghosts: what overlapping starts leave on the grid (specification 2.3, 10.1, 10.2)."""

from __future__ import annotations

from typing import Any

import pytest

from botyard.games.snakepit.layout import EMPTY, FARTHEST_PAUSE, SNAKE
from botyard.games.snakepit.layout.bodies import read_body
from botyard.games.snakepit.wire import open_session
from botyard.kernel.facts import NO_ORDER
from tests.games.snakepit.table import DrawnPit, snakepit


def test_a_moving_tail_wipes_whoever_lies_there_too() -> None:
    game = overlapping()
    game.play(A="r", B="r", C="r")
    # B's tail has left (2, 4), where A's body still lies: a ghost that can be entered.
    assert game.state.cells[3, 1] == EMPTY
    assert (2, 4) in read_body(game.state, 0, int(game.arena.slots))
    game.play(A="r", B="r", C="u")
    assert str(DrawnPit.drawn("snakepit", str(game), game.settings)) == str(game)


def overlapping() -> DrawnPit:
    """A from (2, 2) down to (2, 5), B from (2, 3) down to (2, 4), C out of the way."""
    return snakepit(
        """
        tick 0, hunger 0, pellet 6,1
        A facing r, pellets 0, growing 0, body 2,2 ddd
        B facing r, pellets 0, growing 0, body 2,3 d
        C facing r, pellets 0, growing 0, body 4,6 r
        . . . . . *
        . A . . . .
        . B . . . .
        . a . . . .
        . a . . . .
        . . . C c .
        """,
        clean_start=False,
    )


def test_a_pellet_on_a_ghost_is_lost_when_a_tail_leaves_the_cell() -> None:
    game = snakepit(
        """
        tick 9, hunger 0, pellet 1,2
        A facing r, pellets 0, growing 0, left 1,3, body 2,2 l
        B facing r, pellets 0, growing 0, body 5,1 r
        . . . . B b
        * A . . . .
        """,
        clean_start=False,
    )
    game.play(A="r", B="l")
    assert game.state.cells[1, 0] == EMPTY
    assert (game.state.pellet_x, game.state.pellet_y) == (1, 2)  # as announced


def test_a_covered_pellet_is_neither_eaten_nor_replaced() -> None:
    game = snakepit(
        """
        tick 0, hunger 0, pellet 2,2
        A facing r, pellets 0, growing 0, body 2,1 d
        B facing r, pellets 0, growing 0, body 5,1 r
        . A . . B b
        . a . . . .
        """,
        clean_start=False,
    )
    game.play(A="r", B="d").play(A="d", B="l").play(A="l", B="l")
    assert game.snake("A")["pellets"] == 0
    assert (game.state.pellet_x, game.state.pellet_y) == (2, 2)


def headless(**settings: Any) -> Any:
    """A's head at (3, 1) is a ghost, its tail beside it; B is out of the way."""
    return snakepit(
        """
        tick 9, hunger 0, pellet 1,1
        A facing r, pellets 0, growing 0, body 3,1 r
        B facing r, pellets 0, growing 0, body 6,1 rrr
        * . . a . B b b b
        . . . . . . . . .
        . . . . . . . . .
        """,
        clean_start=False,
        **settings,
    )


def body_of_a(game: DrawnPit) -> list[tuple[int, int]]:
    return read_body(game.state, 0, int(game.arena.slots))


@pytest.mark.parametrize("resolution", ["simultaneous", "sequential_by_id"])
def test_a_step_on_the_spot_is_survived_where_the_own_head_is_a_ghost(resolution: str) -> None:
    game = headless(tick_resolution=resolution)
    game.play(A=4, B="d")
    assert body_of_a(game) == [(3, 1), (3, 1)]
    assert open_session(game.settings, 0).ask(game.view(0)).startswith(b"s 1 3,1,4,1\n")
    assert str(DrawnPit.drawn("snakepit", str(game), game.settings)) == str(game)
    assert game.board().splitlines()[0] == "* . A . . b b b ."  # its head is marked again
    game.play(A="d", B="d")
    assert body_of_a(game) == [(3, 2), (3, 1)]
    assert game.state.cells[0, 2] == EMPTY  # where its tail still lies
    assert (game.snake("A")["left_x"], game.snake("A")["left_y"]) == (3, 1)
    game.play(A="d", B="l")
    assert body_of_a(game) == [(3, 3), (3, 2)]
    assert (game.snake("A")["left_x"], game.snake("A")["left_y"]) == (3, 1)


def test_no_answer_after_a_step_on_the_spot_is_another_one() -> None:
    game = headless().play(A=4, B="d")
    game.play(A=NO_ORDER, B="d")
    assert not game.lives("A")
    assert not game.fault


def test_a_body_with_a_step_on_the_spot_grows_and_is_taken_away_whole() -> None:
    game = headless()
    game.snake("A")["growing"] = 2
    game.play(A=4, B="d").play(A="d", B="d")
    assert body_of_a(game) == [(3, 2), (3, 1), (3, 1), (4, 1)]
    game.play(A="u", B="r")
    assert game.over
    assert not game.state.ring[:, 0].any()
    assert not (game.state.cells[:, :5] == SNAKE).any()


def test_a_body_with_a_step_on_the_spot_is_kept_where_the_dead_are() -> None:
    game = headless(preserve_dead=True)
    game.snake("A")["growing"] = 2
    game.play(A=4, B="d").play(A="d", B="d").play(A="u", B="r")
    assert body_of_a(game) == [(3, 2), (3, 1), (3, 1), (4, 1)]
    assert str(DrawnPit.drawn("snakepit", str(game), game.settings)) == str(game)


@pytest.mark.parametrize("pause", [1, FARTHEST_PAUSE])
def test_a_second_step_on_the_spot_in_a_body_or_one_too_far_back_is_the_fault_of_its_bot(pause: int) -> None:
    game = headless()
    game.snake("A")["pause"] = pause
    game.play(A=4 if pause == 1 else "l", B="d")
    assert (game.fault, game.state.over, game.culprits) == (True, 1, (0,))


def test_two_bodies_that_cannot_be_held_in_one_tick_are_the_fault_of_both_bots() -> None:
    game = headless()
    for name in "AB":
        game.snake(name)["pause"] = FARTHEST_PAUSE
    game.play(A="l", B="d")
    assert (game.fault, game.state.over, game.culprits) == (True, 1, (0, 1))


def test_a_snake_as_long_as_its_ring_grows_no_further() -> None:
    game = snakepit("a A . .\n. . . .", growth=3)
    game.arena.slots = 2
    game.snake("A")["growing"] = 1
    game.step_orders({0: 0})
    assert not game.fault
    assert (game.snake("A")["length"], game.snake("A")["growing"]) == (2, 1)
