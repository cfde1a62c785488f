"""What a learner of Hive Arena senses: the window around its bee, and numbers from a chart that all its bees share."""

from __future__ import annotations

from botyard.games.hive.bots.chart import survey
from botyard.games.hive.bots.sensed import CODES, POINT, promised, sense, sense_shape
from botyard.games.hive.bots.sight import carrying, distance, hive_col, hive_row
from botyard.games.hive.layout import FLOWER
from botyard.kernel.offsets import offset, sign
from botyard.kernel.records import Record
from botyard.kernel.rule import rule
from botyard.kernel.senses import SensedNumber

__all__ = ["CODES", "NUMBERS", "note", "numbers", "sense", "sense_shape", "worth"]

FAR = 1 << 30  # farther than any cell
MANY = 16

NUMBERS = (
    SensedNumber("carrying", 0, 1, "1 if the bee carries a flower"),
    SensedNumber("player", 0, 1, "the number of the seat's player"),
    SensedNumber("home_south_sign", 0, 2, "whether the own hive lies north (0), level (1) or south (2)"),
    SensedNumber("home_east_sign", 0, 2, "whether the own hive lies west (0), level (1) or east (2)"),
    SensedNumber("home_south", 0, 16, "rows to the own hive plus 8, at most 8 either way"),
    SensedNumber("home_east", 0, 16, "columns to the own hive plus 8, at most 8 either way"),
    SensedNumber("rival_south", 0, 16, "rows to the rival's hive plus 8, at most 8 either way"),
    SensedNumber("rival_east", 0, 16, "columns to the rival's hive plus 8, at most 8 either way"),
    SensedNumber("flower_south_sign", 0, 2, "whether the nearest flower on the chart lies north, level or south"),
    SensedNumber("flower_east_sign", 0, 2, "whether it lies west, level or east"),
    SensedNumber("flower_south", 0, 16, "rows to it plus 8, at most 8 either way"),
    SensedNumber("flower_east", 0, 16, "columns to it plus 8, at most 8 either way"),
    SensedNumber("flower_known", 0, 1, "1 if there is a flower on the chart"),
    SensedNumber("flowers", 0, 16, "flowers on the chart, at most 16"),
    SensedNumber("bee", 0, 255, "which of the seat's bees acts"),
    SensedNumber("age", 0, 16, "turns played, in units of 128, at most 16"),
    SensedNumber("row", 0, 16, "half the bee's row, at most 16"),
    SensedNumber("col", 0, 16, "half the bee's column, at most 16"),
)

# Points ahead alone teach nothing at first, because the rival's are noise to a learner that has none.
RIVAL_POINT = 12


@rule
def note(arena: Record, view: Record, memory: Record) -> None:
    survey(view, memory.forager)


@rule
def numbers(arena: Record, view: Record, memory: Record, out: Record) -> None:
    out[0] = carrying(view)
    out[1] = view.player
    south, east = hive_row(arena) - view.row, hive_col(arena, view.player) - view.col
    out[2], out[3] = 1 + sign(south), 1 + sign(east)
    out[4], out[5] = offset(south), offset(east)
    out[6], out[7] = offset(south), offset(hive_col(arena, 1 - view.player) - view.col)
    south, east = nearest_flower(arena, view, memory.forager)
    known = south != FAR
    if not known:
        south, east = 0, 0
    out[8], out[9] = 1 + sign(south), 1 + sign(east)
    out[10], out[11] = offset(south), offset(east)
    out[12] = known
    out[13] = min(memory.forager.loose, MANY)
    out[14] = view.bee
    out[15] = min(view.turn >> 7, MANY)
    out[16], out[17] = min(view.row >> 1, MANY), min(view.col >> 1, MANY)


@rule
def nearest_flower(arena: Record, view: Record, lore: Record) -> tuple[int, int]:
    """Returns the offset of the nearest flower on the chart, FAR if there is none. Rows are searched from the bee's own
    outwards, so that those are left out which are farther away than what was found."""
    south, east, least = FAR, FAR, FAR
    if lore.loose == 0:
        return south, east
    for away in range(arena.rows):
        if away >= least:
            break
        for side in range(2):
            row = view.row - away if side == 0 else view.row + away
            if row < 0 or row >= arena.rows or lore.flowers[row] == 0 or (side == 1 and away == 0):
                continue
            for col in range(arena.cols):
                if lore.chart[row, col] == FLOWER and distance(away, col - view.col) < least:
                    least = distance(away, col - view.col)
                    south, east = row - view.row, col - view.col
    return south, east


@rule
def worth(arena: Record, state: Record, seat: int) -> int:
    ahead = POINT * state.scores[seat] - RIVAL_POINT * state.scores[1 - seat]
    if state.over:
        return ahead
    return ahead + promised(arena, state, seat)
