"""The way to a cell.

The search covers only the seven by seven cells around the bee. They fit into one integer, cell (row, col) as the bit
8 × row + col, so a wave spreads over all of them at once with a few shifts. The eighth column stays empty and keeps the
rows apart.
"""

from __future__ import annotations

from botyard.games.hive.bots.chart import PLAIN
from botyard.games.hive.bots.sight import NOWHERE, distance, neighbour
from botyard.games.hive.layout import EMPTY, WALL
from botyard.kernel.records import Record
from botyard.kernel.rule import rule

REACH = 3
SIDE = 2 * REACH + 1
FIRST_COLUMN = 0x01_01_01_01_01_01_01
EDGE = 0x7F_41_41_41_41_41_7F
WAVES = 30  # if the wave has not arrived after this many steps, there is no way
WALL_TURNS = 2  # guard orders that a wall takes, on average by default settings; `path` is written for this number


@rule
def path(arena: Record, view: Record, lore: Record, row: int, col: int) -> int:
    """Finds the direction of the first step towards a cell, around obstacles or through walls, or NOWHERE.

    A wave starts from the goal or, if that is farther away, from the edge of the surroundings in the order of the
    distance to the goal, and spreads until it arrives beside the bee. It enters walls later,
    by the turns that they cost.
    """
    south, east = row - view.row, col - view.col
    ground, walls = surroundings(arena, view, lore)
    doors = ways_out(arena, view)
    radius = distance(south, east) - REACH
    wave, edge = 0, EDGE
    if radius <= 0:
        wave, edge = cell(south, east), 0
    one_ago = two_ago = 0
    for _ in range(WAVES):
        entered = ground & (spread(wave) | edge & box(south, east, radius))
        entered |= walls & (spread(two_ago) | edge & box(south, east, radius - WALL_TURNS))
        two_ago, one_ago, wave = one_ago, wave, wave | entered
        if wave & doors:
            return straightest(arena, wave & doors, south, east)
        radius += 1
    return NOWHERE


@rule
def cell(south: int, east: int) -> int:
    """Returns the bit of a cell, by its offset from the bee."""
    return 1 << (8 * (REACH + south) + REACH + east)


@rule
def surroundings(arena: Record, view: Record, lore: Record) -> tuple[int, int]:
    """Returns the cells that can be walked on, as far as is known, and the walls."""
    ground = walls = 0
    for south in range(-REACH, REACH + 1):
        row = view.row + south
        if row < 0 or row >= arena.rows:
            continue
        for east in range(-REACH, REACH + 1):
            col = view.col + east
            if col < 0 or col >= arena.cols:
                continue
            code = lore.chart[row, col]
            if code <= PLAIN:
                ground |= cell(south, east)
            elif code == WALL:
                walls |= cell(south, east)
    return ground, walls


@rule
def ways_out(arena: Record, view: Record) -> int:
    """Returns the neighbours of the bee that are free now or can be torn down."""
    doors = 0
    for direction in range(8):
        code = neighbour(arena, view, direction)
        if code == EMPTY or code == WALL:
            doors |= cell(arena.row_step[direction], arena.col_step[direction])
    return doors


@rule
def box(south: int, east: int, radius: int) -> int:
    """Returns the cells within `radius` moves of an offset from the bee, whatever stands on them."""
    top, bottom = max(REACH + south - radius, 0), min(REACH + south + radius, SIDE - 1)
    left, right = max(REACH + east - radius, 0), min(REACH + east + radius, SIDE - 1)
    if radius < 0 or top > bottom or left > right:
        return 0
    rows = FIRST_COLUMN & ((1 << (8 * bottom + 1)) - (1 << (8 * top)))
    return rows * ((1 << (right + 1)) - (1 << left))


@rule
def spread(cells: int) -> int:
    """Adds all neighbours to a set of cells; the caller must mask those outside the seven by seven."""
    wide = cells | (cells << 1) | (cells >> 1)
    return wide | (wide << 8) | (wide >> 8)


@rule
def straightest(arena: Record, doors: int, south: int, east: int) -> int:
    """Chooses the door nearest to an offset, so that the bee walks straight and arrives on the side it aims at."""
    best, least = NOWHERE, 0
    for direction in range(8):
        row_step, col_step = arena.row_step[direction], arena.col_step[direction]
        if doors & cell(row_step, col_step):
            down, across = south - row_step, east - col_step
            left = down * down + across * across  # the power operator would bring floats into the kernels
            if best == NOWHERE or left < least:
                best, least = direction, left
    return best
