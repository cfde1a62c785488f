"""What holds in every game of Snake Battle, whatever the bots do."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import settings as effort
from hypothesis import strategies as st

from botyard.games.game import Game
from botyard.games.snakebattle.map.alphabet import ENEMY, MINE, PARTS, START, WALL
from botyard.games.snakebattle.settings import SnakebattleSettings
from botyard.kernel.rule import INTERPRETED
from tests.games.snakebattle.table import BOOK, rows_of

LEVEL = """
    ☼☼☼☼☼☼☼☼☼
    ☼#  ○ ® ☼
    ☼☼  ® ○ ☼
    ☼# ●  © ☼
    ☼☼  ○   ☼
    ☼#○$  ● ☼
    ☼☼  ©   ☼
    ☼☼ ○  ® ☼
    ☼☼☼☼☼☼☼☼☼
"""
PLAYERS = 4

TURNS = st.lists(st.integers(0, 4), min_size=PLAYERS, max_size=PLAYERS)
ORDERS = st.lists(st.integers(-3, 22), min_size=PLAYERS, max_size=PLAYERS)
TICKS = st.lists(st.one_of(TURNS, TURNS, ORDERS), min_size=1, max_size=25 if INTERPRETED else 60)
EXAMPLES = 15 if INTERPRETED else 60


def match(seed: int, rounds: bool = True) -> Game:
    values = {"level_map": "\n".join(rows_of(LEVEL)), "rounds_players_per_room": PLAYERS, "rounds_enabled": rounds}
    clock = {"rounds_time": 25, "rounds_time_before_start": 1, "rounds_min_ticks_for_win": 2}
    return Game(BOOK, SnakebattleSettings.read({**values, **clock}), seed)


def play(game: Game, orders: list[int]) -> None:
    game.step_orders(dict(enumerate(orders)))


@effort(max_examples=EXAMPLES)
@given(seed=st.integers(0, 2**64 - 1), rounds=st.booleans(), ticks=TICKS)
def test_every_state_is_one_that_a_game_can_be_in(seed: int, rounds: bool, ticks: list[list[int]]) -> None:
    """Among all else: cover and picture, which are kept up to date, are what the snakes and the ground make of them."""
    game = match(seed, rounds)
    for orders in ticks:
        play(game, orders)
        game.load_state(game.arrays[1].tobytes())
        assert not game.fault


@effort(max_examples=EXAMPLES)
@given(seed=st.integers(0, 2**64 - 1), ticks=TICKS)
def test_the_same_seed_and_orders_give_the_same_game(seed: int, ticks: list[list[int]]) -> None:
    one, two = match(seed), match(seed)
    for orders in ticks:
        play(one, orders)
        play(two, orders)
    assert one.bytes() == two.bytes()


@effort(max_examples=EXAMPLES)
@given(seed=st.integers(0, 1000), ticks=TICKS)
def test_a_copy_goes_its_own_way(seed: int, ticks: list[list[int]]) -> None:
    game = match(seed)
    before = game.bytes()
    twin = game.copy()
    for orders in ticks:
        play(twin, orders)
    assert game.bytes() == before


@effort(max_examples=EXAMPLES)
@given(seed=st.integers(0, 1000), rounds=st.booleans(), ticks=TICKS)
def test_walls_and_start_cells_stay_and_scores_are_never_negative(
    seed: int, rounds: bool, ticks: list[list[int]]
) -> None:
    game = match(seed, rounds)
    for orders in ticks:
        play(game, orders)
        for kind in (WALL, START):
            assert ((game.state.ground == kind) == (game.arena.ground == kind)).all()
        assert min(game.scores) >= 0


@effort(max_examples=EXAMPLES)
@given(seed=st.integers(0, 1000), ticks=TICKS)
def test_all_seats_see_one_picture_in_different_glyphs(seed: int, ticks: list[list[int]]) -> None:
    game = match(seed)
    for orders in ticks[:20]:
        play(game, orders)
        boards = [np.where(board >= MINE, board - PARTS, board) for board in (game.view(s).board for s in game.asked)]
        assert all((board == boards[0]).all() for board in boards)
        assert all((board < ENEMY + PARTS).all() for board in boards)


@effort(max_examples=EXAMPLES)
@given(seed=st.integers(0, 1000), rounds=st.booleans(), ticks=TICKS)
def test_a_live_head_moves_one_cell_and_a_snake_grows_by_one_at_most(
    seed: int, rounds: bool, ticks: list[list[int]]
) -> None:
    game = match(seed, rounds)
    stride = int(game.arena.delta[3])
    for orders in ticks:
        before = game.state.snakes.copy()
        play(game, orders)
        for old, new in zip(before, game.state.snakes, strict=True):
            if old["alive"] and old["awake"] and new["awake"] and new["head"] != old["head"] and new["length"]:
                seated_anew = START in game.arena.ground[[new["head"], new["tail"]]]
                assert abs(int(new["head"]) - int(old["head"])) in (1, stride) or seated_anew
            if old["here"] and new["here"] and old["length"] >= 2:
                assert new["length"] <= max(old["length"] + 1, 2)
