"""What a learner of Snakepit senses: the board around its head, as far as it was told of it."""

from __future__ import annotations

import pytest

from botyard.kernel.rule import INTERPRETED
from tests.games.drawn import board
from tests.games.sensed import Learner, worth_of
from tests.games.snakepit.table import DrawnPit, snakepit

pytestmark = pytest.mark.skipif(not INTERPRETED, reason="senses are compiled in the loop of a drill only")

SYMBOLS = ".*#AaBbx"

START = """
    . . . .
    A B . *
    a b . .
    . . . .
"""


def at_start(drawing: str, **settings: object) -> DrawnPit:
    """A drawn game whose snakes stand upright, as at the start."""
    game = snakepit(drawing, **settings)
    game.arena.body_cells = int(game.state.snakes[0]["length"])
    return game


def test_the_board_lies_around_the_own_head() -> None:
    assert Learner(at_start(START), 0).look().drawn(SYMBOLS) == board("""
        #####
        .#...
        *#AB.
        .#ab.
        .#...
    """)
    assert Learner(at_start(START), 1).look().drawn(SYMBOLS).splitlines()[2] == "#BA.*"


def test_bodies_are_remembered_from_tick_to_tick() -> None:
    game = at_start(START)
    learner = Learner(game, 0).look()
    game.play(A="u", B="r")
    assert learner.look().drawn(SYMBOLS) == board("""
        .#...
        #####
        .#A..
        *#abB
        .#...
    """)


@pytest.mark.parametrize(("preserve_dead", "shown"), [(False, "."), (True, "x")])
def test_a_dead_body_is_sensed_where_it_stays(preserve_dead: bool, shown: str) -> None:
    game = at_start("A . . B . C\na . . b . c\n. . . . . .", preserve_dead=preserve_dead)
    learner = Learner(game, 0).look()
    game.play(A="r", B="u", C="l")
    assert learner.look().drawn(SYMBOLS).splitlines()[2:4] == [f"b#aA.{shown}B", f".#...{shown}."]


def test_the_pellet_rivals_and_room_are_told() -> None:
    numbers = Learner(at_start(START), 0).look().numbers
    assert (numbers["pellet"], numbers["pellet_south"], numbers["pellet_east"]) == (1, 8, 11)
    assert (numbers["pellet_south_sign"], numbers["pellet_east_sign"], numbers["pellet_race"]) == (1, 2, 0)
    assert (numbers["rivals"], numbers["rival_south"], numbers["rival_east"]) == (1, 8, 9)
    assert [numbers[f"room_{side}"] for side in ("right", "left", "up", "down")] == [0, 0, 12, 0]
    assert [numbers[f"contested_{side}"] for side in ("right", "left", "up", "down")] == [0, 0, 0, 0]
    meeting = Learner(at_start("A . B\na . b\n. . ."), 0).look().numbers
    assert (meeting["contested_right"], meeting["pellet"], meeting["pellet_race"]) == (1, 0, 1)


def test_alone_nobody_is_nearer_to_the_pellet() -> None:
    numbers = Learner(at_start("A . .\na . *", snakes=1), 0).look().numbers
    assert (numbers["pellet_race"], numbers["rivals"], numbers["rival_south"]) == (2, 0, 8)


def test_a_pellet_a_life_and_who_is_outlived_are_worth_something() -> None:
    game = at_start("A * . B . C\na . . b . c\n. . . . . .")
    before = [worth_of(game, seat) for seat in range(3)]
    assert before == [0, 0, 0]
    game.play((6, 3), A="r", B="u", C="l")
    assert [worth_of(game, seat) for seat in range(3)] == [20 + 20, -180, 20]
    game.play(A="d", C="u")
    assert game.over
    assert [worth_of(game, seat) for seat in range(3)] == [20 + 2 * 20 + 2 * 60, -180, 20 - 180 + 60]
