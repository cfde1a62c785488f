"""The rules of BattleBots, stage by stage. Numbers in names are those of the specification."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from botyard.games.battlebots.facts import DIRECTIONS, FACTS
from botyard.games.battlebots.layout import COL_STEPS, ROW_STEPS
from botyard.kernel.facts import NO_ORDER
from botyard.kernel.rule import opened
from tests.games.battlebots.table import battle, board, fresh, stray_at

PRESETS = ["document", "program"]

# Set-up (2)


def test_bots_start_one_square_off_opposite_corners() -> None:
    game = fresh()
    assert game.state.bots.tolist() == [[1, 1], [8, 8]]
    assert game.hp == (10, 10)
    assert game.asked == (0, 1)
    assert (game.state.rounds, game.state.paralysed, game.state.mine_count) == (0, 0, 0)


def test_the_start_follows_the_settings() -> None:
    game = fresh(width=6, height=5, start_inset=0, start_hp=3)
    assert game.state.bots.tolist() == [[0, 0], [5, 4]]
    assert game.hp == (3, 3)


def test_orders_are_named_by_what_a_bot_writes() -> None:
    assert FACTS.orders[:8] == DIRECTIONS
    assert [FACTS.orders[at] for at in (8, 17, 31, 32, 33)] == ["B N", "M NE", "L NW", "P", "NO"]


# Movement (3, step 3)


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_a_bot_steps_to_each_of_eight_squares(direction: str) -> None:
    game = fresh(start_inset=4).play(f"{direction} / NO")
    at = DIRECTIONS.index(direction)
    # (4, 4) and (5, 5): only SE is taken
    expected = [4, 4] if direction == "SE" else [4 + COL_STEPS[at], 4 + ROW_STEPS[at]]
    assert game.state.bots[0].tolist() == expected


def test_the_edge_refuses_a_move() -> None:
    drawing = """
        1 . .
        . . .
        . . 2
    """
    assert battle(drawing).play("NW / SE").board() == board(drawing)


@pytest.mark.parametrize("order", ["N", "E", "S", "W"])
def test_every_side_has_an_edge(order: str) -> None:
    drawing = "1 2"
    assert battle(drawing).play(f"{order} / {order}").board().startswith("1 2")


def test_in_the_program_the_first_row_and_column_are_no_squares() -> None:
    drawing = """
        # # # # #
        # 1 . . .
        # . . . .
        # . . . 2
    """
    game = battle(drawing, "program")
    assert game.settings.min_coordinate == 1
    assert game.play("N / NO", "W / NO", "NW / NO").board() == board(drawing)


def test_both_want_the_same_square_and_bot_1_gets_it_example_5() -> None:
    game = battle("""
        . . .
        1 . .
        . 2 .
    """)
    assert game.play("E / N").board() == board("""
        . . .
        . 1 .
        . 2 .
    """)


def test_bots_cannot_change_places_example_5() -> None:
    drawing = """
        1 . .
        . 2 .
        . . .
    """
    assert battle(drawing).play("SE / NW").board() == board(drawing)


def test_bot_1_follows_into_the_square_bot_2_leaves_example_5() -> None:
    game = battle("1 2 .\n. . .\n. . .")
    assert game.play("E / E").board() == board(". 1 2\n. . .\n. . .")


def test_bot_2_follows_into_the_square_bot_1_leaves() -> None:
    game = battle("2 1 .\n. . .\n. . .")
    assert game.play("E / E").board() == board(". 2 1\n. . .\n. . .")


def test_bots_cross_diagonally_past_each_other() -> None:
    game = battle("1 2 .\n. . .\n. . .")
    assert game.play("SE / SW").board() == board(". . .\n2 1 .\n. . .")


@pytest.mark.parametrize("order", ["B E", "NO"])
def test_a_bot_that_does_something_else_does_not_move_later(order: str) -> None:
    game = battle("1 . .\n. . .\n. . 2")
    game.play(f"{order} / NO")
    assert game.state.bots[0].tolist() == [0, 0]


# Mines under foot (3, step 3)


def test_a_mine_takes_two_from_the_bot_on_it_and_one_from_a_bot_near_it() -> None:
    game = battle("""
        1 L 2
        . . .
        L x=1 y=0
    """)
    game.play("E / NO")
    assert game.board() == board(". 1 2\n. . .")
    assert game.hp == (8, 9)


def test_a_mine_does_not_reach_a_bot_two_squares_off() -> None:
    game = battle("1 L . 2\n. . . .\nL x=1 y=0").play("E / NO")
    assert game.hp == (8, 10)


def test_bot_2_trips_mines_too() -> None:
    game = battle("1 L 2\n. . .\nL x=1 y=0").play("NO / W")
    assert game.hp == (9, 8)


def test_a_mine_near_a_bot_does_nothing_by_itself() -> None:
    drawing = "1 L 2\n. . .\nL x=1 y=0"
    game = battle(drawing).play("NO / NO")
    assert game.board() == board(drawing)
    assert game.hp == (10, 10)


def test_both_trip_a_mine_in_one_round_and_the_list_keeps_its_order() -> None:
    game = battle("""
        1 L L 2
        . . . .
        L L . .
        L x=0 y=2
        L x=2 y=0
        L x=1 y=0
        L x=1 y=2
    """)
    game.play("E / W")
    assert game.hp == (7, 7)
    assert game.board() == board(". 1 2 .\n. . . .\nL L . .\nL x=0 y=2\nL x=1 y=2")


def test_no_mine_goes_off_while_nobody_can_move() -> None:
    game = battle("""
        round 4, hp 10/10, paralysed 1
        1 . .
        . . 2
        L x=0 y=0
    """)
    assert game.play("NO / NO").hp == (10, 10)
    assert game.play("NO / NO").hp == (8, 10)


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


# Pulses (3, step 4)


def test_a_pulse_costs_one_and_stops_both_for_two_rounds_example_3() -> None:
    game = fresh().play("P / NO")
    assert game.hp == (9, 10)
    assert game.state.paralysed == 2
    game.play("E / W")
    assert game.state.paralysed == 1
    game.play("E / W")
    assert game.state.bots.tolist() == [[1, 1], [8, 8]]
    game.play("E / W")
    assert game.state.bots.tolist() == [[2, 1], [7, 8]]


def test_both_pay_for_a_pulse_of_both_example_3() -> None:
    assert fresh().play("P / P").hp == (9, 9)


def test_in_the_program_bot_1_alone_pays_for_a_pulse_of_both_example_3() -> None:
    assert fresh("program").play("P / P").hp == (9, 10)
    assert fresh("program").play("NO / P").hp == (10, 9)


def test_a_pulse_does_not_stop_a_move_of_the_same_round() -> None:
    assert fresh().play("E / P").state.bots[0].tolist() == [2, 1]


def test_a_new_pulse_sets_the_counter_back_and_costs_again() -> None:
    game = fresh().play("P / NO", "NO / NO", "NO / P")
    assert game.state.paralysed == 2
    assert game.hp == (9, 9)


def test_weapons_work_while_nobody_can_move() -> None:
    game = battle("round 3, hp 9/10, paralysed 2\n1 . 2\n. . .").play("B E / L W")
    assert game.hp == (9, 9)
    assert game.state.mine_count == 1


# Mines (3, step 5)


def test_a_mine_is_laid_beside_the_bot() -> None:
    game = battle("1 . .\n. . .\n. . 2").play("L SE / L N")
    assert game.board() == board("1 . .\n. L L\n. . 2\nL x=1 y=1\nL x=2 y=1")


def test_a_mine_beyond_the_edge_is_none() -> None:
    game = battle("1 . .\n. . .\n. . 2").play("L N / L SE")
    assert game.state.mine_count == 0
    assert game.hp == (10, 10)


def test_a_second_mine_sets_both_off_example_1() -> None:
    game = fresh().play("L SE / NO")
    assert game.state.mine_count == 1
    game.play("L SE / NO")
    assert game.hp == (9, 10)
    assert game.state.mine_count == 0
    assert game.play("SE / NO").hp == (9, 10)


def test_in_the_program_a_spent_mine_hurts_once_more_example_1() -> None:
    game = fresh("program").play("L SE / NO", "L SE / NO")
    assert game.hp == (9, 10)
    assert str(game).endswith("L x=2 y=2 spent")
    game.play("SE / NO")
    assert game.hp == (7, 10)
    assert game.state.mine_count == 0


def test_in_the_program_a_spent_mine_is_gone_after_the_next_check() -> None:
    game = fresh("program").play("L SE / NO", "L SE / NO", "NO / NO", "SE / NO")
    assert game.hp == (9, 10)


def test_in_the_program_a_spent_mine_is_found_again_while_nobody_can_move() -> None:
    game = fresh("program").play("L SE / P", "L SE / NO", "L SE / NO")
    assert game.hp == (8, 9)
    assert (game.state.mine_count, game.state.spent_count) == (1, 1)


def test_a_mine_found_includes_one_just_laid_by_bot_1_10_6() -> None:
    game = battle("1 . 2\n. . .").play("L E / L W")
    assert game.hp == (9, 9)
    assert game.state.mine_count == 0


def test_the_bot_on_a_mine_that_is_found_loses_one() -> None:
    game = battle("""
        # # # # #
        # 1 2 . .
        # . . . .
        L x=2 y=1
    """, "program")  # fmt: skip
    # with nobody moving, the mine under bot 2 is not tripped before it is found
    game.state.paralysed = 1
    assert game.play("L E / NO").hp == (9, 9)


def test_a_mine_on_the_enemys_square_goes_off_at_once_example_2() -> None:
    game = fresh().play("SE / NW", "SE / NW", "SE / NW", "L SE / NO")
    assert game.hp == (9, 8)
    assert game.state.mine_count == 0


def test_in_the_program_it_lies_under_the_enemy_example_2() -> None:
    approach = ["SE / NW", "SE / NW", "SE / NW", "L SE / NO"]
    stays = fresh("program").play(*approach)
    assert stays.hp == (10, 10)
    assert stays.state.mines[0].tolist() == [5, 5]
    assert stays.play("NO / NO").hp == (9, 8)
    steps_away = fresh("program").play(*approach, "NO / N")
    assert steps_away.hp == (10, 10)
    assert steps_away.state.mine_count == 1


def test_bot_2_lays_mines_under_bot_1() -> None:
    assert battle("1 2 .\n. . .").play("NO / L W").hp == (8, 9)


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


# The end (3, step 8, and 4)


def test_a_bout_ends_when_a_bot_is_down() -> None:
    game = battle("round 7, hp 2/1\n1 . . 2\n. . . .").play("B E / NO")
    assert game.over
    assert game.asked == ()
    assert game.outcome is not None
    assert game.outcome.winner == 0
    assert game.scores == (2, 0)


def test_a_bot_with_one_hit_point_goes_on() -> None:
    game = battle("round 7, hp 2/2\n1 . . 2\n. . . .").play("B E / B W")
    assert game.hp == (1, 1)
    assert not game.over


def test_a_bot_that_is_down_already_still_acts_in_its_last_round() -> None:
    game = battle("round 7, hp 1/5\n1 L . 2\n. . . .\nL x=1 y=0").play("E / NO")
    assert game.hp == (-1, 5)
    shooting = battle("round 7, hp 5/1\n1 2 . .\n. . . .").play("L E / B W")
    assert shooting.hp == (3, -1)  # the mine of bot 1 came first, the bullet of bot 2 still flew
    assert shooting.over


def test_both_may_fall_and_the_one_with_more_hit_points_wins() -> None:
    game = battle("round 7, hp 2/1\n1 2 . .\n. . . .").play("M E / B W")
    assert game.hp == (0, -1)
    assert game.outcome is not None
    assert game.outcome.winner == 0


def test_equal_hit_points_are_a_draw() -> None:
    game = battle("round 7, hp 1/1\n1 . 2 .\n. . . .").play("B E / B W")
    assert game.outcome is not None
    assert game.outcome.draw


def test_a_bout_ends_after_its_last_round() -> None:
    game = fresh(rounds_per_bout=2).play("NO / NO")
    assert not game.over
    assert game.play("NO / NO").over
    assert game.outcome is not None
    assert game.outcome.draw


def test_bot_2_can_win() -> None:
    game = battle("round 7, hp 1/4\n1 . 2 .\n. . . .").play("NO / B W")
    assert game.outcome is not None
    assert game.outcome.winner == 1


def test_a_bot_that_never_came_loses_whatever_the_hit_points() -> None:
    game = battle("round 0, hp 9/3\n1 . 2\n. . .")
    game.change("forfeit", 0)
    assert game.outcome is not None
    assert game.outcome.winner == 1
    game.change("forfeit", 1)
    assert game.state.forfeited == 0


def test_stepping_a_finished_bout_changes_nothing() -> None:
    game = fresh(rounds_per_bout=1).play("NO / NO")
    before = game.bytes()
    game.step_orders({0: 0, 1: 10})
    assert game.bytes() == before


@pytest.mark.parametrize("order", [NO_ORDER, -2, -8, 34, 35, 40, 255, 2**31 - 1, -(2**31)])
def test_any_other_integer_does_nothing(order: int) -> None:
    game, twin = fresh(), fresh()
    game.step_orders({0: order, 1: order})
    twin.step(["NO", "NO"])
    assert game.bytes() == twin.bytes()


def test_who_came_first_is_bot_1() -> None:
    assert [fresh().entrant(seat) for seat in (0, 1)] == [0, 1]


# Room (a capacity never corrupts)


def test_a_shot_without_room_is_a_fault_and_nothing_else() -> None:
    lines = "\n".join("B x=2 y=1 dir=E" for _ in range(20))
    game = battle(f"1 . . . . . . . . .\n. . . . . . . . . .\n. . . . . . . . . 2\n{lines}")
    assert game.state.shot_count[0] == 20
    game.play("B E / NO")
    assert game.fault
    assert game.state.shot_count[0] == 20
    assert game.state.shots[0, :, 1].tolist() == [1] * 20
    assert game.state.shot_count[1] == 0


# What a seat is shown and told


def test_each_seat_sees_itself_and_the_enemy() -> None:
    game = battle("round 7, hp 5/3\n1 . 2\n. . .")
    first, second = game.view(0), game.view(1)
    assert (first.x, first.enemy_x, first.hp, first.enemy_hp) == (0, 2, 5, 3)
    assert (second.x, second.enemy_x, second.hp, second.enemy_hp) == (2, 0, 3, 5)
    assert (first.width, first.height) == (3, 2)


def test_a_view_does_not_tell_round_paralysis_or_seat() -> None:
    assert set(fresh().view(0).fields) == {
        "hp", "enemy_hp", "mine_count", "shot_count", "width", "height", "x", "y", "enemy_x", "enemy_y", "shots",
        "mines",
    }  # fmt: skip


def test_spent_mines_are_not_shown_10_4() -> None:
    drawing = "1 . .\n. . .\n. . 2\nL x=1 y=1 spent\nL x=2 y=0"
    shown = battle(drawing, spent_mines_linger=True).view(0)
    assert shown.mine_count == 1
    assert shown.mines[0].tolist() == [2, 0]
    assert not shown.mines[1:].any()


def test_in_the_program_mines_are_not_shown() -> None:
    hidden = battle("# # # #\n# 1 . .\n# . . 2\nL x=2 y=1", "program").view(0)
    assert hidden.mine_count == 0
    assert not hidden.mines.any()


def test_a_look_leaves_nothing_of_the_look_before() -> None:
    game, later = fresh().play("L E / M N", "B S / L W", "B E / L N"), fresh()
    views = np.zeros(1, game.book.layouts(game.settings).view)
    for shown in (game, later):
        arenas, states = shown.arrays
        game.book.loops.look_at(opened(arenas), opened(states), 0, opened(views))
    assert views.tobytes() == later.view(0).array.tobytes()


def test_a_view_has_no_board() -> None:
    rules = fresh().book.rules
    assert rules.board_shape(None) == (0, 0)
    rules.paint(None, None, 0, None, 0, 0)


# What is said about orders


def test_orders_beyond_the_edge_are_in_vain_except_missiles() -> None:
    game = battle("1 . .\n. . .\n. . 2")
    assert set(FACTS.orders) - set(game.orders(0)) == {
        f"{weapon}{direction}" for weapon in ("", "B ", "L ") for direction in ("N", "NE", "SW", "W", "NW")
    }
    calm = battle("1 . .\n. . .\n. . 2", missile_wall_splash=False)
    assert "M N" not in calm.orders(0)
    assert "M E" in calm.orders(0)


def test_what_is_said_about_orders_gives_no_secret_away() -> None:
    quiet = battle("1 . .\n. . .\n. . 2", show_mines=False)
    loaded = battle("round 1, hp 9/9, paralysed 2\n1 . .\n. . .\n. . 2\nL x=1 y=0", show_mines=False)
    assert quiet.orders(0) == loaded.orders(0)


def dice_for(order: str) -> int:
    """Random bits that make `stray` think of this order."""
    return -(-FACTS.orders.index(order) * 2**32 // len(FACTS.orders))


@pytest.mark.parametrize("order", FACTS.orders)
def test_random_play_can_give_every_order(order: str) -> None:
    assert strayed(fresh().board(), order, "round 0, hp 9/9") == order


def strayed(drawing: str, order: str, head: str = "round 5, hp 1/9", **settings: Any) -> str:
    game = battle(f"{head}\n{drawing}", **settings)
    arenas, states = game.arrays
    return FACTS.orders[stray_at(opened(arenas), opened(states), 0, dice_for(order))]


@pytest.mark.parametrize(
    ("drawing", "order"),
    [
        ("1 . .\n. . .\n. . 2", "P"),
        ("1 L .\n. . .\n. . 2\nL x=1 y=0", "E"),
        ("1 L .\n. . .\n. . 2\nL x=1 y=0", "L E"),
        ("1 2 .\n. . .", "L E"),
        ("1 2 .\n. . .", "M E"),
        ("1 . .\n. . .\n. . 2", "M N"),
        (". . .\n1 . .\n. . 2", "M N"),
        (". 1 .\n. . .\n. . 2", "M W"),
    ],
)
def test_random_play_does_nothing_rather_than_kill_itself(drawing: str, order: str) -> None:
    assert strayed(drawing, order) == "NO"
    assert strayed(drawing, order, "round 5, hp 9/9") == order


@pytest.mark.parametrize("order", ["E", "B E", "B N", "L E", "L N", "M E", "N", "NO"])
def test_random_play_dares_what_is_not_deadly(order: str) -> None:
    assert strayed("1 . . .\n. . . .\n. . . 2", order) == order


def test_a_slow_missile_rests_before_the_edge() -> None:
    assert strayed(". . .\n1 . .\n. . 2", "M N", missile_speed=1) == "M N"
    game = battle(". . .\n1 . .\n. . 2", missile_speed=1)
    assert game.play("M N / NO").hp == (10, 10)
    assert game.board().startswith("M . .")
