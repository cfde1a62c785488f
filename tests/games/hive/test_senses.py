"""What a learner of Hive Arena senses: the window around its bee, and what the chart of its seat has."""

from __future__ import annotations

import pytest

from botyard.kernel.rule import INTERPRETED
from tests.games.drawn import board
from tests.games.hive.table import hive
from tests.games.sensed import Learner, worth_of

pytestmark = pytest.mark.skipif(not INTERPRETED, reason="senses are compiled in the loop of a drill only")

SYMBOLS = ".aAbBo#@&x"

FLOWERS = """
    @ . . * . .
    . . A*. a .
    . . # . . .
    . . . . . &
"""


def test_the_window_shows_the_own_pieces_as_own_whichever_player_it_is() -> None:
    game = hive(FLOWERS)
    assert Learner(game, 0).look().drawn(SYMBOLS) == board("""
        xxxxxxx
        xxxxxxx
        x@..o..
        x..b.A.
        x..#...
        x.....&
        xxxxxxx
    """)
    game.play("guard W")
    assert Learner(game, 1).look().drawn(SYMBOLS).splitlines()[2:6] == ["..o..xx", ".B.a.xx", ".#...xx", "....@xx"]


def test_the_way_home_and_the_nearest_flower_on_the_chart_are_told() -> None:
    numbers = Learner(hive(FLOWERS), 0).look().numbers
    told = ("carrying", "player", "flower_known", "flowers", "flower_south_sign", "flower_east_sign")
    assert [numbers[name] for name in told] == [1, 0, 1, 1, 0, 2]
    assert (numbers["flower_south"], numbers["flower_east"]) == (7, 9)
    bare = Learner(hive("@ . . .\n. . A .\n. a . &"), 0).look().numbers
    assert (bare["flower_known"], bare["flower_south"], bare["flower_east"]) == (0, 8, 8)


def test_of_two_flowers_the_nearer_one_is_told_and_rows_farther_away_are_not_searched() -> None:
    numbers = Learner(hive("@ . . . * .\n. . . . . .\n* . A*. . .\n. . . . . .\n. a . . . &"), 0).look().numbers
    assert (numbers["flowers"], numbers["flower_south"], numbers["flower_east"]) == (2, 8, 6)
    wide = Learner(hive("@ A . . *\n. a . . &\n. . . . ."), 0).look().numbers
    assert (wide["flower_south"], wide["flower_east"]) == (8, 11)


def test_a_flower_is_worth_more_the_nearer_it_is_to_the_own_hive_and_a_point_most() -> None:
    far, near = hive(FLOWERS), hive("@ . . * . .\n. A*. . a .\n. . # . . .\n. . . . . &")
    assert 0 < worth_of(far, 0) <= worth_of(near, 0) < 20
    assert worth_of(hive("turn 2, score 1-2, last point 1\n" + board(FLOWERS)), 1) == 2 * 20 - 12
    assert worth_of(hive("turn 2, score 1-2, last point 1, over, winner 1\n" + board(FLOWERS)), 0) == 20 - 2 * 12
