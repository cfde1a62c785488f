"""What a learner of Snakepit senses: the board around its head, from a chart that it keeps as the house bots do.

A view tells only of heads, of the cells that tails have left and of the pellet, so whose body lies where is remembered.
"""

from __future__ import annotations

from typing import Any

from botyard.games.snakepit.bots.chart import contested, is_free, keep_chart
from botyard.games.snakepit.bots.search import room
from botyard.games.snakepit.layout import DIRECTIONS
from botyard.games.snakepit.rules.ending import place_of
from botyard.kernel.offsets import offset, rolled, sign
from botyard.kernel.records import Record
from botyard.kernel.rule import rule
from botyard.kernel.senses import SensedNumber

CODES = (
    "empty",
    "the pellet",
    "beyond the edge",
    "the own head",
    "the own body",
    "a rival's head",
    "a rival's body",
    "the body of a dead snake",
)
EMPTY, PELLET, OUTSIDE, OWN_HEAD, OWN_BODY, RIVAL_HEAD, RIVAL_BODY, DEAD_BODY = range(8)

SIDES = ("right", "left", "up", "down")  # by direction
MOST = 255
MANY = 16
ROOM = 64  # so far is counted how much room there is behind a step
FAR = 1 << 30

NUMBERS = (
    SensedNumber("length", 0, MOST, "cells of the own snake, at most 255"),
    SensedNumber("rivals", 0, MANY, "rivals alive, at most 16"),
    SensedNumber("age", 0, MOST, "ticks played, in units of 8, at most 255"),
    SensedNumber("x", 0, MOST, "the own column, from 1, at most 255"),
    SensedNumber("y", 0, MOST, "the own row, from 1 at the top, at most 255"),
    SensedNumber("pellet", 0, 1, "1 if there is a pellet"),
    SensedNumber("pellet_south_sign", 0, 2, "whether it lies up (0), level (1) or down (2)"),
    SensedNumber("pellet_east_sign", 0, 2, "whether it lies left (0), level (1) or right (2)"),
    SensedNumber("pellet_south", 0, 16, "rows to it plus 8, at most 8 either way"),
    SensedNumber("pellet_east", 0, 16, "columns to it plus 8, at most 8 either way"),
    SensedNumber("pellet_race", 0, 2, "whether a rival is nearer to it (0), as near (1) or all are farther (2)"),
    SensedNumber("rival_south", 0, 16, "rows to the nearest rival's head plus 8, at most 8 either way"),
    SensedNumber("rival_east", 0, 16, "columns to it plus 8, at most 8 either way"),
    *(SensedNumber(f"room_{side}", 0, ROOM, f"free cells behind a step {side}, at most 64") for side in SIDES),
    *(SensedNumber(f"contested_{side}", 0, 1, f"1 if a rival may enter the cell {side}, too") for side in SIDES),
)

# What a position is worth: nine pellets are a life, and so is the last place alive. Pellets of rivals are left out,
# because there may be eleven of them.
PELLET_WORTH, LIFE, OUTLIVED, BEHIND = 20, 180, 20, 60


def sense_shape(arena: Any) -> tuple[int, int]:
    return int(arena.real_height) + 1, int(arena.real_width) + 1


@rule
def note(arena: Record, view: Record, memory: Record) -> None:
    """Keeps the chart, and counts the room behind each step: a search needs the memory to write to."""
    keep_chart(arena, view, memory)
    own_x, own_y = view.heads[view.seat, 0], view.heads[view.seat, 1]
    for direction in range(DIRECTIONS):
        x, y = own_x + arena.step_x[direction], own_y + arena.step_y[direction]
        memory.rooms[direction] = room(arena, memory, x, y, ROOM) if is_free(arena, memory, x, y) else 0


@rule
def sense(arena: Record, view: Record, memory: Record, row: int, col: int) -> int:
    y = rolled(row, view.heads[view.seat, 1] - 1, arena.real_height) + 1
    x = rolled(col, view.heads[view.seat, 0] - 1, arena.real_width) + 1
    if y > arena.real_height or x > arena.real_width:
        return OUTSIDE
    owner = memory.owner[y - 1, x - 1]
    if owner == 0:
        return PELLET if view.pellet_x == x and view.pellet_y == y else EMPTY
    if not view.alive[owner - 1]:
        return DEAD_BODY
    head = view.heads[owner - 1, 0] == x and view.heads[owner - 1, 1] == y
    if owner - 1 == view.seat:
        return OWN_HEAD if head else OWN_BODY
    return RIVAL_HEAD if head else RIVAL_BODY


@rule
def numbers(arena: Record, view: Record, memory: Record, out: Record) -> None:
    own_x, own_y = view.heads[view.seat, 0], view.heads[view.seat, 1]
    out[0] = min(memory.length, MOST)
    out[1] = min(rivals(arena, view), MANY)
    out[2] = min(view.tick >> 3, MOST)
    out[3], out[4] = min(own_x, MOST), min(own_y, MOST)
    out[5] = view.pellet_x != 0
    south, east = view.pellet_y - own_y, view.pellet_x - own_x
    if view.pellet_x == 0:
        south, east = 0, 0
    out[6], out[7] = 1 + sign(south), 1 + sign(east)
    out[8], out[9] = offset(south), offset(east)
    out[10] = 1
    if view.pellet_x != 0:
        out[10] = 1 + sign(nearest_away(arena, view, view.pellet_x, view.pellet_y) - abs(south) - abs(east))
    out[11], out[12] = offset(0), offset(0)
    tell_rival(arena, view, out, 11)
    for direction in range(DIRECTIONS):
        x, y = own_x + arena.step_x[direction], own_y + arena.step_y[direction]
        out[13 + direction] = memory.rooms[direction]
        out[17 + direction] = contested(arena, view, x, y)


@rule
def rivals(arena: Record, view: Record) -> int:
    count = 0
    for seat in range(arena.snakes):
        count += seat != view.seat and view.alive[seat] != 0
    return count


@rule
def nearest_away(arena: Record, view: Record, x: int, y: int) -> int:
    """Returns how far the nearest rival's head is from a cell, FAR if there is no rival."""
    least = FAR
    for seat in range(arena.snakes):
        if seat != view.seat and view.alive[seat]:
            least = min(least, abs(view.heads[seat, 0] - x) + abs(view.heads[seat, 1] - y))
    return least


@rule
def tell_rival(arena: Record, view: Record, out: Record, at: int) -> None:
    """Writes the offset of the nearest rival's head."""
    own_x, own_y = view.heads[view.seat, 0], view.heads[view.seat, 1]
    least = nearest_away(arena, view, own_x, own_y)
    for seat in range(arena.snakes):
        south, east = view.heads[seat, 1] - own_y, view.heads[seat, 0] - own_x
        if seat != view.seat and view.alive[seat] and abs(south) + abs(east) == least:
            out[at], out[at + 1] = offset(south), offset(east)


@rule
def worth(arena: Record, state: Record, seat: int) -> int:
    total = PELLET_WORTH * state.snakes[seat].pellets
    if state.over and not state.wash:
        total += BEHIND * (arena.snakes - 1 - place_of(arena, state, seat))
    if state.died[seat]:
        total -= LIFE
    for other in range(arena.snakes):
        outlived = state.died[seat] == 0 or state.died[other] < state.died[seat]
        total += OUTLIVED * (state.died[other] != 0 and outlived)
    return total
