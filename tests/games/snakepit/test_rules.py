"""The rules of Snakepit, one per test: moving, eating, meeting. Section numbers are those of the specification."""

from __future__ import annotations

import pytest

import botyard
from botyard.games.snakepit.layout import PELLET
from botyard.games.snakepit.rules import opening
from botyard.kernel.chance import LOWEST
from botyard.kernel.facts import NO_ORDER
from tests.games.snakepit.table import DrawnPit, snakepit, spaced

# Moving (3.2, 3.3)


@pytest.mark.parametrize(
    ("order", "after"),
    [
        ("r", ". . . . .\n. . a A .\n. . . . ."),
        ("u", ". . A . .\n. . a . .\n. . . . ."),
        ("d", ". . . . .\n. . a . .\n. . A . ."),
    ],
)
def test_the_head_enters_a_cell_and_the_tail_leaves_one(order: str, after: str) -> None:
    game = snakepit(". . . . .\n. a A . .\n. . . . .")
    assert game.play(A=order).board() == after
    assert game.state.tick == 1


def test_without_an_answer_a_snake_keeps_its_direction() -> None:
    game = snakepit(". . . . .\n. a A . .\n. . . . .").play(A="d")
    assert game.play(A=NO_ORDER).state.over
    assert game.snake("A")["facing"] == 3


def test_without_any_answer_a_snake_goes_right() -> None:
    game = snakepit(". . . . .\n. A . . .\n. a . . .")
    assert game.play().board() == ". . . . .\n. a A . .\n. . . . ."


@pytest.mark.parametrize("order", [4, 17, -2, 2**31 - 1, -(2**31)])
def test_an_unknown_answer_is_a_deadly_step_on_the_spot(order: int) -> None:
    game = snakepit(". . . . .\n. a A . .\n. . . . .").play(A=order)
    assert game.over
    assert game.scores == (1,)


def test_an_unknown_answer_can_be_ignored() -> None:
    game = snakepit(". . . . .\n. a A . .\n. . . . .", unknown_answer="ignore").play(A=4)
    assert game.board() == ". . . . .\n. . a A .\n. . . . ."


def test_turning_back_is_deadly() -> None:
    assert snakepit(". . . . .\n. a A . .").play(A="l").over


def test_a_snake_of_one_cell_may_turn_back() -> None:
    game = snakepit(". . A . .").play(A="r")
    assert game.board() == ". . . A ."
    assert game.play(A="l").board() == ". . A . ."


def test_the_first_step_down_is_into_the_own_body() -> None:
    game = botyard.new("snakepit", seed=1, snakes=1)
    game.step("d")
    assert game.over


@pytest.mark.parametrize(("order", "drawing"), [
    ("r", ". a A\n. . ."), ("l", "A a .\n. . ."), ("u", ". A .\n. a ."), ("d", ". a .\n. A ."),
])  # fmt: skip
def test_walls_are_deadly(order: str, drawing: str) -> None:
    game = snakepit(drawing).play(A=order)
    assert game.over
    assert game.board() == ". . .\n. . ."
    assert game.state.died[0] == 1


def test_the_own_leaving_tail_is_deadly() -> None:
    for resolution in ("simultaneous", "sequential_by_id"):
        game = snakepit(". . . .\n. A a .\n. a a .", tick_resolution=resolution)
        assert game.play(A="d").over


# Eating (3.3, example 9.1)


def test_eating_grows_by_three_cells_from_that_tick_on_example_1() -> None:
    game = snakepit("""
        ..........
        ..A*......
        ..a.......
        ..a.......
        ..........
        ..........
    """)
    game.play(A="r", pellet=(9, 5))
    assert game.board() == spaced("""
        ..........
        ..aA......
        ..a.......
        ..a.......
        ........*.
        ..........
    """)
    seen = [(int(game.snake("A")["growing"]), int(game.snake("A")["length"]))]
    for _ in range(3):
        game.play(A="r")
        seen.append((int(game.snake("A")["growing"]), int(game.snake("A")["length"])))
    assert seen == [(2, 4), (1, 5), (0, 6), (0, 6)]
    assert game.board() == spaced("""
        ..........
        ..aaaaA...
        ..a.......
        ..........
        ........*.
        ..........
    """)
    assert game.snake("A")["pellets"] == 1


def test_eating_while_growing_adds_up() -> None:
    game = snakepit("A*........\na.........")
    game.play(A="r", pellet=(3, 1)).play(A="r", pellet=(10, 2))
    assert game.snake("A")["growing"] == 4


def test_pellets_may_be_worth_no_growth() -> None:
    game = snakepit("a A * . .\n. . . . .", growth=0).play(A="r", pellet=(1, 1))
    assert game.board() == "* a A . .\n. . . . ."


