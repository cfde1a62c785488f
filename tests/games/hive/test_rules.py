"""The rules of Hive Arena, turn by turn. Numbers in names are those of the specification."""

from __future__ import annotations

import pytest

import botyard
from botyard.games.hive.layout import EMPTY, FLOWER, OUTSIDE
from botyard.kernel.facts import NO_ORDER
from tests.games.drawn import board
from tests.games.hive.table import beside, hive
from tests.games.numbers import mask_of, places_of

# Every drawing has one bee a side (A and a) unless it says otherwise; A acts in turn 0.


def test_a_bee_moves_onto_an_empty_cell() -> None:
    game = hive("""
        . . . .
        @ A . a
        . . . &
    """)
    assert game.play("move NE").board() == board("""
        . . A .
        @ . . a
        . . . &
    """)
    assert game.state.changed


@pytest.mark.parametrize("obstacle", ["#", "*", "@", "&", "a", "a*"])
def test_nothing_is_moved_onto(obstacle: str) -> None:
    game = hive(beside("A", obstacle))
    before = game.board()
    assert game.play("move E").board() == before
    assert not game.state.changed


def test_the_edge_stops_a_bee_without_a_draw() -> None:
    game = hive("""
        A*. . a
        @ . . &
        . . . .
    """)
    before = game.board()
    assert game.play("move N").board() == before


def test_a_carrying_bee_fails_to_move_one_time_in_three() -> None:
    drawing = """
        A*. . a
        @ . . &
        . . . .
    """
    stays = hive(drawing).play("move E", draws=[(3, 0)])
    assert stays.board() == board(drawing)
    assert stays.state.turn == 1
    for value in (1, 2):
        assert hive(drawing).play("move E", draws=[(3, value)]).board() == board("""
            . A*. a
            @ . . &
            . . . .
        """)


def test_carrying_can_be_made_safe() -> None:
    game = hive("A*. . a\n@ . . &\n. . . .", carry_fail_sides=0)
    assert game.play("move E").board().startswith(". A*")


def test_a_die_of_one_side_lets_nobody_carry_anything() -> None:
    game = hive("A*. . a\n@ . . &\n. . . .", carry_fail_sides=1)
    game.step("move E")
    assert game.board().startswith("A*.")
    assert game.state.chance.counter == 1


def test_a_diagonal_move_passes_between_walls() -> None:
    game = hive("""
        A # . .
        # . @ &
        . . . a
    """)
    assert game.play("move SE").board() == board("""
        . # . .
        # A @ &
        . . . a
    """)


def test_foraging_takes_a_flower() -> None:
    game = hive("A * . .\n@ . * &\n. . . a")
    assert game.play("forage E").board() == board("A*. . .\n@ . * &\n. . . a")
    assert game.state.flowers == 2


def test_foraging_drops_a_flower_on_an_empty_cell() -> None:
    game = hive("A*. . .\n@ . . &\n. . . a")
    assert game.play("forage E").board() == board("A * . .\n@ . . &\n. . . a")


def test_a_flower_in_the_hive_is_a_point() -> None:
    game = hive("""
        turn 40, score 2-1, last point 7
        A*. . *
        @ . . &
        . . . a
    """)
    game.play("forage S")
    assert str(game) == "turn 41, score 3-1, last point 40, changed\n" + board("A . . *\n@ . . &\n. . . a")


def test_the_hive_of_the_enemy_takes_flowers_too_example_2() -> None:
    game = hive("""
        . . a A*
        * . . &
        @ . . .
    """)
    game.play("forage S")
    assert game.scores == (0, 1)
    assert game.state.last_point_turn == 0


@pytest.mark.parametrize(
    ("bee", "target"),
    [("A", "."), ("A", "#"), ("A", "@"), ("A", "a"), ("A", "a*"), ("A*", "*"), ("A*", "#"), ("A*", "a"), ("A*", "a*")],
)
def test_any_other_foraging_does_nothing(bee: str, target: str) -> None:
    game = hive(beside(bee, target))
    before = game.board()
    assert game.play("forage E").board() == before
    assert not game.state.changed


def test_building_walls_an_empty_cell_even_while_carrying() -> None:
    game = hive("A*. . .\n@ . . &\n. . . a")
    assert game.play("build E").board() == board("A*# . .\n@ . . &\n. . . a")
    assert hive("A # . *\n@ . . &\n. . . a").play("build E").state.changed == 0
    assert hive("A . . *\n@ . . &\n. . . a").play("build N").state.changed == 0


@pytest.mark.parametrize("target", ["#", "*"])
def test_guarding_clears_a_wall_or_a_flower_half_the_time(target: str) -> None:
    drawing = f"A {target} . *\n@ . . &\n. . . a"
    assert hive(drawing).play("guard E", draws=[(2, 0)]).board() == board("A . . *\n@ . . &\n. . . a")
    missed = hive(drawing).play("guard E", draws=[(2, 1)])
    assert missed.board() == board(drawing)
    assert not missed.state.changed


