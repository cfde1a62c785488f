"""The chart: whose body lies where, kept up to date with what every bot is told (6.3)."""

from __future__ import annotations

from botyard.games.snakepit.layout import NOWHERE
from botyard.games.snakepit.rules.body import inside
from botyard.kernel.records import Record
from botyard.kernel.rule import rule


@rule
def keep_chart(arena: Record, view: Record, memory: Record) -> None:
    """Adds the last tick to the chart; before the first tick all bodies stand upright below their heads."""
    if view.tick == 0:
        lay_out(arena, view, memory)
        return
    for seat in range(arena.snakes):
        if view.alive[seat]:
            lift_tail(arena, view, memory, seat)
    for seat in range(arena.snakes):
        if view.alive[seat]:
            note(arena, memory, view.heads[seat, 0], view.heads[seat, 1], seat + 1)
        elif (memory.known >> seat) & 1:
            bury(arena, memory, seat)


@rule
def lay_out(arena: Record, view: Record, memory: Record) -> None:
    memory.length = arena.body_cells
    for seat in range(arena.snakes):
        memory.known |= 1 << seat
        for below in range(arena.body_cells):
            note(arena, memory, view.heads[seat, 0], view.heads[seat, 1] + below, seat + 1)


@rule
def lift_tail(arena: Record, view: Record, memory: Record, seat: int) -> None:
    x, y = view.tails[seat, 0], view.tails[seat, 1]
    if x != NOWHERE:
        note(arena, memory, x, y, 0)
    elif seat == view.seat:
        memory.length += 1


@rule
def note(arena: Record, memory: Record, x: int, y: int, owner: int) -> None:
    if inside(arena, x, y):
        memory.owner[y - 1, x - 1] = owner


@rule
def bury(arena: Record, memory: Record, seat: int) -> None:
    """Notes that a snake which the view no longer has is dead; its body goes unless dead bodies stay on the board."""
    memory.known &= ~(1 << seat)
    if not arena.preserve_dead:
        for row in range(arena.real_height):
            for col in range(arena.real_width):
                if memory.owner[row, col] == seat + 1:
                    memory.owner[row, col] = 0


@rule
def is_free(arena: Record, memory: Record, x: int, y: int) -> bool:
    return inside(arena, x, y) and memory.owner[y - 1, x - 1] == 0


@rule
def contested(arena: Record, view: Record, x: int, y: int) -> bool:
    """Tells whether a rival's head could enter the cell in this tick too."""
    for seat in range(arena.snakes):
        if seat != view.seat and view.alive[seat]:
            if abs(view.heads[seat, 0] - x) + abs(view.heads[seat, 1] - y) == 1:
                return True
    return False
