"""Laws of Hive Arena: what holds in every game, whatever is ordered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import botyard
from botyard.games.game import Game
from botyard.games.hive.layout import BEE, CARRIER, EMPTY, FLOWER, HIVE, WALL

SIZE = {"rows": 5, "cols": 7, "bees_per_player": 3}
SMALL: dict[str, Any] = {**SIZE, "flowers_min": 4, "flowers_max": 10, "stall_turns": 80}
GAMES = st.builds(lambda seed: botyard.new("hive", seed=seed, **SMALL), st.integers(0, 2**64 - 1))
ORDERS = st.lists(st.integers(0, 31), min_size=1, max_size=120)


def each_turn(game: Game, orders: list[int], law: Callable[[Game, Game, int], None]) -> None:
    """Plays the orders and holds the law against the game before and after each."""
    for order in orders:
        if game.over:
            return
        before = game.copy()
        game.step(order)
        law(before, game, order)


def count(game: Game, *codes: int) -> int:
    return int(np.isin(game.state.cells, codes).sum())


@given(GAMES, ORDERS)
def test_flowers_are_never_made_and_every_point_takes_one(game: Game, orders: list[int]) -> None:
    def law(before: Game, after: Game, order: int) -> None:
        lost = before.state.flowers - after.state.flowers
        points = sum(after.scores) - sum(before.scores)
        assert points in (0, 1)
        assert lost in (0, 1)
        assert lost >= points
        assert after.state.flowers == count(after, FLOWER, CARRIER, CARRIER + 1)

    each_turn(game, orders, law)


@given(GAMES, ORDERS)
def test_bees_stay_alive_on_cells_of_their_own(game: Game, orders: list[int]) -> None:
    def law(before: Game, after: Game, order: int) -> None:
        for player in range(2):
            places = {tuple(place) for place in after.state.bees[player, :3].tolist()}
            assert len(places) == 3
            assert all(after.state.cells[place] in (BEE + player, CARRIER + player) for place in places)
        assert count(after, BEE, BEE + 1, CARRIER, CARRIER + 1) == 6

    each_turn(game, orders, law)


@given(GAMES, ORDERS)
def test_only_the_acting_bee_moves_and_only_one_step(game: Game, orders: list[int]) -> None:
    def law(before: Game, after: Game, order: int) -> None:
        moved = np.abs(after.state.bees.astype(int) - before.state.bees.astype(int)).max(axis=2)
        player, bee = before.asked[0], int(before.state.bee)
        assert moved[player, bee] <= (1 if order < 8 else 0)
        moved[player, bee] = 0
        assert not moved.any()

    each_turn(game, orders, law)


@given(GAMES, ORDERS)
def test_a_turn_changes_the_board_exactly_when_it_says_so(game: Game, orders: list[int]) -> None:
    def law(before: Game, after: Game, order: int) -> None:
        assert bool(after.state.changed) == ((before.state.cells != after.state.cells).any())
        assert after.state.turn == before.state.turn + 1

    each_turn(game, orders, law)


@given(GAMES, ORDERS)
def test_hives_never_change_and_walls_come_and_go_one_at_a_time(game: Game, orders: list[int]) -> None:
    def law(before: Game, after: Game, order: int) -> None:
        for player in range(2):
            assert count(after, HIVE + player) == 1
        assert abs(count(after, WALL) - count(before, WALL)) <= 1
        assert count(after, EMPTY) > 0

    each_turn(game, orders, law)


@given(GAMES, ORDERS)
def test_an_order_that_is_not_listed_changes_nothing(game: Game, orders: list[int]) -> None:
    def law(before: Game, after: Game, order: int) -> None:
        if before.book.facts.orders[order] not in before.orders():
            assert not after.state.changed

    each_turn(game, orders, law)


@given(GAMES, ORDERS)
def test_a_copy_is_equal_and_independent(game: Game, orders: list[int]) -> None:
    twin = game.copy()
    for order in orders:
        if game.over:
            break
        game.step(order)
        assert twin != game or game.state.turn == twin.state.turn
        twin.step(order)
        assert twin == game
        assert botyard.from_bytes(game.bytes()) == game


@given(GAMES, ORDERS)
def test_every_state_is_one_a_game_can_be_in(game: Game, orders: list[int]) -> None:
    each_turn(game, orders, lambda before, after, order: after.book.layout.validate(after.arena, after.state))


@given(st.integers(0, 2**64 - 1))
def test_every_game_ends(seed: int) -> None:
    game = botyard.new("hive", seed=seed, **SMALL)
    for turn in range(10 * 90 + 80):
        if game.over:
            break
        game.step_orders({game.asked[0]: turn * 7 % 32})
    assert game.over
    assert game.outcome is not None
    game.book.layout.validate(game.arena, game.state)
