"""The rules of BattleBots, round by round. Numbers in names are those of the specification."""

from __future__ import annotations

import pytest

from botyard.games import load
from botyard.games.battlebots.facts import DIRECTIONS, FACTS
from botyard.games.battlebots.layout import COL_STEPS, ROW_STEPS
from botyard.games.battlebots.settings import BattlebotsSettings
from botyard.kernel.facts import NO_ORDER
from tests.games.battlebots.table import DrawnBout, battle, fresh
from tests.games.drawn import board

# Set-up (2)


def test_bots_start_one_square_off_opposite_corners() -> None:
    game = fresh()
    assert game.state.bots.tolist() == [[1, 1], [8, 8]]
    assert game.hp == (10, 10)
    assert game.asked == (0, 1)
    assert (game.state.rounds, game.state.paralysed, game.state.mine_count) == (0, 0, 0)


def test_a_bout_knows_its_seed_though_it_draws_nothing() -> None:
    game = DrawnBout(load("battlebots"), BattlebotsSettings(), (5 << 32) + 7)
    assert game.state.chance.word.tolist() == [7, 5]
    assert game.play("B E / M W").state.chance.counter == 0


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
    again = game.copy()
    again.load_state(game.arrays[1].tobytes())  # a state that may be
    assert again == game


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
    assert game.state.fault == 1
    assert game.state.shot_count[0] == 20
    assert game.state.shots[0, :, 1].tolist() == [1] * 20
    assert game.state.shot_count[1] == 0