def test_the_new_pellet_falls_on_the_board_after_the_tick() -> None:
    game = snakepit("a A * . .\n. . . . .", growth=0)
    game.feed([(5, 2), (2, 0), (5, 1), (2, 0), (5, 0), (2, 0)])  # the head, the body, the cell just left
    game.step_orders({0: 0})
    assert game.draws_fit
    assert game.state.fresh
    assert game.board() == "* a A . .\n. . . . ."


def test_a_pellet_may_fall_where_a_snake_has_just_died() -> None:
    game = snakepit(". a A * B b .\n. . . . . . .\n. C c . . . .", growth=0)
    game.play(A="r", B="l", C="u", pellet=(2, 1))
    assert game.board() == ". * . . . . .\n. C . . . . .\n. c . . . . ."


@pytest.mark.usefixtures("_impatient")
def test_a_full_board_has_no_pellet() -> None:
    game = snakepit("A *\na a")
    game.step_orders({0: 0})
    assert game.board() == "a A\na a"
    assert (game.state.pellet_x, game.state.pellet_y) == (0, 0)
    assert (game.state.eaten, game.state.fresh) == (1, 0)
    assert not (game.state.cells == PELLET).any()
    assert not game.fault


def test_a_missing_pellet_is_put_down_when_there_is_room_and_counts_for_hunger_until_then() -> None:
    game = snakepit("""
        tick 5, hunger 3
        A facing r, pellets 1, growing 0, body 2,1 l
        a A . .
        . . . .
    """)
    game.play(A="r", pellet=(4, 2))
    assert game.board() == ". a A .\n. . . *"
    assert (game.state.fresh, game.state.eaten, game.state.hunger) == (1, 0, 4)


@pytest.mark.usefixtures("_impatient")
def test_a_crowded_board_still_gets_its_pellet() -> None:
    game = snakepit("A * .\na a a", growth=5)
    game.state.chance.kind = LOWEST  # draws the taken cell (1, 1) for ever
    game.step_orders({0: 0})
    assert game.board() == "a A *\na a a"
    assert game.state.chance.counter == 2 * opening.TRIES + 1


@pytest.mark.usefixtures("_impatient")
@pytest.mark.parametrize(
    ("before", "after", "width", "height"),
    [
        ("A * .\na a .", "a A .\na a .", 2, 3),
        ("A *\na a\n. .", "a A\na a\n. .", 3, 2),
    ],
)
def test_where_the_axes_are_swapped_no_pellet_comes_beyond_the_square_2_1(
    before: str, after: str, width: int, height: int
) -> None:
    game = snakepit(before, growth=5, swap_board_axes=True, snakes=1, initial_len=0)
    assert (game.arena.width, game.arena.height) == (width, height)
    game.state.chance.kind = LOWEST
    game.step_orders({0: 0})
    assert game.board() == after


# Several snakes (3.3)


def test_two_heads_on_one_cell_both_die() -> None:
    game = snakepit(". a A . B b .\n. . . . . . .\nC c . . . D d").play(A="r", B="l", C="u", D="u")
    assert game.board() == ". . . . . . .\nC . . . . D .\nc . . . . d ."


def test_three_heads_on_one_cell_all_die() -> None:
    game = snakepit(". . c . . .\n. . C . . .\na A . B b .\n. . . . . .\nD d . . . E\n. . . . . e")
    game.play(A="r", B="l", C="d", D="u", E="u")
    assert [game.lives(letter) for letter in "ABCDE"] == [False, False, False, True, True]


def test_two_heads_on_the_pellet_waste_it_example_2() -> None:
    game = snakepit("""
        tick 40, hunger 7, pellet 5,3
        A facing r, pellets 2, growing 0, body 4,3 ll
        B facing l, pellets 2, growing 0, body 6,3 rr
        C facing l, pellets 0, growing 0, body 2,5 rr
        . . . . . . . . . .
        . . . . . . . . . .
        . a a A * B b b . .
        . . . . . . . . . .
        . C c c . . . . . .
        . . . . . . . . . .
    """)
    program = DrawnPit.drawn("snakepit", str(game), game.settings)
    game.play(A="r", B="l", C="u", pellet=(9, 5))
    assert game.board() == spaced("""
        ..........
        ..........
        ..........
        .C........
        .cc.....*.
        ..........
    """)
    assert game.over
    assert game.scores == (141, 141, 1041)
    program.arena.survivor_takes_bonus = 0
    assert program.play(A="r", B="l", C="u", pellet=(9, 5)).scores == (0, 0, 0)
    assert program.state.wash


def test_the_program_gives_the_bonus_to_a_dead_snake_example_2() -> None:
    drawing = """
        tick 40, hunger 7, pellet 5,3
        A facing r, pellets 3, growing 0, body 4,3 ll
        B facing l, pellets 2, growing 0, body 6,3 rr
        C facing l, pellets 0, growing 0, body 2,5 rr
        . . . . . . . . . .
        . . . . . . . . . .
        . a a A * B b b . .
        . . . . . . . . . .
        . C c c . . . . . .
        . . . . . . . . . .
    """
    ours, program = snakepit(drawing), snakepit(drawing, survivor_takes_bonus=False)
    assert ours.play(A="r", B="l", C="u", pellet=(9, 5)).scores == (191, 141, 1041)
    assert program.play(A="r", B="l", C="u", pellet=(9, 5)).scores == (1191, 141, 41)
    assert program.outcome is not None
    assert program.outcome.winner == 0


