"""Random play: no step that is sure to kill at once where there is another."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from botyard.games.snakebattle.rules.sight import stray
from botyard.kernel.rule import opened
from tests.games.snakebattle.table import BOOK, OPEN, Battle


def strays(drawing: str, players: int = 1, seat: int = 0, **hero: Any) -> Counter[str]:
    """All that random play may order a snake, and how often the dice say so."""
    battle = Battle(drawing, players)
    if hero:
        battle.on_set({"hero": hero})
    arenas, states = (opened(array) for array in battle.field.game.arrays)
    return Counter(BOOK.facts.orders[stray(arenas[0], states[0], seat, dice)] for dice in range(64))


def ways(drawing: str, players: int = 1, seat: int = 0, **hero: Any) -> set[str]:
    """The directions among them."""
    return {order.split()[0] for order in strays(drawing, players, seat, **hero)}


def test_any_way_but_back_is_taken_with_a_stone_now_and_then() -> None:
    turns, orders = {"right", "up", "down"}, strays(OPEN)
    assert set(orders) == turns | {f"{turn} drop" for turn in turns}
    assert sum(times for order, times in orders.items() if "drop" in order) == 8


def test_a_sleeper_orders_nothing() -> None:
    assert set(strays(OPEN, active=False)) == {"straight"}


def test_walls_and_start_cells_are_avoided() -> None:
    assert ways(OPEN.replace("╘═►  ☼", "  ╘═►☼")) == {"up", "down"}
    assert ways(OPEN.replace("╘═►  ☼", "╘═►# ☼")) == {"up", "down"}
    assert ways(OPEN.replace("╘═►  ☼", "╘═♠# ☼"), flying=9) == {"up", "down"}


def test_without_any_way_it_goes_straight_on() -> None:
    walled = """
        ☼☼☼☼☼☼☼
        ☼☼☼☼☼☼☼
        ☼╘═►☼☼☼
        ☼☼☼☼☼☼☼
        ☼     ☼
        ☼     ☼
        ☼☼☼☼☼☼☼
    """
    assert set(strays(walled)) == {"straight", "drop"}


@pytest.mark.parametrize(("cells", "taken"), [("╘══►", False), ("╘═══►", True)])
def test_a_stone_is_avoided_by_who_would_die_of_it(cells: str, taken: bool) -> None:
    field = f"☼☼☼☼☼☼☼☼☼\n☼       ☼\n☼{cells}●".ljust(28) + "☼\n" + "☼       ☼\n" * 5 + "☼☼☼☼☼☼☼☼☼"
    assert ("right" in ways(field)) is taken


@pytest.mark.parametrize(("effect", "left", "taken"), [
    ("fury", 1, False), ("fury", 2, True), ("flying", 1, False), ("flying", 2, True),
])  # fmt: skip
def test_a_stone_is_passed_under_an_effect_that_lasts_into_the_move(effect: str, left: int, taken: bool) -> None:
    assert ("right" in ways(OPEN.replace("╘═►  ☼", "╘═►● ☼"), **{effect: left})) is taken


CROSSED = """
    ☼☼☼☼☼☼☼
    ☼   æ ☼
    ☼   │ ☼
    ☼╘═►│ ☼
    ☼   ˅ ☼
    ☼     ☼
    ☼☼☼☼☼☼☼
"""


def test_others_are_avoided_unless_it_flies_over_them() -> None:
    assert ways(CROSSED, 2) == {"up", "down"}
    assert ways(CROSSED, 2, flying=2) == {"up", "right", "down"}
    assert ways(CROSSED, 2, flying=1) == {"up", "down"}


def test_the_own_body_is_not_avoided() -> None:
    assert ways("""
        ☼☼☼☼☼☼☼
        ☼╔═══╕☼
        ☼╚═►  ☼
        ☼     ☼
        ☼     ☼
        ☼     ☼
        ☼☼☼☼☼☼☼
    """) == {"up", "right", "down"}  # fmt: skip
    assert ways("""
        ☼☼☼☼☼☼☼
        ☼┌───ö☼
        ☼└─>  ☼
        ☼     ☼
        ☼╘►   ☼
        ☼     ☼
        ☼☼☼☼☼☼☼
    """, 2, seat=1) == {"up", "right", "down"}  # fmt: skip
