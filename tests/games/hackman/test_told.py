"""What is said about a game and its orders."""

from __future__ import annotations

import numpy as np

import botyard
from botyard.games import load
from botyard.kernel.rule import opened
from tests.games.hackman.table import bare, hackman, rings


def test_open_ways_are_allowed_and_everything_to_the_paralysed() -> None:
    game = hackman(rings("player 1: 0 snippets, paralysed 1", r0c0="0", r0c6="1"))
    assert game.orders(0) == ["down", "right", "pass"]
    assert game.orders(1) == ["up", "down", "left", "right", "pass"]


def test_a_view_shows_bugs_row_by_row_and_forgets_what_has_gone() -> None:
    game = hackman(rings("bugs: 9 3", r0c4=">", r2c1="<", r0c0="0", r2c6="1"))
    view = game.view(0)
    assert view.bugs[:3].tolist() == [4, 15, 0]
    assert (view.round_number, view.player, view.width, view.height) == (1, 0, 7, 5)
    assert game.state.bugs[:2].tolist() == [15, 4]


def test_a_view_that_is_used_again_holds_nothing_old() -> None:
    game = botyard.Batch("hackman", bare(map_snippet_count=9, map_weapon_count=5, initial_enemy_count=4), 1)
    full = game.host(game.views).copy()
    assert full["snippet_count"].tolist() == [[9, 9]]
    state = game.host(game.states)
    state["snippet_count"] = state["weapon_count"] = state["bug_count"] = 0
    for field in ("snippets", "weapons", "bugs", "bug_ids", "headings"):
        state[field] = 0
    game.step([[4, 4]])
    shown = game.host(game.views)
    assert not shown["snippets"].any()
    assert not shown["weapons"].any()
    assert not shown["bugs"].any()


def stray_orders(drawing: str) -> set[int]:
    """All the steps player 0 takes in random play."""
    game, book = hackman(drawing), load("hackman")
    orders, found = np.zeros((1, 2), np.int32), set()
    for salt in range(60):
        assert book.loops.stray_orders(*map(opened, game.arrays), 0, opened(orders), salt) == 2
        found.add(int(orders[0, 0]))
    return found


def test_a_stray_step_is_open_and_avoids_bugs() -> None:
    assert stray_orders(rings(r0c3="0", r0c6="1")) == {1, 2, 3}
    assert stray_orders(rings(r0c3="0", r0c4=">", r0c6="1")) == {1, 2}
    assert stray_orders(rings(r0c1="0", r0c0=">", r0c2=">", r0c6="1")) == {2, 3}


def test_a_view_has_no_board() -> None:
    rules = load("hackman").rules
    assert rules.board_shape(None) == (0, 0)
    rules.paint(None, None, 0, None, 0, 0)