TAILS = """
    ..........
    ..........
    .bbBaaA...
    ..........
    .......Cc.
    .......cc*
"""


def test_anothers_leaving_tail_is_deadly_example_3() -> None:
    game = snakepit(TAILS).play(A="r", B="r", C="r")
    assert game.board() == spaced("""
        ..........
        ..........
        .....aaA..
        ..........
        ..........
        .........*
    """)
    assert game.scores == (1001, 1, 1)


def test_one_by_one_a_tail_may_have_left_before_example_3() -> None:
    game = snakepit(TAILS, tick_resolution="sequential_by_id").play(A="r", B="r", C="r")
    assert game.board() == spaced("""
        ..........
        ..........
        ..bbBaaA..
        ..........
        ..........
        .........*
    """)
    assert not game.over


def test_one_by_one_the_lower_id_still_meets_the_tail() -> None:
    game = snakepit(". a A b B . . .\n. . . . . . . .\nC c . . . . . .", tick_resolution="sequential_by_id")
    game.play(A="r", B="r", C="u")
    assert not game.lives("A")
    assert game.lives("B")


def test_a_growing_tail_stays_deadly_one_by_one() -> None:
    game = snakepit(
        """
        tick 3, hunger 0
        A facing r, pellets 1, growing 2, body 3,1 l
        B facing u, pellets 0, growing 0, body 2,2 d
        C facing r, pellets 0, growing 0, body 5,3 r
        . a A . . .
        . B . . . .
        . b . . C c
        """,
        tick_resolution="sequential_by_id",
    )
    game.play(A="r", B="u", C="u", pellet=(1, 3))
    assert not game.lives("B")


def test_swapping_heads_kills_both_example_4() -> None:
    drawing = """
        tick 99, hunger 7, pellet 10,6
        A facing r, pellets 4, growing 0, body 4,3 ll
        B facing l, pellets 3, growing 0, body 5,3 rr
        . . . . . . . . . .
        . . . . . . . . . .
        . a a A B b b . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . *
    """
    ours = snakepit(drawing).play(A="r", B="l")
    assert ours.scores == (1300, 250)
    assert ours.state.living == 0
    in_turn = snakepit(drawing, tick_resolution="sequential_by_id").play(A="r", B="l")
    assert in_turn.scores == (300, 1250)
    assert in_turn.board().splitlines()[2] == ". . . B b b . . . ."
    kept = snakepit(drawing, tick_resolution="sequential_by_id", preserve_dead=True).play(A="r", B="l")
    assert kept.scores == (1300, 250)
    assert kept.board().splitlines()[2] == ". a a A B b b . . ."


def test_a_ring_of_four_heads_dies() -> None:
    game = snakepit("""
        . a . . .
        . A B b .
        d D C . .
        . . c . .
        E e . . F
        . . . . f
    """)
    game.play(A="r", B="d", C="l", D="u", E="u", F="u")
    assert [game.lives(letter) for letter in "ABCDEF"] == [False] * 4 + [True] * 2


def test_the_body_of_a_snake_that_dies_now_is_deadly() -> None:
    game = snakepit(". a A\n. . B\n. . b\n. . .\nC c .").play(A="u", B="u", C="u")
    assert not game.lives("A")
    assert not game.lives("B")


def test_one_by_one_a_body_is_gone_as_soon_as_its_snake_died() -> None:
    game = snakepit(". a A\n. . B\n. . b\n. . .\nC c .", tick_resolution="sequential_by_id")
    game.play(A="u", B="u", C="u")
    assert not game.lives("A")
    assert game.lives("B")


def test_one_by_one_the_bodies_of_those_who_collide_stay_to_the_end_of_the_tick() -> None:
    game = snakepit(". a A . B b .\n. C . . . . .\n. c . . . . .\n. D d . . . .", tick_resolution="sequential_by_id")
    game.play(A="r", B="l", C="u", D="l")
    assert [game.lives(letter) for letter in "ABCD"] == [False, False, False, True]


def test_a_wreck_stays_an_obstacle() -> None:
    game = snakepit(". . a A\n. B b .\n. . . .\nC c . .\n. . . .", preserve_dead=True).play(A="r", B="l", C="d")
    assert game.board() == ". . a A\nB b . .\n. . . .\nc . . .\nC . . ."
    game.play(B="u", C="r").play(B="r", C="r").play(B="r", C="r")
    assert game.over
    assert not game.lives("B")


def test_a_pellet_is_new_for_one_tick_only() -> None:
    game = snakepit("a A * . .\n. . . . .").play(A="r", pellet=(5, 2))
    assert game.state.fresh
    assert not game.play(A="r").state.fresh
