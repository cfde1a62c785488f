"""How a game of New game lies in memory: four records, whose fields go from wide to narrow.

A batch of a million games is an array of a million states, on a GPU too, so everything has a fixed size and there are
no Python objects. Spare bytes fill a record up, so that equal games have equal bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from botyard.kernel.chance import CHANCE, KINDS, TAPE_LAYOUT
from botyard.kernel.errors import BadRecord
from botyard.kernel.records import Layouts, layout, record_of, spare_bytes
from botyard_newgame.settings import NewgameSettings

PLAYERS = 2
EMPTY, COIN = 0, 1  # what lies in a cell of the state
WALKER, BOTH, UNSEEN = 2, 4, 5  # what a view's cell may also show: WALKER + player, both of them, or nothing


def seats(settings: NewgameSettings) -> int:
    return PLAYERS


def layouts(settings: NewgameSettings) -> Layouts:
    return layouts_of(settings.rows, settings.cols)


@cache
def layouts_of(rows: int, cols: int) -> Layouts:
    """Returns the records for a board of this size; the rules are compiled anew for each size."""
    return Layouts(
        # The arena: what never changes during a game and is no secret.
        arena=layout(
            [
                ("tape", TAPE_LAYOUT),  # recorded draws, which tests may feed in
                ("coins", "i4"),
                ("sight", "i4"),
                ("ticks", "i4"),
                ("rows", "i4"),
                ("cols", "i4"),
                ("spare", "i4"),
            ]
        ),
        # The state: what changes. Every state has chance, over and fault.
        state=layout(
            [
                ("chance", CHANCE),
                ("tick", "i4"),
                ("scores", "i4", (PLAYERS,)),
                ("walkers", "u1", (PLAYERS, 2)),  # row and column of each
                ("over", "u1"),
                ("fault", "u1"),  # set where the rules themselves fail; these never do
                ("forfeited", "i1"),  # the player who gave up, or -1
                ("cells", "u1", (rows, cols)),
                ("spare", "u1", (spare_bytes(3 + rows * cols, 4),)),
            ]
        ),
        # The view: what one seat may know now.
        view=layout(
            [
                ("tick", "i4"),
                ("scores", "i4", (PLAYERS,)),
                ("player", "u1"),
                ("row", "u1"),
                ("col", "u1"),
                ("cells", "u1", (rows, cols)),
                ("spare", "u1", (spare_bytes(3 + rows * cols, 4),)),
            ]
        ),
        # The memory: what the house bot of one seat remembers.
        memory=layout([("chance", CHANCE)]),
    )


def make_arena(settings: NewgameSettings) -> NDArray[Any]:
    """Returns the settings as the rules see them: an array of one record."""
    arenas = np.zeros(1, layouts(settings).arena)
    arena = record_of(arenas)
    arena.coins, arena.sight, arena.ticks = settings.coins, settings.sight, settings.ticks
    arena.rows, arena.cols = settings.rows, settings.cols
    return arenas


def validate(arena: Any, state: Any) -> None:
    """Refuses a state that no game can be in, because states come from drawings and files, and rules trust them."""
    for what, holds in truths(arena, state):
        if not holds:
            raise BadRecord("not a state of newgame under these settings", hint=what)


def truths(arena: Any, state: Any) -> Iterator[tuple[str, bool]]:
    rows, cols = state.cells.shape
    yield "walkers must stand on the board", bool((state.walkers < (rows, cols)).all())
    yield "a cell must be empty or hold a coin", bool((state.cells <= COIN).all())
    yield f"{arena.coins} coins must lie on the board", int(state.cells.sum()) == arena.coins
    yield "no coin may lie under a walker", not any(state.cells[row, col] for row, col in state.walkers)
    yield "counters must not be negative", state.tick >= 0 and bool((state.scores >= 0).all())
    yield "flags must be 0 or 1", max(state.over, state.fault) <= 1
    yield "the player who gave up must be 0, 1 or -1 for none", -1 <= state.forfeited < PLAYERS
    yield "the kind of chance must be known", state.chance.kind < len(KINDS)
    yield "spare bytes must be zero", not state.spare.any() and not state.chance.spare.any()
