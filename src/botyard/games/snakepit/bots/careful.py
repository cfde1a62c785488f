"""Careful: eats, avoids rivals, and does not go where it would be shut in if it can help it."""

from __future__ import annotations

from botyard.games.snakepit.bots.chart import contested, is_free, keep_chart
from botyard.games.snakepit.bots.search import room, way_to
from botyard.games.snakepit.layout import DIRECTIONS, RIGHT
from botyard.kernel.records import Record
from botyard.kernel.rule import rule


@rule
def careful(arena: Record, view: Record, memory: Record) -> int:
    keep_chart(arena, view, memory)
    return go_safely(arena, view, memory, view.pellet_x, view.pellet_y)


@rule
def go_safely(arena: Record, view: Record, memory: Record, goal_x: int, goal_y: int) -> int:
    """Takes the step with the highest worth; among equals, the one towards the goal."""
    wish = way_to(arena, view, memory, goal_x, goal_y)
    best, most = RIGHT, 0
    for direction in range(DIRECTIONS):
        value = worth(arena, view, memory, direction)
        if value > 0 and direction == wish:
            value += 1
        if value > most:
            best, most = direction, value
    return best


@rule
def worth(arena: Record, view: Record, memory: Record, direction: int) -> int:
    """Values a step by the room behind it, up to what a body needs to turn round.

    It is worth less where a rival may meet us, and 0 where death is certain.
    """
    x = view.heads[view.seat, 0] + arena.step_x[direction]
    y = view.heads[view.seat, 1] + arena.step_y[direction]
    if not is_free(arena, memory, x, y):
        return 0
    space = 2 * room(arena, memory, x, y, 2 * memory.length + arena.growth)
    if contested(arena, view, x, y):
        return 2 + space // 8
    return space
