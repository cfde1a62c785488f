"""How games of Snakepit start (specification 2)."""

from __future__ import annotations

from typing import Any

import pytest

import botyard
from botyard.games.game import Game
from botyard.games.snakepit.layout import PELLET, SNAKE
from botyard.games.snakepit.layout.bodies import read_body
from botyard.kernel.chance import HIGHEST, LOWEST, TAPE
from tests.games.snakepit.table import snakepit, spaced


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
        == spaced("""
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


@pytest.mark.usefixtures("_impatient")
def test_after_many_misses_all_places_are_counted() -> None:
    game = botyard.new("snakepit", seed=1, snakes=1, width=3, height=7)
    game.arena.chance_kind = LOWEST  # the pellet at (1, 1), and every head too: the first place that fits is taken
    game.begin()
    assert (game.state.snakes[0]["head_x"], game.state.snakes[0]["head_y"]) == (2, 1)
    game.arena.chance_kind = HIGHEST  # the pellet at (3, 7), and the last place that fits
    game.begin()
    assert (game.state.snakes[0]["head_x"], game.state.snakes[0]["head_y"]) == (2, 2)
    assert not game.fault


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
    assert (game.state.fault, game.state.over) == (1, 1)
    assert not game.state.cells.any()


def test_a_tape_that_runs_out_is_a_fault() -> None:
    game = botyard.new("snakepit", seed=1, snakes=2, width=6, height=8)
    game.arena.chance_kind = TAPE
    game.feed(cells(6, 8, (2, 1), (2, 1)))
    game.begin()
    assert game.fault
    eaten = snakepit("a A * . .\n. . . . .")
    eaten.feed([])
    eaten.step_orders({0: 0})
    assert eaten.fault
    assert (eaten.state.pellet_x, eaten.state.pellet_y) == (0, 0)
