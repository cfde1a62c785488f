"""What is said about a game of Snakepit: views, orders, who is asked; and clearing it away."""

from __future__ import annotations

import numpy as np

import botyard
from botyard.games import load
from botyard.games.snakepit.layout import SNAKE
from botyard.kernel.rule import opened
from tests.games.numbers import mask_of
from tests.games.snakepit.table import snakepit


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


def test_the_mask_of_orders_is_made_of_zeros_and_ones() -> None:
    assert mask_of(snakepit("a A . .\n. b B .\n. . . ."), 0) == [1, 0, 0, 0]
    assert mask_of(snakepit("A a\nb B"), 0) == [1, 1, 1, 1]


def test_a_view_has_no_board() -> None:
    assert load("snakepit").rules.board_shape(None, None) == (0, 0)


def test_random_orders_avoid_death_where_they_can() -> None:
    from botyard.games.snakepit.rules import stray

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
    game.change("forfeit", 1)
    assert 1 not in game.asked
    game.play(B="u", C="r")
    assert (game.snake("B")["head_x"], game.snake("B")["head_y"]) == (4, 3)


def test_there_is_no_game_without_all_bots() -> None:
    game = botyard.new("snakepit", seed=1)
    game.change("forfeit", 1)
    assert (game.state.over, game.state.wash) == (1, 1)
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
        assert blank(batch)


def test_clearing_forgets_how_a_game_ended() -> None:
    batch = botyard.Batch("snakepit", {"snakes": 2, "width": 10, "height": 10}, 1)
    for field in ("gone", "last_man", "over", "wash", "starved", "eaten", "fresh"):
        batch.states[field] = 1
    clear_all(batch)
    assert blank(batch)


def test_clearing_a_faulty_game_scrubs_everything() -> None:
    batch = botyard.Batch("snakepit", {"snakes": 2, "width": 10, "height": 10}, 1)
    batch.states["ring"][0, 7, 1] = 5
    batch.states["cells"][0, 40, 40] = SNAKE
    batch.states["fault"] = 1
    clear_all(batch)
    assert blank(batch)


def blank(batch: botyard.Batch) -> bool:
    """Whether nothing is left in any state but its chance."""
    states = batch.host(batch.states).copy()
    states["chance"] = np.zeros(1, states.dtype)["chance"]
    return not any(states.tobytes())


def clear_all(batch: botyard.Batch) -> None:
    from botyard.games.snakepit.rules import clear

    arenas, states = opened(batch.arenas), opened(batch.states)
    for at in range(batch.n):
        clear(arenas[0], states[at])
