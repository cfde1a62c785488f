"""What is said about a game of Snakepit: views, orders, who is asked; and clearing it away."""

from __future__ import annotations

import numpy as np

import botyard
from botyard.games.snakepit.layout import SNAKE
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
