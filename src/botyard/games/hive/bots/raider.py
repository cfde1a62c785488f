"""Raider: robs carriers wherever it sees them, forages, and walls in the enemy's hive."""

from __future__ import annotations

from botyard.games.hive.bots.chart import PLAIN, survey
from botyard.games.hive.bots.forager import approach, bring_home, gather
from botyard.games.hive.bots.sight import NOWHERE, beside, carrying, distance, hive_col, hive_row, neighbour, order
from botyard.games.hive.layout import BUILD, CARRIER, EMPTY, FLOWER, FORAGE, GUARD, MOVE
from botyard.kernel.chance import draw
from botyard.kernel.records import Record
from botyard.kernel.rule import rule

NEAR_HIVE = 2  # from this distance every cell beside the hive is in sight, whatever the view distance


@rule
def raider(arena: Record, view: Record, memory: Record) -> int:
    news = survey(view, memory.forager)
    if carrying(view):
        return bring_home(arena, view, memory)
    direction = victim(arena, view)
    if direction != NOWHERE:
        return order(GUARD, direction)
    direction = beside(arena, view, FLOWER)  # often the flower that was just knocked out
    if direction != NOWHERE:
        return order(FORAGE, direction)
    row, col = prey(view)
    if row != NOWHERE:
        return approach(arena, view, memory, row, col)
    if view.bee % 2 == 0:
        return gather(arena, view, memory, news)
    return besiege(arena, view, memory)


# Robbing


@rule
def victim(arena: Record, view: Record) -> int:
    """Finds the direction of an enemy carrier beside the bee that can be made to drop its flower, or NOWHERE."""
    centre = view.window.shape[0] // 2
    for direction in range(8):
        i, j = centre + arena.row_step[direction], centre + arena.col_step[direction]
        if view.window[i, j] == CARRIER + 1 - view.player and has_room(arena, view, i, j):
            return direction
    return NOWHERE


@rule
def has_room(arena: Record, view: Record, i: int, j: int) -> bool:
    """Tells whether a flower knocked out at (i, j) of the window may find an empty cell, in sight or out of it."""
    side = view.window.shape[0]
    for direction in range(8):
        to_i, to_j = i + arena.row_step[direction], j + arena.col_step[direction]
        if to_i < 0 or to_j < 0 or to_i >= side or to_j >= side or view.window[to_i, to_j] == EMPTY:
            return True
    return False


@rule
def prey(view: Record) -> tuple[int, int]:
    """Finds the nearest enemy carrier, or NOWHERE. None is beside the bee: that one would have been a victim."""
    side = view.window.shape[0]
    top, left = view.row - side // 2, view.col - side // 2
    row, col, least = NOWHERE, NOWHERE, side
    for i in range(side):
        for j in range(side):
            if view.window[i, j] == CARRIER + 1 - view.player:
                away = distance(i - side // 2, j - side // 2)
                if 1 < away < least:
                    row, col, least = top + i, left + j, away
    return row, col


# The siege


@rule
def besiege(arena: Record, view: Record, memory: Record) -> int:
    """Walls in the enemy's hive, one cell beside it after the other; when all are closed, the bee walks at random."""
    direction = gap_beside(arena, view)
    if direction != NOWHERE:
        return order(BUILD, direction)
    row, col = hive_row(arena), hive_col(arena, 1 - view.player)
    if distance(row - view.row, col - view.col) > NEAR_HIVE:
        return approach(arena, view, memory, row, col)
    for turn in range(8):
        direction = front_first(view.player, turn)
        to_row, to_col = row + arena.row_step[direction], col + arena.col_step[direction]
        if open_to(arena, view, memory.forager, to_row, to_col):
            return approach(arena, view, memory, to_row, to_col)
    return order(MOVE, draw(arena, memory, 8))


@rule
def front_first(player: int, turn: int) -> int:
    """Orders the directions so that the side from which the enemy comes home is first."""
    return (1 + turn if player == 1 else 7 - turn) & 7


@rule
def gap_beside(arena: Record, view: Record) -> int:
    """Finds the direction of an empty cell that is beside the bee and beside the enemy's hive, or NOWHERE."""
    south = view.row - hive_row(arena)
    east = view.col - hive_col(arena, 1 - view.player)
    for turn in range(8):
        direction = front_first(view.player, turn)
        away = distance(south + arena.row_step[direction], east + arena.col_step[direction])
        if away == 1 and neighbour(arena, view, direction) == EMPTY:
            return direction
    return NOWHERE


@rule
def open_to(arena: Record, view: Record, lore: Record, row: int, col: int) -> bool:
    """Tells whether the bee could walk onto this cell, as far as is known; its own cell does not count."""
    if row < 0 or row >= arena.rows or col < 0 or col >= arena.cols or (row == view.row and col == view.col):
        return False
    return lore.chart[row, col] <= PLAIN