def test_a_flower_cleared_away_is_gone_for_good() -> None:
    game = hive("A * . *\n@ . . &\n. . . a")
    assert game.play("guard E", draws=[(2, 0)]).state.flowers == 1


def test_guarding_a_carrier_knocks_its_flower_out_example_1() -> None:
    drawing = """
        . . # . .
        . A a*. .
        . . * . .
        @ . . . &
    """
    assert hive(drawing).play("guard E", draws=[(2, 0), (5, 4)]).board() == board("""
        . * # . .
        . A a . .
        . . * . .
        @ . . . &
    """)
    assert hive(drawing).play("guard E", draws=[(2, 0), (5, 0)]).board() == board("""
        . . # * .
        . A a . .
        . . * . .
        @ . . . &
    """)
    assert hive(drawing).play("guard E", draws=[(2, 1)]).board() == board(drawing)


def test_guarding_a_carrier_with_no_room_makes_no_draw() -> None:
    drawing = """
        A a*# .
        # # # .
        @ . . &
    """
    assert hive(drawing).play("guard E").board() == board(drawing)


def test_a_bee_can_guard_a_carrier_of_its_own_team() -> None:
    game = hive("""
        A B*. .
        . C a b
        @ c . &
    """)
    assert game.play("guard E", draws=[(2, 0), (2, 0)]).board() == board("""
        A B * .
        . C a b
        @ c . &
    """)


@pytest.mark.parametrize("target", [".", "@", "&", "a"])
def test_guarding_anything_else_does_nothing(target: str) -> None:
    drawing = beside("A", target)
    assert hive(drawing).play("guard E").board() == board(drawing)


def test_bees_take_turns_player_by_player_and_bee_by_bee_3_1() -> None:
    game = botyard.new("hive", seed=3)
    seen = []
    for _ in range(22):
        view = game.view()
        seen.append((view.player, view.bee))
        game.step("build N")
    assert seen[:10] == [(player, bee) for bee in range(5) for player in range(2)]
    assert seen[10:12] == [(0, 0), (1, 0)]


def test_the_view_is_a_square_and_the_edge_is_outside_3_2() -> None:
    game = hive("""
        A . . * .
        . # . . a*
        @ . . . &
    """)
    window = game.view(0).window
    assert (game.view(0).row, game.view(0).col) == (0, 0)
    assert window.shape == (7, 7)
    assert (window[:3] == OUTSIDE).all()
    assert (window[:, :3] == OUTSIDE).all()
    assert window[3].tolist() == [9, 9, 9, 1, 0, 0, 5]
    assert window[4].tolist() == [9, 9, 9, 0, 6, 0, 0]


def test_a_seat_that_is_not_asked_is_told_nothing() -> None:
    game = botyard.new("hive", seed=3)
    assert not game.view(1).window.any()
    assert game.asked == (0,)


def test_the_last_flower_ends_the_game_at_once_5() -> None:
    game = hive("""
        turn 0, score 3-3, last point -1
        A*. . .
        @ . . &
        . . . a
    """)
    game.play("forage S")
    assert game.over
    assert game.outcome is not None
    assert game.outcome.winner == 0
    assert game.asked == ()
    before = game.bytes()
    game.step_orders({0: 0, 1: 0})
    assert game.bytes() == before


@pytest.mark.parametrize("latched", [True, False])
def test_a_stall_closes_at_the_end_of_the_round(latched: bool) -> None:
    drawing = "turn 24, score 1-0, last point 5\nA B C *\n@ . . &\n. c b a*"
    game = hive(drawing, stall_turns=20, stall_latched=latched, carry_fail_sides=0)
    ended = []
    while not game.over:
        ended.append(int(game.state.turn))
        game.step("guard N" if game.asked == (0,) else "guard S")
    assert ended[-1] == 29  # last point 5 + 20 = 25, the round of six turns ends with 29
    assert game.state.closing == latched
    assert game.outcome is not None
    assert game.outcome.winner == 0


def test_a_point_exactly_at_the_limit_prevents_the_stall_10_7() -> None:
    for latched in (True, False):
        game = hive(
            "turn 30, score 1-0, last point 10\n. . . *\n@ . A*&\n. . . a", stall_turns=20, stall_latched=latched
        )
        game.play("forage E", "guard W")
        assert not game.over
        assert game.state.last_point_turn == 30


