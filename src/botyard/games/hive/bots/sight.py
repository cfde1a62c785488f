"""What a bee sees from where it stands, and where the hives are."""

from __future__ import annotations

from botyard.games.hive.layout import CARRIER
from botyard.kernel.records import Record
from botyard.kernel.rule import rule

NOWHERE = -1  # stands for "no direction" or "no row"


@rule
def neighbour(arena: Record, view: Record, direction: int) -> int:
    """Returns the code of a cell beside the bee."""
    centre = view.window.shape[0] // 2
    return view.window[centre + arena.row_step[direction], centre + arena.col_step[direction]]


@rule
def beside(arena: Record, view: Record, code: int) -> int:
    """Returns the first direction in which a cell with this code lies beside the bee, or NOWHERE."""
    for direction in range(8):
        if neighbour(arena, view, direction) == code:
            return direction
    return NOWHERE


@rule
def carrying(view: Record) -> bool:
    centre = view.window.shape[0] // 2
    return view.window[centre, centre] == CARRIER + view.player


@rule
def hive_row(arena: Record) -> int:
    return arena.rows // 2


@rule
def hive_col(arena: Record, player: int) -> int:
    if player == 0:
        return arena.hive_inset
    return arena.cols - 1 - arena.hive_inset


@rule
def distance(south: int, east: int) -> int:
    """Returns how many moves an offset takes; a diagonal move counts as one."""
    return max(abs(south), abs(east))


@rule
def order(action: int, direction: int) -> int:
    return 8 * action + direction
