"""What is said about a game and its orders."""

from __future__ import annotations

import pytest

import botyard
from botyard.games import load
from botyard.kernel.arrays import BatchArrays, make_arrays
from botyard.kernel.rule import opened
from tests.games.hackman.table import bare, hackman, rings
from tests.games.numbers import mask_of, places_of


def test_open_ways_are_allowed_and_everything_to_the_paralysed() -> None:
    game = hackman(rings("player 1: 0 snippets, paralysed 1", r0c0="0", r0c6="1"))
    assert game.orders(0) == ["down", "right", "pass"]
    assert game.orders(1) == ["up", "down", "left", "right", "pass"]


def test_the_mask_of_orders_is_made_of_zeros_and_ones() -> None:
    game = hackman(rings("player 1: 0 snippets, paralysed 2", r0c0="0", r0c6="1"))
    assert mask_of(game, 0) == [0, 1, 0, 1, 1]
    assert mask_of(game, 1) == [1, 1, 1, 1, 1]


@pytest.mark.parametrize(("gone", "bits"), [((), 0b11), ((0,), 0b10), ((1,), 0b01), ((0, 1), 0)])
def test_who_has_gone_is_not_asked(gone: tuple[int, ...], bits: int) -> None:
    game = hackman(rings(r0c0="0", r0c6="1"))
    for seat in gone:
        game.change("forfeit", seat)
    arenas, states = (opened(array) for array in game.arrays)
    assert game.book.rules.asked(arenas[0], states[0]) == bits


def test_places_count_from_zero_and_a_draw_shares_the_first() -> None:
    for scores, places in (((2, 1), [0, 1]), ((1, 2), [1, 0]), ((2, 2), [0, 0])):
        head = f"round 48, collected 0\nplayer 0: {scores[0]} snippets\nplayer 1: {scores[1]} snippets"
        game = hackman(rings(head, r0c0="0", r0c6="1"), max_rounds=49).play("pass pass")
        assert places_of(game) == places


def test_a_view_shows_bugs_row_by_row_and_forgets_what_has_gone() -> None:
    game = hackman(rings("bugs: 9 3", r0c4=">", r2c1="<", r0c0="0", r2c6="1"))
    view = game.view(0)
    assert view.bugs[:3].tolist() == [4, 15, 0]
    assert (view.round_number, view.player, view.width, view.height) == (1, 0, 7, 5)
    assert game.state.bugs[:2].tolist() == [15, 4]


def test_a_view_has_room_for_as_many_bugs_as_there_can_be() -> None:
    game = hackman(rings(r0c0="0", r2c6="1"))
    most = len(game.state.bugs)
    game.state.bug_count, game.state.bugs[:], game.state.bugs[-1] = most, 6, 3
    assert game.view(0).bugs.tolist() == [3, *[6] * (most - 1)]


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
    arenas, states = game.arrays
    arrays = make_arrays(book, game.settings, 1)._replace(arenas=arenas, states=states)
    seen, found = BatchArrays(*map(opened, arrays)), set()
    for salt in range(60):
        assert book.loops.stray_orders(seen, 0, salt) == 2
        found.add(int(arrays.orders[0, 0]))
    return found


def test_a_stray_step_is_open_and_avoids_bugs() -> None:
    assert stray_orders(rings(r0c3="0", r0c6="1")) == {1, 2, 3}
    assert stray_orders(rings(r0c3="0", r0c4=">", r0c6="1")) == {1, 2}
    assert stray_orders(rings(r0c1="0", r0c0=">", r0c2=">", r0c6="1")) == {2, 3}


def test_a_view_has_no_board() -> None:
    rules = load("hackman").rules
    assert rules.board_shape(None, None) == (0, 0)
    rules.paint(None, None, 0, None, 0, 0)