@pytest.mark.parametrize(("latched", "last_turn"), [(True, 1029), (False, 2029)])
def test_a_point_in_the_closing_phase_example_4(latched: bool, last_turn: int) -> None:
    """The document plays the round to its end; for the program the clock starts again."""
    drawing = """
        turn 1020, score 1-0, last point 25
        A B C D*&
        . . . . .
        @ a b c d
        . . e . *
        . . . . E
    """
    game = hive(drawing, stall_latched=latched)
    while not game.over:
        turn = int(game.state.turn)
        game.step("forage E" if turn == 1026 else "build N")
    assert turn == last_turn
    assert game.scores == (1, 1)
    assert game.state.last_point_turn == 1026
    assert game.outcome is not None
    assert game.outcome.draw


def test_without_any_point_the_game_ends_after_a_thousand_turns() -> None:
    game = botyard.new("hive", seed=2)
    while not game.over:
        game.step("guard N")
    assert game.state.turn == 1000
    assert game.outcome is not None
    assert game.outcome.draw


@pytest.mark.parametrize("turns", [1, 7])
def test_the_safety_stop_does_not_wait_for_the_round_10_3(turns: int) -> None:
    game = botyard.new("hive", seed=2, max_turns=turns)
    while not game.over:
        game.step("guard N")
    assert game.state.turn == turns


@pytest.mark.parametrize("order", [NO_ORDER, 32, -2, 2**31 - 1, -(2**31)])
def test_an_order_that_does_not_exist_forfeits_whatever_the_score(order: int) -> None:
    game = hive("turn 8, score 9-0, last point 3\nA . . *\n@ . . &\n. . . a")
    board_before = game.board()
    game.step_orders({0: order})
    assert game.over
    assert game.outcome is not None
    assert game.outcome.groups == ((1,), (0,))
    assert game.scores == (9, 0)
    assert game.board() == board_before
    assert game.state.turn == 8
    assert game.state.forfeited == 0
    game.book.layout.validate(game.arena, game.state)


@pytest.mark.parametrize("seat", [0, 1])
def test_whoever_forfeits_the_other_wins(seat: int) -> None:
    game = hive("turn 8, score 2-2, last point 3\nA . . *\n@ . . &\n. . . a")
    game.change("forfeit", seat)
    assert game.outcome is not None
    assert game.outcome.groups == ((1 - seat,), (seat,))


def test_a_forfeit_after_the_end_changes_nothing() -> None:
    game = hive("A*. . .\n@ . . &\n. . . a").play("forage S")
    before = game.bytes()
    game.change("forfeit", 0)
    assert game.bytes() == before


def test_set_up_follows_the_specification() -> None:
    game = botyard.new("hive", seed=11)
    cells = game.state.cells[3:28, 3:33]
    assert cells[12, 1] == 7
    assert cells[12, 28] == 8
    assert (cells[10:15, 2] == 1).all()
    assert (cells[10:15, 27] == 2).all()
    assert 30 <= (cells == FLOWER).sum() <= 40
    assert (cells == EMPTY).sum() == 750 - 12 - game.state.flowers


def test_the_original_generator_gives_the_original_board() -> None:
    """The test vector of section 2: seed 1000 gives 35 flowers, the first two at (0, 29) and (4, 4), and no swap."""
    game = botyard.new("hive", seed=1000, preset="program")
    cells = game.state.cells[3:28, 3:33]
    assert game.state.flowers == 35
    assert cells[0, 29] == cells[4, 4] == FLOWER
    assert game.state.chance.counter == 78
    assert game.state.swapped == 0
    assert [game.entrant(seat) for seat in range(2)] == [0, 1]


def test_the_seat_draw_swaps_the_bots() -> None:
    swapped = {botyard.new("hive", seed=seed).entrant(0) for seed in range(20)}
    assert swapped == {0, 1}
    assert {botyard.new("hive", seed=seed, random_seats=False).entrant(0) for seed in range(20)} == {0}


def test_orders_lists_what_can_do_something() -> None:
    game = hive("A # . *\n@ . . &\n. . . a")
    assert game.orders() == ["move SE", "build SE", "guard E"]
    carrying = hive("A*# . *\n@ . . &\n. . . a")
    assert carrying.orders() == ["move SE", "forage SE", "forage S", "build SE", "guard E"]
    assert "guard E" in hive(beside("A", "a*")).orders()
    stuck = hive("A @ . *\na & . .\n. . . .")
    assert stuck.orders() == list(stuck.book.facts.orders)
    assert game.orders(1) == []
    assert set(mask_of(game, 0)) == {0, 1}
    assert set(mask_of(stuck, 0)) == {1}


def test_places_count_from_zero_and_a_draw_shares_the_first() -> None:
    for score, places in (("2-1", [0, 1]), ("1-2", [1, 0]), ("2-2", [0, 0])):
        game = hive(f"turn 9, score {score}, last point 3\nA . . *\n@ . . &\n. . . a", max_turns=10).play("build E")
        assert places_of(game) == places
