"""Ghosts: what overlapping starts leave on the grid (specification 2.3, 10.1, 10.2)."""

from __future__ import annotations

from botyard.games.snakepit.bodies import read_body
from botyard.games.snakepit.layout import EMPTY
from tests.games.snakepit.table import Drawn, snakepit


def test_a_moving_tail_wipes_whoever_lies_there_too() -> None:
    game = overlapping()
    game.play(A="r", B="r", C="r")
    # B's tail has left (2, 4), where A's body still lies: a ghost that can be entered.
    assert game.state.cells[3, 1] == EMPTY
    assert (2, 4) in read_body(game.state, 0, int(game.arena.slots))
    game.play(A="r", B="r", C="u")
    assert str(Drawn.drawn("snakepit", str(game), game.settings)) == str(game)


def overlapping() -> Drawn:
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


def test_a_head_on_a_ghost_that_steps_on_the_spot_voids_the_game() -> None:
    game = snakepit(
        """
        tick 9, hunger 0, pellet 1,1
        A facing r, pellets 0, growing 0, body 3,1 r
        B facing r, pellets 0, growing 0, body 5,1 r
        * . . a B b
        . . . . . .
        """,
        clean_start=False,
    )
    game.play(A=4, B="d")
    assert (game.state.fault, game.state.over) == (1, 1)


def test_a_snake_longer_than_its_ring_voids_the_game() -> None:
    game = snakepit("a A . .\n. . . .", growth=3)
    game.arena.slots = 2
    game.snake("A")["growing"] = 1
    game.step_orders({0: 0})
    assert game.state.fault == 1
