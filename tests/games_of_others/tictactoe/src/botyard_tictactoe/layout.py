"""How a game of tic-tac-toe lies in memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from botyard.kernel.chance import CHANCE, KINDS, TAPE_LAYOUT
from botyard.kernel.errors import BadRecord
from botyard.kernel.records import Layouts, layout, record_of
from botyard_tictactoe.settings import TictactoeSettings

SIDE = 3
EMPTY, MARK = 0, 1  # MARK + player

LAYOUTS = Layouts(
    arena=layout([("tape", TAPE_LAYOUT), ("misere", "u1"), ("spare", "u1", (7,))]),
    state=layout(
        [
            ("chance", CHANCE),
            ("cells", "u1", (SIDE, SIDE)),
            ("turn", "u1"),  # marks on the board
            ("over", "u1"),
            ("winner", "i1"),  # -1: none yet, or a draw
            ("fault", "u1"),  # our own error: these rules make none
            ("spare", "u1", (3,)),
        ]
    ),
    view=layout([("player", "u1"), ("cells", "u1", (SIDE, SIDE)), ("spare", "u1", (2,))]),
    memory=layout([("chance", CHANCE)]),
)


def seats(settings: TictactoeSettings) -> int:
    return 2


def layouts(settings: TictactoeSettings) -> Layouts:
    return LAYOUTS


def make_arena(settings: TictactoeSettings) -> NDArray[Any]:
    arenas = np.zeros(1, LAYOUTS.arena)
    record_of(arenas).misere = settings.misere
    return arenas


def validate(arena: Any, state: Any) -> None:
    """Refuses a state that no game can be in."""
    for what, holds in truths(state):
        if not holds:
            raise BadRecord("not a state of tictactoe", hint=what)


def truths(state: Any) -> Iterator[tuple[str, bool]]:
    crosses, noughts = (int((state.cells == MARK + player).sum()) for player in range(2))
    yield "a cell is empty or has a mark of player 0 or 1", bool((state.cells <= MARK + 1).all())
    yield "players put their marks in turn", noughts <= crosses <= noughts + 1
    yield "every mark is a turn", state.turn == crosses + noughts
    yield "a winner is a player or -1, and flags must be 0 or 1", -1 <= state.winner <= 1 and state.over <= 1
    yield "the kind of chance must be known", state.chance.kind < len(KINDS)
    yield "spare bytes must be zero", not state.spare.any() and not state.chance.spare.any()
