"""What a seat is shown, and what is said about its orders."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from botyard.games.battlebots.facts import FACTS
from botyard.kernel.rule import opened
from tests.games.battlebots.table import battle, fresh, shape_at, stray_at

# What a seat is shown and told


def test_each_seat_sees_itself_and_the_enemy() -> None:
    game = battle("round 7, hp 5/3\n1 . 2\n. . .")
    first, second = game.view(0), game.view(1)
    assert (first.x, first.enemy_x, first.hp, first.enemy_hp) == (0, 2, 5, 3)
    assert (second.x, second.enemy_x, second.hp, second.enemy_hp) == (2, 0, 3, 5)
    assert (first.width, first.height) == (3, 2)


def test_a_view_does_not_tell_round_paralysis_or_seat() -> None:
    assert set(fresh().view(0).fields) == {
        "hp", "enemy_hp", "mine_count", "shot_count", "width", "height", "x", "y", "enemy_x", "enemy_y", "shots",
        "mines",
    }  # fmt: skip


def test_spent_mines_are_not_shown_10_4() -> None:
    drawing = "1 . .\n. . .\n. . 2\nL x=1 y=1 spent\nL x=2 y=1"
    shown = battle(drawing, spent_mines_linger=True).view(0)
    assert shown.mine_count == 1
    assert shown.mines[0].tolist() == [2, 1]
    assert not shown.mines[1:].any()


def test_in_the_program_mines_are_not_shown() -> None:
    hidden = battle("# # # #\n# 1 . .\n# . . 2\nL x=2 y=1", "program").view(0)
    assert hidden.mine_count == 0
    assert not hidden.mines.any()


@pytest.mark.parametrize("preset", ["document", "program"])
def test_a_look_leaves_nothing_of_the_look_before(preset: str) -> None:
    game, later = fresh().play("L E / M N", "B S / L W", "B E / L N"), fresh(preset)
    views = np.zeros(1, game.book.layouts(game.settings).view)
    for shown in (game, later):
        arenas, states = shown.arrays
        game.book.loops.look_at(opened(arenas), opened(states), 0, opened(views))
    assert views.tobytes() == later.view(0).array.tobytes()


@pytest.mark.parametrize(
    ("settings", "words"),
    [({}, 45), ({"show_mines": False}, 20), ({"spent_mines_linger": True}, 20), ({"preset": "program"}, 20)],
)
def test_a_view_has_its_lists_for_a_board_without_mines_that_need_a_closer_look(settings: Any, words: int) -> None:
    game = fresh(**settings)
    arenas, views = game.arrays[0], np.zeros(1, game.book.layouts(game.settings).view)
    assert shape_at(opened(arenas), opened(views)) == (1, words)


@pytest.mark.parametrize("settings", [{}, {"spent_mines_linger": True}])
def test_all_weapons_are_shown_the_oldest_first(settings: Any) -> None:
    game = fresh(**settings).play("L E / M N", "B S / L W", "L S / B NW")
    for seat in range(2):
        shown = game.view(seat)
        assert (shown.mine_count, shown.shot_count.tolist()) == (3, game.state.shot_count.tolist())
        assert shown.mines.tolist() == game.state.mines.tolist()
        assert shown.shots.tolist() == game.state.shots.tolist()


# What is said about orders


def test_orders_beyond_the_edge_are_in_vain_except_missiles() -> None:
    game = battle("1 . .\n. . .\n. . 2")
    assert set(FACTS.orders) - set(game.orders(0)) == {
        f"{weapon}{direction}" for weapon in ("", "B ", "L ") for direction in ("N", "NE", "SW", "W", "NW")
    }
    calm = battle("1 . .\n. . .\n. . 2", missile_wall_splash=False)
    assert "M N" not in calm.orders(0)
    assert "M E" in calm.orders(0)


def test_what_is_said_about_orders_gives_no_secret_away() -> None:
    quiet = battle("1 . .\n. . .\n. . 2", show_mines=False)
    loaded = battle("round 1, hp 9/9, paralysed 2\n1 . .\n. . .\n. . 2\nL x=1 y=0", show_mines=False)
    assert quiet.orders(0) == loaded.orders(0)


def dice_for(order: str) -> int:
    """Random bits that make `stray` think of this order."""
    return -(-FACTS.orders.index(order) * 2**32 // len(FACTS.orders))


@pytest.mark.parametrize("order", FACTS.orders)
def test_random_play_can_give_every_order(order: str) -> None:
    assert strayed(fresh().board(), order, "round 0, hp 9/9") == order


def strayed(drawing: str, order: str, head: str = "round 5, hp 1/9", seat: int = 0, **settings: Any) -> str:
    game = battle(f"{head}\n{drawing}", **settings)
    arenas, states = game.arrays
    return FACTS.orders[stray_at(opened(arenas), opened(states), seat, dice_for(order))]


@pytest.mark.parametrize(
    ("drawing", "order"),
    [
        ("1 . .\n. . .\n. . 2", "P"),
        ("1 L .\n. . .\n. . 2\nL x=1 y=0", "E"),
        ("1 L .\n. . .\n. . 2\nL x=1 y=0", "L E"),
        ("1 2 .\n. . .", "L E"),
        ("1 2 .\n. . .", "M E"),
        ("1 . .\n. . .\n. . 2", "M N"),
        (". . .\n1 . .\n. . 2", "M N"),
        (". 1 .\n. . .\n. . 2", "M W"),
    ],
)
def test_random_play_does_nothing_rather_than_kill_itself(drawing: str, order: str) -> None:
    assert strayed(drawing, order) == "NO"
    assert strayed(drawing, order, "round 5, hp 9/9") == order


@pytest.mark.parametrize("order", ["E", "B E", "B N", "L E", "L N", "M E", "N", "NO"])
def test_random_play_dares_what_is_not_deadly(order: str) -> None:
    assert strayed("1 . . .\n. . . .\n. . . 2", order) == order


def test_a_slow_missile_rests_before_the_edge() -> None:
    assert strayed(". . .\n1 . .\n. . 2", "M N", missile_speed=1) == "M N"
    game = battle(". . .\n1 . .\n. . 2", missile_speed=1)
    assert game.play("M N / NO").hp == (10, 10)
    assert game.board().startswith("M . .")


@pytest.mark.parametrize("order", ["L W", "M W", "M NE"])
def test_random_play_spares_bot_2_too(order: str) -> None:
    drawing = ". 1 2 .\n. . . ."
    assert strayed(drawing, order, "round 5, hp 9/1", seat=1) == "NO"
    assert strayed(drawing, order, "round 5, hp 9/9", seat=1) == order
    assert strayed(drawing, "L E", "round 5, hp 9/1", seat=1) == "L E"


def test_random_play_counts_every_explosion_at_the_edge() -> None:
    """In the program a missile explodes once for each step it had left."""
    beside, away = "1 . .\n. . .\n. . 2", ". . .\n1 . .\n. . 2"
    assert strayed(beside, "M N", "round 5, hp 2/9", wall_splash_per_step=True) == "NO"
    assert strayed(beside, "M N", "round 5, hp 3/9", wall_splash_per_step=True) == "M N"
    assert strayed(away, "M N", "round 5, hp 1/9", wall_splash_per_step=True) == "NO"
    assert strayed(away, "M N", "round 5, hp 2/9", wall_splash_per_step=True) == "M N"


def test_the_mask_of_orders_is_made_of_zeros_and_ones() -> None:
    game, mask = battle("1 . .\n. . .\n. . 2"), np.zeros(len(FACTS.orders), np.uint8)
    arenas, states = game.arrays
    game.book.loops.allowed_at(opened(arenas), opened(states), 0, opened(mask))
    assert set(mask.tolist()) == {0, 1}
    assert [name for name, may in zip(FACTS.orders, mask, strict=True) if may] == game.orders(0)


def test_places_count_from_zero_and_a_draw_shares_the_first() -> None:
    for head, places in (("hp 3/1", [0, 1]), ("hp -2/0", [1, 0]), ("hp 0/0", [0, 0])):
        game, out = battle(f"round 1000, {head}, over\n1 . 2\n. . ."), np.zeros(2, np.int32)
        arenas, states = game.arrays
        game.book.loops.place_at(opened(arenas), opened(states), opened(out))
        assert out.tolist() == places
