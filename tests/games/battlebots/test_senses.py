"""What a learner of BattleBots senses: bots and mines, bullets, missiles, and what a step would cost."""

from __future__ import annotations

import pytest

from botyard.kernel.rule import INTERPRETED
from tests.games.battlebots.table import battle
from tests.games.drawn import board
from tests.games.sensed import Learner, worth_of

pytestmark = pytest.mark.skipif(not INTERPRETED, reason="senses are compiled in the loop of a drill only")

SYMBOLS = ".YXLyx#" + "↑↗→↘↓↙←↖*" + "⇑⇗⇒⇘⇓⇙⇐⇖%"

SHOTS = """
    1 . . L
    . B M .
    . . . 2
    B x=1 y=1 dir=W
    B x=1 y=1 dir=NW
    M x=2 y=1 dir=W
    L x=3 y=0
"""


def test_three_boards_lie_one_above_the_other_with_the_own_bot_in_the_middle() -> None:
    assert Learner(battle(SHOTS), 0).look().drawn(SYMBOLS) == board("""
        X#...
        #####
        L#Y..
        .#...
        .#...
        #####
        .#...
        .#.*.
        .#...
        #####
        .#...
        .#..⇐
    """)


def test_the_other_bot_has_the_same_boards_around_itself() -> None:
    upper = Learner(battle(SHOTS), 1).look().drawn(SYMBOLS).splitlines()[:4]
    assert upper == ["..L#X", "...#.", "..Y#.", "#####"]


def test_mines_under_bots_and_squares_out_of_bounds_have_codes_of_their_own() -> None:
    game = battle("# # # #\n# 1 2 .\n# . . .\nL x=1 y=1\nL x=2 y=1", mine_under_bot_explodes_now=False)
    assert Learner(game, 0).look().drawn(SYMBOLS).splitlines()[1:4] == ["#####", "##yx.", "##..."]


def test_a_step_costs_what_shots_in_flight_and_mines_do_there() -> None:
    numbers = Learner(battle(SHOTS), 0).look().numbers
    costs = {name: cost for name, cost in numbers.items() if name.startswith("risk_") and cost}
    assert costs == {"risk_here": 1, "risk_S": 3, "risk_SE": 2}
    mined = Learner(battle("1 L 2\n. . .\nL x=1 y=0"), 0).look().numbers
    assert (mined["risk_E"], mined["risk_here"]) == (2, 0)


def test_a_missile_hurts_all_who_are_near_where_it_meets_the_edge_but_nobody_twice() -> None:
    drawing = ". . . .\nM 1 . .\n. . . 2\nM x=0 y=1 dir=W"
    numbers = Learner(battle(drawing), 0).look().numbers
    assert {name for name, cost in numbers.items() if name.startswith("risk_") and cost == 1} == {
        "risk_here", "risk_N", "risk_S", "risk_NW", "risk_W", "risk_SW",
    }  # fmt: skip
    passing = Learner(battle(". M 1 .\n. . . 2\nM x=1 y=0 dir=E", missile_speed=3), 0).look().numbers
    assert (passing["risk_here"], passing["risk_E"]) == (2, 2)
    quiet = Learner(battle(drawing, missile_wall_splash=False), 0).look().numbers
    assert not any(cost for name, cost in quiet.items() if name.startswith("risk_"))


def test_the_enemy_is_aimed_at_where_it_is_in_line() -> None:
    numbers = Learner(battle("1 . .\n. . .\n. . 2"), 0).look().numbers
    assert (numbers["aim"], numbers["enemy_away"], numbers["enemy_south"], numbers["enemy_east"]) == (3, 2, 10, 10)
    assert Learner(battle("1 . .\n. . 2"), 0).look().numbers["aim"] == 8


def test_damage_dealt_is_worth_more_than_it_costs_and_a_win_is_worth_most() -> None:
    even = battle("1 . 2\n. . .")
    ahead = battle("1 . 2\n. . .").play("B E / NO")
    assert worth_of(ahead, 0) - worth_of(even, 0) == 12
    assert worth_of(ahead, 1) - worth_of(even, 1) == -10
    won = battle("1 . 2\n. . .", rounds_per_bout=1).play("B E / NO")
    assert worth_of(won, 0) - worth_of(ahead, 0) == 100
    assert worth_of(won, 1) - worth_of(ahead, 1) == -100
    even.change("forfeit", 0)
    assert worth_of(even, 1) - worth_of(even, 0) == 200
