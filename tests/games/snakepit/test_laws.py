"""What holds in every game of Snakepit, whatever happens in it."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import botyard
from botyard.games.game import Game
from botyard.games.snakepit.layout import PELLET, SNAKE, validate
from botyard.games.snakepit.layout.bodies import alive, on_board, read_body

BOARDS = st.fixed_dictionaries(
    {
        "snakes": st.integers(1, 5),
        "width": st.integers(5, 12),
        "height": st.integers(5, 12),
        "initial_len": st.integers(0, 3),
        "growth": st.integers(0, 4),
        "tick_timeout": st.integers(5, 60),
        "tick_resolution": st.sampled_from(["simultaneous", "sequential_by_id"]),
        "preserve_dead": st.booleans(),
        "swap_board_axes": st.booleans(),
        "unknown_answer": st.sampled_from(["stay", "ignore"]),
        "survivor_takes_bonus": st.booleans(),
    }
)
ORDERS = st.lists(st.lists(st.integers(-2, 5), min_size=5, max_size=5), max_size=30)
SEEDS = st.integers(0, 2**64 - 1)


def begun(board: dict[str, Any], seed: int, clean: bool = True) -> Any:
    return botyard.new("snakepit", seed=seed, clean_start=clean, **board)


def sensible(game: Game, orders: list[int]) -> dict[int, int]:
    """Directions that are not deadly at once, but for orders that do not exist."""
    chosen = {}
    for seat in game.asked:
        ways = [game.book.facts.orders.index(name) for name in game.orders(seat)]
        chosen[seat] = ways[orders[seat] % len(ways)] if 0 <= orders[seat] < 4 else orders[seat]
    return chosen


@settings(max_examples=40)
@given(board=BOARDS, seed=SEEDS, ticks=ORDERS, clean=st.booleans())
def test_every_state_is_one_a_game_can_be_in(board: dict[str, Any], seed: int, ticks: Any, clean: bool) -> None:
    game = begun(board, seed, clean)
    for orders in ticks:
        validate(game.arena, game.state)
        game.step_orders(sensible(game, orders))
    validate(game.arena, game.state)


@settings(max_examples=40)
@given(board=BOARDS, seed=SEEDS, ticks=ORDERS)
def test_on_a_clean_board_bodies_never_overlap_and_are_what_is_marked(
    board: dict[str, Any], seed: int, ticks: Any
) -> None:
    game = begun(board, seed)
    for orders in ticks:
        game.step_orders(sensible(game, orders))
        laid = [cell for seat in range(game.seats) for cell in read_body(game.state, seat, int(game.arena.slots))]
        assert len(laid) == len(set(laid)) == int((game.state.cells == SNAKE).sum())
        assert all(on_board(game.arena, cell) for cell in laid)


@settings(max_examples=40)
@given(board=BOARDS, seed=SEEDS, ticks=ORDERS, clean=st.booleans())
def test_the_dead_stay_dead(board: dict[str, Any], seed: int, ticks: Any, clean: bool) -> None:
    game = begun(board, seed, clean)
    for orders in ticks:
        before, died = int(game.state.living), game.state.died.copy()
        game.step_orders(sensible(game, orders))
        assert game.state.living & ~before == 0
        assert all(game.state.died[seat] == died[seat] for seat in range(game.seats) if died[seat])
        assert set(game.asked) <= {seat for seat in range(game.seats) if alive(game.state, seat)}


@settings(max_examples=40)
@given(board=BOARDS, seed=SEEDS, ticks=ORDERS)
def test_cells_are_only_gained_by_pellets(board: dict[str, Any], seed: int, ticks: Any) -> None:
    game = begun(board, seed)
    for orders in ticks:
        game.step_orders(sensible(game, orders))
        for snake in game.state.snakes[: game.seats]:
            owed = game.settings.body_cells + game.settings.growth * int(snake["pellets"])
            assert int(snake["length"]) + int(snake["growing"]) == owed


@settings(max_examples=40)
@given(board=BOARDS, seed=SEEDS, ticks=ORDERS)
def test_while_a_clean_game_goes_on_there_is_one_pellet_or_no_room_for_one(
    board: dict[str, Any], seed: int, ticks: Any
) -> None:
    game = begun(board, seed)
    for orders in ticks:
        game.step_orders(sensible(game, orders))
        state, side = game.state, min(game.settings.width, game.settings.height)
        width, height = (side, side) if game.settings.swap_board_axes else (game.settings.width, game.settings.height)
        lying = int((state.cells == PELLET).sum())
        assert lying == 1 or (lying == 0 and (state.cells[:height, :width] == SNAKE).all())


@settings(max_examples=25)
@given(board=BOARDS, seed=SEEDS, ticks=ORDERS, clean=st.booleans())
def test_a_game_comes_back_from_its_bytes_and_goes_on_the_same(
    board: dict[str, Any], seed: int, ticks: Any, clean: bool
) -> None:
    game = begun(board, seed, clean)
    for orders in ticks:
        twin = Game.from_bytes(game.bytes())
        given_orders = sensible(game, orders)
        game.step_orders(given_orders)
        twin.step_orders(given_orders)
        assert twin == game


@settings(max_examples=25)
@given(board=BOARDS, seed=SEEDS, ticks=ORDERS)
def test_points_are_what_the_score_sheet_says(board: dict[str, Any], seed: int, ticks: Any) -> None:
    game = begun(board, seed)
    for orders in ticks:
        game.step_orders(sensible(game, orders))
    state = game.state
    plain = [
        50 * int(state.snakes[seat]["pellets"]) + int(state.died[seat] or state.tick) for seat in range(game.seats)
    ]
    bonus = [int(mine) - other for mine, other in zip(game.scores, plain, strict=True)]
    if state.wash:
        assert set(game.scores) == {0}
    else:
        assert sorted(bonus)[:-1] == [0] * (game.seats - 1)
        assert bonus[-1] in (0, 1000) or max(bonus) == 1000
    if game.over and not state.wash:
        assert game.outcome is not None
        assert max(game.scores) == game.scores[game.outcome.groups[0][0]]


@settings(max_examples=25)
@given(board=BOARDS, seed=SEEDS, ticks=ORDERS)
def test_where_the_order_cannot_matter_both_resolutions_agree(board: dict[str, Any], seed: int, ticks: Any) -> None:
    """Nobody enters a cell that another snake lies on before the tick: then nothing depends on who moves first."""
    game = begun({**board, "tick_resolution": "simultaneous"}, seed)
    in_turn = begun({**board, "tick_resolution": "sequential_by_id"}, seed)
    for orders in ticks:
        chosen = {seat: order for seat, order in sensible(game, orders).items() if 0 <= order < 4}
        if len(chosen) < len(game.asked) or meets(game, chosen):
            return
        game.step_orders(chosen)
        in_turn.step_orders(chosen)
        assert game.state.tobytes() == in_turn.state.tobytes()


def meets(game: Game, orders: dict[int, int]) -> bool:
    arena, state = game.arena, game.state
    for seat, order in orders.items():
        x = int(state.snakes[seat]["head_x"] + arena.step_x[order])
        y = int(state.snakes[seat]["head_y"] + arena.step_y[order])
        if on_board(arena, (x, y)) and state.cells[y - 1, x - 1] == SNAKE:
            return True
    return False
