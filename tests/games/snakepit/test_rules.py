"""The rules of Snakepit, one per test. Section numbers are those of the specification."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import botyard
from botyard.games.game import Game
from botyard.games.snakepit.bodies import read_body
from botyard.games.snakepit.layout import EMPTY, PELLET, SNAKE
from botyard.games.snakepit.rules.opening import TRIES
from botyard.kernel.chance import HIGHEST, LOWEST, TAPE
from botyard.kernel.facts import NO_ORDER
from botyard.kernel.rule import INTERPRETED
from tests.games.snakepit.table import Drawn, board, snakepit

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
    assert game.board() == board("""
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
    assert game.board() == board("""
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


def test_a_full_board_has_no_pellet() -> None:
    game = snakepit("A *\na a")
    game.step_orders({0: 0})
    assert game.board() == "a A\na a"
    assert (game.state.pellet_x, game.state.eaten, game.state.fresh) == (0, 1, 0)
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


def test_a_crowded_board_still_gets_its_pellet() -> None:
    game = snakepit("A * .\na a a", growth=5)
    game.state.chance.kind = LOWEST  # draws the taken cell (1, 1) for ever
    game.step_orders({0: 0})
    assert game.board() == "a A *\na a a"
    assert game.state.chance.counter == 2 * TRIES + 1


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
    program = Drawn.drawn("snakepit", str(game), game.settings)
    game.play(A="r", B="l", C="u", pellet=(9, 5))
    assert game.board() == board("""
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
    assert game.board() == board("""
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
    assert game.board() == board("""
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


# Ghosts (2.3, 10.1, 10.2)


def test_a_moving_tail_wipes_whoever_lies_there_too() -> None:
    game = overlapping()
    game.play(A="r", B="r", C="r")
    # B's tail has left (2, 4), where A's body still lies: a ghost that can be entered.
    assert game.state.cells[3, 1] == EMPTY
    assert (2, 4) in read_body(game.state, 0, int(game.arena.slots))
    game.play(A="r", B="r", C="u")
    assert str(Drawn.drawn("snakepit", str(game), game.settings)) == str(game)


def overlapping() -> Drawn:
    """A from (2, 2) down to (2, 5), B from (2, 3) down to (2, 4), C out of the way."""
    return snakepit(
        """
        tick 0, hunger 0, pellet 6,1
        A facing r, pellets 0, growing 0, body 2,2 ddd
        B facing r, pellets 0, growing 0, body 2,3 d
        C facing r, pellets 0, growing 0, body 4,6 r
        . . . . . *
        . A . . . .
        . B . . . .
        . a . . . .
        . a . . . .
        . . . C c .
        """,
        clean_start=False,
    )


def test_a_pellet_on_a_ghost_is_lost_when_a_tail_leaves_the_cell() -> None:
    game = snakepit(
        """
        tick 9, hunger 0, pellet 1,2
        A facing r, pellets 0, growing 0, left 1,3, body 2,2 l
        B facing r, pellets 0, growing 0, body 5,1 r
        . . . . B b
        * A . . . .
        """,
        clean_start=False,
    )
    game.play(A="r", B="l")
    assert game.state.cells[1, 0] == EMPTY
    assert (game.state.pellet_x, game.state.pellet_y) == (1, 2)  # as announced


def test_a_covered_pellet_is_neither_eaten_nor_replaced() -> None:
    game = snakepit(
        """
        tick 0, hunger 0, pellet 2,2
        A facing r, pellets 0, growing 0, body 2,1 d
        B facing r, pellets 0, growing 0, body 5,1 r
        . A . . B b
        . a . . . .
        """,
        clean_start=False,
    )
    game.play(A="r", B="d").play(A="d", B="l").play(A="l", B="l")
    assert game.snake("A")["pellets"] == 0
    assert (game.state.pellet_x, game.state.pellet_y) == (2, 2)


def test_a_head_on_a_ghost_that_steps_on_the_spot_voids_the_game() -> None:
    game = snakepit(
        """
        tick 9, hunger 0, pellet 1,1
        A facing r, pellets 0, growing 0, body 3,1 r
        B facing r, pellets 0, growing 0, body 5,1 r
        * . . a B b
        . . . . . .
        """,
        clean_start=False,
    )
    game.play(A=4, B="d")
    assert game.fault
    assert game.over


def test_a_snake_longer_than_its_ring_voids_the_game() -> None:
    game = snakepit("a A . .\n. . . .", growth=3)
    game.arena.slots = 2
    game.snake("A")["growing"] = 1
    game.step_orders({0: 0})
    assert game.fault


# Hunger and the end (3.1, 3.6, 4.2)


def test_a_game_ends_when_one_of_several_is_left() -> None:
    game = snakepit("a A . .\n. . . .\n. . . B\n. . . b").play(A="u", B="u")
    assert game.over
    assert game.scores == (1, 1001)
    assert game.outcome is not None
    assert game.outcome.winner == 1


def test_hunger_ends_a_game_as_a_wash() -> None:
    game = snakepit("a A . .\n. . . .\n. . . .\n. . b B", tick_timeout=2)
    assert [game.play(A="r", B="u").over, game.play(A="d", B="u").over] == [False, True]
    assert game.state.starved
    assert game.scores == (0, 0)
    assert game.outcome is not None
    assert game.outcome.draw


def test_deaths_are_tested_before_hunger() -> None:
    game = snakepit("a A . .\n. . . .\n. . . .\n. . b B", tick_timeout=1).play(A="u", B="u")
    assert not game.state.starved
    assert game.scores == (1, 1001)


def test_a_pellet_begins_the_hunger_anew_or_only_stops_it() -> None:
    drawing = "tick 3, hunger 3, pellet 3,1\nA facing r, pellets 0, growing 0, body 2,1 l\na A * .\n. . . ."
    assert snakepit(drawing).play(A="r", pellet=(1, 2)).state.hunger == 0
    assert snakepit(drawing, tick_timeout_resets=False).play(A="r", pellet=(1, 2)).state.hunger == 3


@pytest.mark.parametrize(("solo_starved", "points"), [("zero", 0), ("score", 51), ("replay", 0)])
def test_a_starved_solo_game(solo_starved: str, points: int) -> None:
    drawing = "tick 0, hunger 0, pellet 1,2\nA facing r, pellets 1, growing 0, body 2,1 l\na A . .\n* . . ."
    game = snakepit(drawing, tick_timeout=1, solo_starved=solo_starved).play(A="r")
    assert game.over
    assert game.scores == (points,)


def test_a_solo_game_has_no_last_man() -> None:
    game = snakepit("a A . .\n. . . .").play(A="u")
    assert game.scores == (1,)
    assert game.state.last_man == -1


LAST_TWO = """
    tick 9, hunger 9, pellet 1,1
    A facing r, pellets {}, growing 0, body 3,1 l
    B facing l, pellets {}, growing 0, body 5,1 r
    * a A . B b
    . . . . . .
"""


def test_when_all_are_dead_the_one_who_ate_most_takes_the_bonus() -> None:
    assert snakepit(LAST_TWO.format(1, 2)).play(A="r", B="l").scores == (60, 1110)
    assert snakepit(LAST_TWO.format(3, 2)).play(A="r", B="l").scores == (1160, 110)


def test_when_all_are_dead_and_ate_as_much_nobody_gets_a_point() -> None:
    game = snakepit(LAST_TWO.format(2, 2)).play(A="r", B="l")
    assert game.state.wash
    assert game.scores == (0, 0)
    assert game.outcome is not None
    assert game.outcome.draw


def test_dying_together_can_always_be_a_wash() -> None:
    assert snakepit(LAST_TWO.format(3, 2), simultaneous_death="wash").play(A="r", B="l").state.wash


# Winners (4.3)

EARLY_DEAD = """
    tick 9, hunger 0, pellet 1,1
    A died 5, facing r, pellets {}, growing 0, length 90
    B facing r, pellets 0, growing 0, body 4,1 l
    C facing r, pellets 0, growing 0, body 4,2 l
    * . b B .
    . . c C .
"""


def test_the_winner_has_the_most_points_even_if_it_died_early() -> None:
    game = snakepit(EARLY_DEAD.format(30)).play(B="r", C="u")
    assert game.scores == (1505, 1010, 10)
    assert game.outcome is not None
    assert game.outcome.groups == ((0,), (1,), (2,))


def test_the_winner_may_be_the_last_man() -> None:
    game = snakepit(EARLY_DEAD.format(30), game_winner="last_man").play(B="r", C="u")
    assert game.outcome is not None
    assert game.outcome.groups == ((1,), (0,), (2,))


def test_of_equal_points_the_lower_id_wins() -> None:
    game = snakepit(EARLY_DEAD.format(20), last_man_standing=995).play(B="r", C="u")
    assert game.scores == (1005, 1005, 10)
    assert game.outcome is not None
    assert game.outcome.groups == ((0,), (1,), (2,))


def test_a_solo_game_is_won_by_its_snake() -> None:
    game = snakepit("a A . .\n. . . .", game_winner="last_man").play(A="u")
    assert game.outcome is not None
    assert game.outcome.groups == ((0,),)


# The start (2.3)


def laid_out(draws: list[tuple[int, int]], **settings: Any) -> Game:
    """A game whose set-up makes just these draws."""
    game = botyard.new("snakepit", seed=1, **settings)
    game.arena.chance_kind = TAPE
    game.feed(draws)
    game.begin()
    assert game.draws_fit, f"{game.state.chance.counter} draws made, {len(draws)} expected"
    return game


def cells(width: int, height: int, *places: tuple[int, int]) -> list[tuple[int, int]]:
    return [draw for x, y in places for draw in ((width, x - 1), (height, y - 1))]


def test_the_pellet_is_drawn_first_then_the_heads_by_id() -> None:
    game = laid_out(cells(6, 8, (2, 1), (4, 2), (6, 1)), snakes=2, width=6, height=8)
    assert (
        str(game).splitlines()[3:]
        == board("""
        . * . . . B
        . . . A . b
        . . . a . b
        . . . a . b
        . . . a . b
        . . . a . b
        . . . a . .
        . . . . . .
    """).splitlines()
    )


def test_a_place_that_does_not_fit_costs_both_its_draws() -> None:
    drawn = cells(6, 8, (2, 1), (4, 4), (2, 1), (4, 3), (4, 1), (5, 2))  # hangs out, on the pellet; then B onto A
    game = laid_out(drawn, snakes=2, width=6, height=8)
    assert (game.state.snakes[0]["head_x"], game.state.snakes[0]["head_y"]) == (4, 3)
    assert (game.state.snakes[1]["head_x"], game.state.snakes[1]["head_y"]) == (5, 2)


def test_the_program_checks_heads_only() -> None:
    drawn = cells(6, 8, (4, 5), (4, 3), (3, 7), (4, 3), (4, 2))  # the third head only fits at the second try
    state = laid_out(drawn, snakes=3, width=6, height=8, clean_start=False).state
    assert state.cells[4, 3] == SNAKE  # the pellet is covered
    assert (state.cells == PELLET).sum() == 0
    bodies = [read_body(state, seat, 4096) for seat in range(3)]
    assert bodies[1][-1] == (3, 12)  # hangs out of the board
    assert len(set(bodies[0]) & set(bodies[2])) == 5  # lies on the first one


def test_the_first_pellet_may_lie_in_the_centre() -> None:
    game = laid_out(cells(7, 9, (1, 1)), snakes=1, width=7, height=9, rand_start_pellet=False)
    assert (game.state.pellet_x, game.state.pellet_y) == (3, 4)
    tiny = laid_out(cells(1, 3, (1, 2)), snakes=1, width=1, height=3, initial_len=0, rand_start_pellet=False)
    assert (tiny.state.pellet_x, tiny.state.pellet_y) == (1, 1)


def test_swapped_axes_kill_beyond_the_other_side() -> None:
    game = laid_out(
        cells(30, 12, (14, 2), (3, 2), (12, 12)), snakes=1, width=30, height=12, swap_board_axes=True, initial_len=1
    )
    assert (game.state.pellet_x, game.state.pellet_y) == (3, 2)  # (14, 2) is not on the real board
    game.step("r")
    assert game.over
    lower = laid_out(cells(30, 12, (1, 1), (2, 12)), snakes=1, width=30, height=12, swap_board_axes=True, initial_len=5)
    assert read_body(lower.state, 0, int(lower.arena.slots))[-1] == (2, 17)


def test_a_centre_off_the_real_board_is_replaced() -> None:
    game = laid_out(
        cells(30, 12, (5, 5), (1, 1)), snakes=1, width=30, height=12, swap_board_axes=True, rand_start_pellet=False
    )
    assert (game.state.pellet_x, game.state.pellet_y) == (5, 5)


def test_initial_len_may_count_the_head() -> None:
    game = botyard.new("snakepit", seed=1, initial_len_counts_head=True)
    assert game.state.snakes[0]["length"] == 5
    assert botyard.new("snakepit", seed=1).state.snakes[0]["length"] == 6


def test_after_many_misses_all_places_are_counted() -> None:
    game = botyard.new("snakepit", seed=1, snakes=1, width=3, height=7)
    game.arena.chance_kind = LOWEST  # the pellet at (1, 1), and every head too: the first place that fits is taken
    game.begin()
    assert (game.state.snakes[0]["head_x"], game.state.snakes[0]["head_y"]) == (2, 1)
    game.arena.chance_kind = HIGHEST  # the pellet at (3, 7), and the last place that fits
    game.begin()
    assert (game.state.snakes[0]["head_x"], game.state.snakes[0]["head_y"]) == (2, 2)
    assert not game.fault


@pytest.fixture
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Interpreted rules are too slow for a million tries; compiled ones have their numbers built in."""
    if INTERPRETED:
        monkeypatch.setattr("botyard.games.snakepit.rules.opening.TRIES", 60)


@pytest.mark.usefixtures("_impatient")
def test_a_set_up_without_a_place_starts_over() -> None:
    seen = set()
    for seed in range(10):  # a pellet in the middle leaves no room: it is moved
        game = botyard.new("snakepit", seed=seed, snakes=1, width=1, height=3, initial_len=1)
        seen.add(int(game.state.pellet_y))
        assert not game.fault
    assert seen == {1, 3}


@pytest.mark.usefixtures("_impatient")
def test_a_board_that_is_too_small_is_a_fault() -> None:
    game = botyard.new("snakepit", seed=1, snakes=1, width=1, height=3, initial_len=1)
    game.arena.body_cells = 3
    game.begin()
    assert game.fault
    assert game.over
    assert not game.state.cells.any()


def test_a_tape_that_runs_out_is_a_fault() -> None:
    game = botyard.new("snakepit", seed=1, snakes=2, width=6, height=8)
    game.arena.chance_kind = TAPE
    game.feed(cells(6, 8, (2, 1), (2, 1)))
    game.begin()
    assert game.fault


# What is said about a game


def test_a_view_holds_what_a_bot_is_told() -> None:
    game = snakepit("a A * . . .\n. . . . . .\n. . . B b b\n. C c . . .")
    view = game.play(A="r", B="u", C="u", pellet=(6, 1)).view(2)
    assert (view.tick, view.seat, view.pellet_x, view.pellet_y, view.fresh) == (1, 2, 6, 1, 1)
    assert view.alive.tolist()[:4] == [1, 1, 1, 0]
    assert view.heads.tolist()[:4] == [[3, 1], [4, 2], [2, 3], [0, 0]]
    assert view.tails.tolist()[:4] == [[-1, -1], [6, 3], [3, 4], [0, 0]]


def test_the_dead_are_not_asked_and_not_seen() -> None:
    game = snakepit("a A . . .\n. . . . .\n. . B b .\n. . C c .\n. . . . .", preserve_dead=True)
    game.play(A="u", B="l", C="d")
    assert game.asked == (1, 2)
    assert game.view(1).heads.tolist()[0] == [0, 0]
    assert game.view(1).alive.tolist()[:3] == [0, 1, 1]


def test_directions_that_are_deadly_at_once_are_not_offered() -> None:
    game = snakepit("a A . .\n. b B .\n. . . .")
    assert game.orders(0) == ["r"]
    assert game.orders(1) == ["r", "u", "d"]


def test_where_every_direction_is_deadly_all_are_offered() -> None:
    assert snakepit("A a\nb B").orders(0) == ["r", "l", "u", "d"]


def test_random_orders_avoid_death_where_they_can() -> None:
    from botyard.games.snakepit.rules import stray
    from botyard.kernel.rule import opened

    game = snakepit("a A . .\n. b B .\n. . . .")
    arenas, states = (opened(array) for array in game.arrays)
    assert {stray(arenas[0], states[0], 0, dice) for dice in range(8)} == {0}
    assert {stray(arenas[0], states[0], 1, dice) for dice in range(8)} == {0, 2, 3}
    stuck = [opened(array) for array in snakepit("A a\nb B").arrays]
    assert {stray(stuck[0][0], stuck[1][0], 0, dice) for dice in range(8)} == {0, 1, 2, 3}


def test_a_finished_game_stays_as_it_is() -> None:
    game = snakepit("a A . .\n. . . .").play(A="u")
    before = game.bytes()
    game.step_orders({0: 0})
    game.change("forfeit", 0)
    assert game.bytes() == before


def test_a_snake_that_nobody_steers_goes_straight_on() -> None:
    game = snakepit("A . . . .\n. . . . .\nB . . . .\n. . . . .\nC . . . .").play(A="d", B="r", C="r")
    game.change("forfeit", 0)
    assert game.asked == (1, 2)
    game.play(A="r", B="r", C="r")
    assert (game.snake("A")["head_x"], game.snake("A")["head_y"]) == (1, 3)


def test_there_is_no_game_without_all_bots() -> None:
    game = botyard.new("snakepit", seed=1)
    game.change("forfeit", 1)
    assert game.over
    assert game.scores == (0, 0, 0)
    assert game.outcome is not None
    assert game.outcome.draw


def test_a_bot_that_does_not_come_may_be_left_to_go_straight() -> None:
    game = botyard.new("snakepit", seed=1, on_connect_failure="straight")
    game.change("forfeit", 1)
    assert game.asked == (0, 2)


def test_bots_sit_in_the_order_they_came() -> None:
    game = botyard.new("snakepit", seed=1)
    assert [game.entrant(seat) for seat in range(3)] == [0, 1, 2]


def test_clearing_leaves_nothing_behind() -> None:
    for settings in ({}, {"preserve_dead": True}, {"clean_start": False}):
        batch = botyard.Batch("snakepit", {"snakes": 5, "width": 10, "height": 10, "initial_len": 3, **settings}, 4)
        batch.race(30)
        assert batch.host(batch.states["tick"]).any()
        clear_all(batch)
        blank = np.zeros(1, batch.states.dtype)
        blank["chance"] = batch.states["chance"][0]
        batch.states["chance"] = blank["chance"]
        assert all(state.tobytes() == blank.tobytes() for state in batch.states)


def test_clearing_a_faulty_game_scrubs_everything() -> None:
    batch = botyard.Batch("snakepit", {"snakes": 2, "width": 10, "height": 10}, 1)
    batch.states["ring"][0, 7, 1] = 5
    batch.states["cells"][0, 40, 40] = SNAKE
    batch.states["fault"] = 1
    clear_all(batch)
    assert not batch.states["ring"].any()
    assert not batch.states["cells"].any()


def clear_all(batch: botyard.Batch) -> None:
    from botyard.games.snakepit.rules import clear
    from botyard.kernel.rule import opened

    arenas, states = opened(batch.arenas), opened(batch.states)
    for at in range(batch.n):
        clear(arenas[0], states[at])
