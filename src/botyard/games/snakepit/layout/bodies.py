"""Bodies as lists of cells, for code that reads and writes whole states: drawings, recordings, checks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, TypeAlias

from botyard.games.snakepit.layout import SNAKE, STAY, STEP_X, STEP_Y, STEPS_PER_WORD
from botyard.kernel.errors import BadRecord

Cell: TypeAlias = tuple[int, int]


def alive(state: Any, seat: int) -> bool:
    return bool(int(state.living) >> seat & 1)


def last_tick(state: Any, seat: int) -> int:
    """Returns the tick of a snake's last step; a snake never makes the step that kills it."""
    return int(state.tick) if alive(state, seat) else int(state.died[seat]) - 1


def has_body(state: Any, seat: int) -> bool:
    return bool(state.snakes[seat]["head_x"])


def read_steps(state: Any, seat: int, slots: int) -> list[int]:
    """Returns the directions of a body's steps, the last one first."""
    last, snake = last_tick(state, seat), state.snakes[seat]
    places = [(last - back) % slots for back in range(int(snake["length"]) - 1)]
    ring = state.ring[:, seat].tolist()
    steps = [ring[at // STEPS_PER_WORD] >> 2 * (at % STEPS_PER_WORD) & 3 for at in places]
    if snake["pause"]:
        steps[snake["pause"] - 1] = STAY
    return steps


def read_body(state: Any, seat: int, slots: int) -> list[Cell]:
    """Returns the cells from head to tail; none for a snake that was taken away."""
    if not has_body(state, seat):
        return []
    snake = state.snakes[seat]
    cells = [(int(snake["head_x"]), int(snake["head_y"]))]
    for direction in read_steps(state, seat, slots):
        x, y = cells[-1]
        cells.append((x - STEP_X[direction], y - STEP_Y[direction]))
    return cells


def write_body(state: Any, seat: int, slots: int, cells: Sequence[Cell]) -> None:
    """Writes a body from head to tail. Tick, life and death must be set before; the grid is not changed."""
    snake = state.snakes[seat]
    snake["head_x"], snake["head_y"] = cells[0]
    snake["tail_x"], snake["tail_y"] = cells[-1]
    snake["length"] = len(cells)
    last = last_tick(state, seat)
    for back, ((to_x, to_y), (x, y)) in enumerate(pairwise(cells)):
        at = (last - back) % slots
        step = direction_of(to_x - x, to_y - y)
        if step != STAY:
            state.ring[at // STEPS_PER_WORD, seat] |= step << 2 * (at % STEPS_PER_WORD)
        elif snake["pause"]:
            raise BadRecord("a body has two steps on the spot", hint="it can have one at most")
        else:
            snake["pause"] = back + 1


def direction_of(right: int, down: int) -> int:
    for direction, step in enumerate(zip(STEP_X, STEP_Y, strict=True)):
        if step == (right, down):
            return direction
    raise BadRecord("a body has a gap", hint="each of its cells must lie beside the next one")


def on_board(arena: Any, cell: Cell) -> bool:
    return bool(1 <= cell[0] <= arena.real_width and 1 <= cell[1] <= arena.real_height)


def mark(arena: Any, state: Any, cells: Sequence[Cell]) -> None:
    for x, y in cells:
        if on_board(arena, (x, y)):
            state.cells[y - 1, x - 1] = SNAKE
