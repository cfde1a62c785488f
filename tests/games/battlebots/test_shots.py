"""Bullets and missiles in flight (specification 3, steps 6 and 7), and bots that walk onto them."""

from __future__ import annotations

import pytest

from tests.games.battlebots.table import battle, fresh
from tests.games.drawn import board

PRESETS = ["document", "program"]


# Bullets (3, step 6)


def test_a_bullet_flies_three_squares_a_round_example_6() -> None:
    game = fresh().play("B SE / NO")
    assert game.state.shots[0, 0].tolist() == [4, 4, 3, 0]
    game.play("NO / NO")
    assert game.state.shots[0, 0].tolist() == [7, 7, 3, 0]
    game.play("NO / NO")
    assert game.hp == (10, 9)
    assert game.state.shot_count[0] == 0


def test_a_bullet_hits_at_once_within_its_reach() -> None:
    assert battle("1 . . 2\n. . . .").play("B E / NO").hp == (10, 9)
    assert battle("1 . . . 2\n. . . . .").play("B E / NO").hp == (10, 10)


def test_a_bullet_beyond_the_edge_is_gone() -> None:
    game = battle("1 . .\n. . 2").play("B N / B S")
    assert game.hp == (10, 10)
    assert game.state.shot_count[0] == 0


def test_a_bullet_hits_the_bot_that_fired_it_if_that_walks_ahead_of_it() -> None:
    game = battle(". B 1 .\n. . . 2\nB x=1 y=0 dir=E")
    assert game.play("E / NO").hp == (9, 10)


def test_shots_pass_through_mines_and_each_other() -> None:
    game = battle("1 . L B . . 2\n. . . . . . .\nB x=3 y=0 dir=W\nL x=2 y=0").play("B E / NO")
    assert game.hp == (9, 10)  # by the bullet that came from the east
    assert game.board() == board("1 . L B . . 2\n. . . . . . .\nB x=3 y=0 dir=E\nL x=2 y=0")


def test_lists_close_their_gaps_and_keep_their_order() -> None:
    game = battle("""
        1 . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . 2
        B x=3 y=0 dir=E
        B x=0 y=1 dir=W
        B x=1 y=1 dir=E
        M x=3 y=1 dir=N
        M x=0 y=2 dir=E
    """)
    game.play("B E / M W")
    assert game.board() == board("""
        1 . . B . . B .
        . . . . B . . .
        . . M . . . . .
        . . . . . M . 2
        B x=6 y=0 dir=E
        B x=4 y=1 dir=E
        B x=3 y=0 dir=E
        M x=2 y=2 dir=E
        M x=5 y=3 dir=W
    """)


# Missiles (3, step 7)


def test_a_missile_hits_for_two_without_a_splash_on_top() -> None:
    assert battle("1 . 2 .\n. . . .").play("M E / NO").hp == (10, 8)


def test_in_the_program_a_missile_hits_for_three() -> None:
    assert battle("# # # # #\n# 1 . 2 .\n# . . . .", "program").play("M E / NO").hp == (10, 7)


def test_a_missile_splashes_the_other_bot_if_it_is_near() -> None:
    assert battle("1 2 . .\n. . . .").play("M E / NO").hp == (9, 8)


def test_a_missile_flies_two_squares_and_hits_later_example_4() -> None:
    game = battle("1 . . 2\n. . . .").play("M E / NO")
    assert game.board() == board("1 . M 2\n. . . .\nM x=2 y=0 dir=E")
    assert game.play("NO / NO").hp == (10, 8)


def test_a_missile_explodes_where_it_meets_the_edge_example_4() -> None:
    assert fresh().play("M N / NO").hp == (9, 10)  # flies to (1, 0), next to its bot
    assert fresh("program").play("M N / NO").hp == (8, 10)  # blocked at once, two splashes


def test_the_edge_is_met_at_the_second_step() -> None:
    once = battle("# # # #\n# . . .\n# 1 . .\n# . . 2", "program").play("M N / NO")
    assert once.hp == (9, 10)


def test_a_missile_that_explodes_on_a_bots_square_takes_the_splash() -> None:
    assert battle("1 . .\n. . .\n. . 2").play("M N / NO").hp == (9, 10)


