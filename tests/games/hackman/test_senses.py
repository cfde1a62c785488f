"""What a learner of Hack-man senses: the maze around its player, and what is near by safe ways."""

from __future__ import annotations

import pytest

from botyard.kernel.rule import INTERPRETED
from tests.games.drawn import board
from tests.games.hackman.table import hackman, rings
from tests.games.sensed import Learner, worth_of

pytestmark = pytest.mark.skipif(not INTERPRETED, reason="senses are compiled in the loop of a drill only")

SYMBOLS = ".CWgx01&" + "udlr?" + "UDLRc" + "12345" + "^v<>o"  # a bug by the ground under it, and by where it came from


def test_the_maze_lies_around_the_own_player() -> None:
    game = hackman(rings(r0c0="0", r0c2="C", r2c2="W", r2c6="1", r0c4="C<", r3c3="^"))
    assert Learner(game, 0).look().drawn(SYMBOLS) == board("""
        xxxxxxxo
        xxxxxxxg
        xxxxxxxx
        c..x0.C.
        xx.x.xx.
        ..1x..W.
    """)


def test_a_bug_is_sensed_with_where_it_came_from_once_it_was_seen_to_move() -> None:
    game = hackman(rings(r2c0="0", r0c2="<", r2c6="1"))
    learner = Learner(game, 0).look()
    assert learner.drawn(SYMBOLS).splitlines()[1] == "...x..?."
    game.play("pass pass")
    assert learner.look().drawn(SYMBOLS).splitlines()[1] == "...x.r.."


def test_of_two_bugs_on_one_cell_one_is_shown() -> None:
    game = hackman("bugs: 0 1\n" + rings(r0c0="0", r0c2="<>", r2c6="1"))
    assert Learner(game, 0).look().drawn(SYMBOLS).splitlines()[3] == "...x0.?."


def test_both_players_on_one_cell_have_a_code_of_their_own() -> None:
    assert Learner(hackman(rings(r0c0="01")), 1).look().drawn(SYMBOLS).splitlines()[3] == "...x&..."


def test_the_nearest_snippet_and_weapon_are_told_by_their_safe_ways() -> None:
    numbers = Learner(hackman(rings(r0c0="0", r0c3="C", r2c0="W", r0c5="1")), 0).look().numbers
    told = ("snippet_away", "snippet_way", "snippet_race", "weapon_away", "weapon_way", "weapon_race")
    assert [numbers[name] for name in told] == [3, 3, 0, 2, 1, 2]
    assert (numbers["rival_away"], numbers["rival_south"], numbers["rival_east"]) == (5, 8, 13)
    assert numbers["bug_away"] == 99


def test_a_thing_behind_a_bug_is_out_of_reach_and_the_step_to_the_bug_a_risk() -> None:
    numbers = Learner(hackman(rings(r0c0="0", r0c2="C<", r2c6="1")), 0).look().numbers
    assert (numbers["snippet_away"], numbers["snippet_way"], numbers["bugs"], numbers["bug_away"]) == (99, 4, 1, 2)
    assert [numbers[f"risk_{way}"] for way in ("up", "down", "left", "right", "pass")] == [0, 0, 0, 1, 0]


def test_the_state_of_both_players_is_told_the_own_first() -> None:
    head = "round 20, collected 9\nplayer 0: 3 snippets, weapon\nplayer 1: 5 snippets, paralysed 1\n"
    game = hackman(head + rings(r0c0="0", r2c6="1"))
    told = ("snippets", "rival_snippets", "armed", "rival_armed", "paralysed", "rival_paralysed", "left")
    assert [Learner(game, 0).look().numbers[name] for name in told] == [3, 5, 1, 0, 0, 1, 179]
    assert [Learner(game, 1).look().numbers[name] for name in told] == [5, 3, 0, 1, 1, 0, 179]


def test_snippets_a_weapon_and_the_win_are_worth_something() -> None:
    head = "round 20, collected 9\nplayer 0: 3 snippets, weapon\nplayer 1: 5 snippets\n"
    game = hackman(head + rings(r0c0="0", r2c6="1"))
    assert (worth_of(game, 0), worth_of(game, 1)) == (20 * 3 - 12 * 5 + 20, 20 * 5 - 12 * 3 - 20)
    over = hackman(head.replace("collected 9", "collected 9, over, winner 1") + rings(r0c0="0", r2c6="1"))
    assert (worth_of(over, 0), worth_of(over, 1)) == (20 * 3 - 12 * 5 - 200, 20 * 5 - 12 * 3 + 200)
