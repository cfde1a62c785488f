"""Mines: laid, found, tripped (specification 3, steps 3 and 5)."""

from __future__ import annotations

from tests.games.battlebots.table import battle, fresh
from tests.games.drawn import board

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