def test_a_missile_at_the_edge_hurts_both_bots_near_it() -> None:
    game = battle(". M .\n1 . 2\n. . .\nM x=1 y=0 dir=N").play("NO / NO")
    assert game.hp == (9, 9)


def test_edge_explosions_can_be_switched_off() -> None:
    game = fresh(missile_wall_splash=False, start_inset=0).play("M N / NO")
    assert game.hp == (10, 10)
    assert game.state.shot_count[1] == 0


def test_every_number_comes_from_the_settings_10_7() -> None:
    far = battle("1 . . . . 2\n. . . . . .", bullet_speed=5, bullet_damage=4).play("B E / NO")
    assert far.hp == (10, 6)
    missile = battle("1 . . 2\n. . . .", missile_speed=3, missile_damage=5, missile_splash=3).play("M E / NO")
    assert missile.hp == (10, 5)
    edge = battle("# # # # #\n# 1 . . 2\n# . . . .", "program", missile_speed=4, missile_splash=2, start_hp=30)
    assert edge.play("M N / NO").hp == (30 - 8, 30)
    mine = battle("1 L 2\nL x=1 y=0", mine_damage=5, mine_splash=3).play("E / NO")
    assert mine.hp == (5, 7)
    pulse = fresh(emp_rounds=4, emp_cost=3).play("P / NO")
    assert (pulse.hp, pulse.state.paralysed) == ((7, 10), 4)


# Walking onto shots (3, step 3)


@pytest.mark.parametrize("preset", PRESETS)
def test_walking_onto_a_shot_does_nothing(preset: str) -> None:
    game = battle("""
        . . . . . .
        . 1 B . . 2
        . . M . . .
        B x=2 y=1 dir=N
        M x=2 y=2 dir=N
    """, preset)  # fmt: skip
    game.play("E / NO")
    assert game.hp[1] == 10
    # the bullet flies on from under it, the missile hits it from below
    assert game.hp[0] == 10 - game.settings.missile_damage
    assert game.state.shot_count.tolist() == [0, 0]


WALKED = """
    1 . . . . . . .
    . M B . . . 2 .
    . . . . M . . .
    B x=1 y=1 dir=E
    B x=2 y=1 dir=W
    M x=1 y=1 dir=S
    M x=4 y=2 dir=N
"""


def test_in_a_variant_a_bot_that_walks_onto_shots_is_hit_10_5() -> None:
    game = battle(WALKED, walk_into_projectile_hits=True)
    game.play("SE / NO")
    # a bullet and a missile on the square, then the other bullet flies in
    assert game.hp == (10 - 1 - 2 - 1, 10)
    assert game.board().endswith("2 .\n. . . . . . . .\nM x=4 y=0 dir=N")


def test_in_the_variant_shots_on_other_squares_fly_on_in_their_order_10_5() -> None:
    drawing = "1 . . . . .\n. . . . . .\n. . . . . .\n. . . . . 2\n"
    bullets = "B x=0 y=1 dir=E\nB x=1 y=1 dir=E\nB x=0 y=2 dir=E\nB x=1 y=2 dir=E"
    game = battle(drawing + bullets, walk_into_projectile_hits=True).play("SE / NO")
    # the second hits at once, the first as it flies
    assert game.hp == (8, 10)
    assert game.board().endswith("B x=3 y=2 dir=E\nB x=4 y=2 dir=E")


def test_in_the_variant_a_missile_splashes_a_bot_near_it_10_5() -> None:
    game = battle("1 . 2 .\n. . . .\nM x=1 y=0 dir=E", walk_into_projectile_hits=True).play("E / NO")
    assert game.hp == (8, 9)
    assert game.state.shot_count.tolist() == [0, 0]


def test_the_variant_is_skipped_in_rounds_without_movement_10_5() -> None:
    drawing = "round 3, hp 10/10, paralysed 1\n1 . . .\n. . . 2\nM x=0 y=0 dir=E"
    game = battle(drawing, walk_into_projectile_hits=True).play("NO / NO")
    assert game.hp == (10, 10)
    assert game.board() == board("1 . M .\n. . . 2\nM x=2 y=0 dir=E")
