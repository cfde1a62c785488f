"""States that no game can be in are refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from botyard.games.game import Game
from botyard.kernel.errors import BadRecord
from tests.games.hackman.table import hackman


def a_game() -> Game:
    return hackman("""
        player 0: 5 snippets
        bugs: 4 2
        0 C< C g s^
        . x x x x
        . W W . 1
    """)


def change(field: str, index: Any, value: int) -> Callable[[Any], None]:
    def apply(state: Any) -> None:
        if index is None:
            state[field] = value
        else:
            state[field][index] = value

    return apply


@pytest.mark.parametrize(
    ("broken", "hint"),
    [
        (change("spare", 0, 1), "spare"),
        (change("before", 0, 1), "notes of a step"),
        (change("bugs_before", 1, 1), "notes of a step"),
        (change("squashed", 0, 1), "notes of a step"),
        (change("marks", 0, 1), "notes of a step"),
        (lambda state: change("came", 0, 1)(state.space), "notes of a search"),
        (lambda state: change("kind", None, 9)(state.chance), "kind of chance"),
        (change("rounds", None, 201), "the round must be"),
        (change("rounds", None, 200), "after its last round"),
        (change("collected", None, -1), "counters"),
        (change("paralysis", 1, -1), "counters"),
        (change("armed", 0, 2), "flags"),
        (change("fault", None, 2), "flags"),
        (change("scores", 0, -1), "negative number of snippets"),
        (change("out", 0, 1), "who is out"),
        (change("winner", None, 0), "the winner"),
        (change("winner", None, -2), "the winner"),
        (change("cells", 0, 6), "players must stand"),
        (change("cells", 0, 3), "players must stand"),
        (change("cells", 1, 15), "players must stand"),
        (change("cells", 1, 65535), "players must stand"),
        (change("bug_count", None, 33), "number of bugs"),
        (change("bug_count", None, -1), "number of bugs"),
        (change("bug_count", None, 1), "unused slots of bugs"),
        (change("bug_ids", 0, 4), "ids of bugs"),
        (change("bug_ids", 1, 5), "ids of bugs"),
        (change("bug_ids", 0, -1), "ids of bugs"),
        (change("bugs", 0, 6), "bugs must stand"),
        (change("bugs", 0, 300), "bugs must stand"),
        (change("headings", 0, 4), "a heading"),
        (change("snippet_count", None, 999), "number of snippets must"),
        (change("weapon_count", None, -1), "number of weapons"),
        (change("snippets", 0, 2), "row by row"),
        (change("snippets", 1, 7), "lie on open cells"),
        (change("weapons", 1, 15), "lie on open cells"),
        (change("snippets", 2, 5), "unused slots of snippets"),
        (change("weapons", 0, 2), "two items"),
    ],
)
def test_a_state_that_cannot_be_is_refused(broken: Callable[[Any], None], hint: str) -> None:
    game = a_game()
    twin = game.copy()
    broken(twin.state)
    with pytest.raises(BadRecord, match=hint):
        game.load_state(bytes(twin._raw))


def test_what_a_game_gives_is_taken_back() -> None:
    game = a_game()
    assert Game.from_bytes(game.bytes()) == game


def test_items_on_a_cell_without_neighbours_and_bugs_on_closed_cells_are_fine() -> None:
    hackman("0 . . . 1\n. x x x x\n. x C x s", map_check=False)
