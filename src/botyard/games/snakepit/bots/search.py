"""Searches over the chart: how much room there is, and the way to a cell. Both spread over free cells in waves."""

from __future__ import annotations

from botyard.games.snakepit.bots.chart import is_free
from botyard.games.snakepit.layout import DIRECTIONS, NOWHERE
from botyard.kernel.records import Record
from botyard.kernel.rule import rule

LAST_SEARCH = 0xFFFF  # numbers are 16 bits wide


@rule
def begin_search(memory: Record) -> None:
    """Starts a search with a new number, under which no cell counts as seen."""
    if memory.search == LAST_SEARCH:
        rows, cols = memory.seen.shape
        for row in range(rows):
            for col in range(cols):
                memory.seen[row, col] = 0
        memory.search = 0
    memory.search += 1


@rule
def reach(arena: Record, memory: Record, x: int, y: int, waiting: int) -> int:
    """Appends a cell to the `waiting` ones if it is free and new to this search; returns how many wait then."""
    if not is_free(arena, memory, x, y) or memory.seen[y - 1, x - 1] == memory.search:
        return waiting
    memory.seen[y - 1, x - 1] = memory.search
    memory.queue[waiting] = (y - 1) * memory.seen.shape[1] + x - 1
    return waiting + 1


@rule
def spread(arena: Record, memory: Record, at: int, waiting: int) -> int:
    """Reaches the neighbours of the cell at place `at` of the queue; returns how many cells wait then."""
    x, y = cell_of(memory, at)
    for direction in range(DIRECTIONS):
        waiting = reach(arena, memory, x + arena.step_x[direction], y + arena.step_y[direction], waiting)
    return waiting


@rule
def cell_of(memory: Record, at: int) -> tuple[int, int]:
    cols = memory.seen.shape[1]
    return memory.queue[at] % cols + 1, memory.queue[at] // cols + 1


@rule
def room(arena: Record, memory: Record, x: int, y: int, enough: int) -> int:
    """Counts the free cells connected to a free cell, which counts too; counting ends at `enough`."""
    begin_search(memory)
    waiting = reach(arena, memory, x, y, 0)
    at = 0
    while at < waiting < enough:
        waiting = spread(arena, memory, at, waiting)
        at += 1
    return min(waiting, enough)


@rule
def way_to(arena: Record, view: Record, memory: Record, goal_x: int, goal_y: int) -> int:
    """Finds the direction of the first step of a shortest way, or NOWHERE. The search begins at the goal."""
    begin_search(memory)
    waiting = reach(arena, memory, goal_x, goal_y, 0)
    at = 0
    while at < waiting:
        direction = step_onto(arena, view, memory, at)
        if direction != NOWHERE:
            return direction
        waiting = spread(arena, memory, at, waiting)
        at += 1
    return NOWHERE


@rule
def step_onto(arena: Record, view: Record, memory: Record, at: int) -> int:
    """Returns the direction in which the bot's own head would enter a cell of the queue, or NOWHERE."""
    x, y = cell_of(memory, at)
    right, down = x - view.heads[view.seat, 0], y - view.heads[view.seat, 1]
    for direction in range(DIRECTIONS):
        if right == arena.step_x[direction] and down == arena.step_y[direction]:
            return direction
    return NOWHERE
