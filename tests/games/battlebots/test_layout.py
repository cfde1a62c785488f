"""States that no bout can be in are refused, whichever byte is wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from botyard.kernel.errors import BadRecord
from tests.games.battlebots.table import battle, fresh

DRAWN = """
    round 12, hp 9/7, paralysed 1
    # # # # #
    # 1 B . L
    # L M . 2
    B x=2 y=1 dir=E
    M x=2 y=2 dir=S
    L x=4 y=1
    L x=1 y=2 spent
"""


def put(field: str, index: Any, value: int) -> Callable[[Any], None]:
    def change(state: Any) -> None:
        state[field][index] = value

    return change


def put_number(field: str, value: int) -> Callable[[Any], None]:
    def change(state: Any) -> None:
        state[field] = value

    return change


def put_chance(field: str, value: int) -> Callable[[Any], None]:
    def change(state: Any) -> None:
        state.chance[field] = value

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (put_chance("kind", 9), "kind of chance"),
        (put_chance("spare", 1), "spare bytes"),
        (put("spare", 0, 1), "spare bytes"),
        (put_number("over", 2), "flags must be 0 or 1"),
        (put_number("fault", 2), "flags must be 0 or 1"),
        (put_number("forfeited", -2), "a forfeit must be of seat"),
        (put_number("forfeited", 2), "a forfeit must be of seat"),
        (put_number("forfeited", 1), "a bout with a forfeit"),
        (put_number("rounds", -1), "rounds must be from"),
        (put_number("paralysed", -1), "paralysis must be from"),
        (put("hp", 0, 11), "hit points"),
        (put("bots", (0, 0), 0), "bots must stand on usable"),
        (put("bots", (1, 1), 3), "bots must stand on usable"),
        (put("bots", (1, 0), -1), "bots must stand on usable"),
        (put("bots", (0, 0), 5), "bots must stand on usable"),
        (put("shot_count", 0, 21), "the number of bullets must be"),
        (put("shot_count", 1, -1), "the number of missiles must be"),
        (put("shots", (0, 0, 0), 0), "bullets must be on usable"),
        (put("shots", (1, 0, 2), 8), "the direction of missiles must be one"),
        (put("shots", (0, 0, 2), -1), "the direction of bullets must be one"),
        (put("shots", (1, 7, 0), 1), "unused missiles"),
        (put("shots", (1, 0, 3), 1), "unused missiles"),
        (put_number("mine_count", 101), "the number of mines must be"),
        (put_number("mine_count", -1), "the number of mines must be"),
        (put("mines", (0, 1), 0), "mines must lie on usable"),
        (put("mines", (2, 1), 1), "unused mines"),
        (put("mines", (0, 0), 3), "the list of mines must match"),
        (put("mine_at", (0, 0), 1), "the list of mines must match"),
        (put("mine_at", (1, 4), 3), "live or spent"),
        (put("mine_at", (1, 4), 2), "spent mines must match"),
        (put_number("spent_count", 0), "spent mines must match"),
    ],
)
def test_a_state_that_cannot_be_is_refused(change: Callable[[Any], None], message: str) -> None:
    game = battle(DRAWN, "program")
    change(game.state)
    raw = game.arrays[1].tobytes()
    with pytest.raises(BadRecord, match=message):
        fresh_like(game).load_state(raw)


def fresh_like(game: Any) -> Any:
    twin = game.copy()
    twin.begin()
    return twin


def test_bots_never_share_a_square() -> None:
    game = fresh()
    game.state.bots[1] = game.state.bots[0]
    with pytest.raises(BadRecord, match="must not share"):
        fresh().load_state(game.arrays[1].tobytes())


def test_two_mines_never_share_a_square() -> None:
    game = fresh().play("L E / L W")
    game.state.mines[1] = game.state.mines[0]
    with pytest.raises(BadRecord, match="must not hold two mines"):
        fresh().load_state(game.arrays[1].tobytes())


def test_what_can_be_is_taken() -> None:
    game = battle(DRAWN, "program")
    twin = fresh_like(game)
    twin.load_state(game.arrays[1].tobytes())
    assert twin.bytes() == game.bytes()
    assert np.array_equal(twin.arrays[1], game.arrays[1])
