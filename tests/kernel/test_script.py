"""Scripts: the entries of a game as numbers, and how far a game can follow them."""

from __future__ import annotations

import numpy as np
import pytest

from botyard.games.game import Game
from botyard.kernel.arrays import ORDER
from botyard.kernel.script import FORFEIT, JOIN, LEAVE, NO_CHANGE, script_of
from tests.kernel.test_loops import quick


def test_a_script_has_a_head_and_numbers_for_each_entry() -> None:
    script = script_of([[3], [], [1, -1], {"forfeit": 1}, {"join": 0}, {"leave": 2}, {"explode": 5}])
    assert script.tolist() == [1, 3, 0, 2, 1, -1, FORFEIT, 1, JOIN, 0, LEAVE, 2, NO_CHANGE, 5]
    assert script.dtype == ORDER
    assert script_of([]).dtype == ORDER


def test_an_order_that_records_cannot_hold_makes_no_script() -> None:
    with pytest.raises(OverflowError):
        script_of([[2**31]])


@pytest.mark.parametrize(
    ("entries", "told"),
    [
        ([], 0),
        ([[0], [0]], 2),
        ([[0, 0], [0]], 0),
        ([[0], [0, 0]], 1),
        ([[0], []], 1),
        ([[0], {"forfeit": 0}], 2),
        ([{"forfeit": 0}, [0]], 1),  # the game is over
        ([{"forfeit": 0}, []], 1),
        ([{"forfeit": 0}, {"forfeit": 1}], 2),
        ([[0], {"forfeit": 2}], 1),
        ([[0], {"forfeit": -1}], 1),
        ([{"join": 0}], 0),
        ([{"leave": 0}], 0),
        ([{"explode": 0}], 0),
    ],
    ids=str,
)
def test_a_game_follows_a_script_up_to_what_is_impossible(entries: list[list[int] | dict[str, int]], told: int) -> None:
    book, settings = quick("hive")
    game, shorter = Game(book, settings, 3), Game(book, settings, 3)
    assert game.retell(script_of(entries)) == told
    assert shorter.retell(script_of(entries[:told])) == told
    assert game == shorter


def test_in_a_game_whose_players_come_and_go_all_changes_are_possible() -> None:
    book, settings = quick("snakebattle")
    game, by_hand = Game(book, settings, 3), Game(book, settings, 3)
    for what in ("leave", "join", "forfeit"):
        by_hand.change(what, 0)
    assert game.retell(script_of([{"leave": 0}, {"join": 0}, {"forfeit": 0}, {"explode": 0}])) == 3
    assert game == by_hand


@pytest.mark.parametrize("rest", [[2, 0], [FORFEIT], [1]], ids=str)
def test_a_script_that_breaks_off_is_followed_up_to_the_entry_that_does(rest: list[int]) -> None:
    book, settings = quick("hive")
    game, shorter = Game(book, settings, 3), Game(book, settings, 3)
    assert game.retell(np.array([1, 0, *rest], ORDER)) == shorter.retell(np.array([1, 0], ORDER)) == 1
    assert game == shorter
