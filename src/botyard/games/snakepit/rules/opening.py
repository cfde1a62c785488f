"""The start of a game, and every pellet after it (2)."""

from __future__ import annotations

from botyard.games.snakepit.layout import EMPTY, NOBODY, NOWHERE, PELLET, RIGHT, SNAKE, UP
from botyard.games.snakepit.rules.body import clear, inside, put_step
from botyard.kernel.chance import draw, start_chance
from botyard.kernel.records import Record
from botyard.kernel.rule import rule

TRIES = 10_000  # random positions to try before all that fit are counted
START_OVERS = 100  # set-ups to try before the board counts as too small


@rule
def set_up(arena: Record, state: Record, seed: int) -> None:
    """Sets up the start of a game (2.3). The caller passes a zeroed state."""
    start_chance(state.chance, arena.chance_kind, seed)
    for _ in range(START_OVERS):
        state.last_man = NOBODY
        if lay_out(arena, state) or state.chance.fault:
            return
        clear(arena, state)
    state.fault = 1  # the board is too small for these snakes
    state.over = 1


@rule
def lay_out(arena: Record, state: Record) -> bool:
    """Places the pellet, then the snakes by ascending id; tells whether all of them found a place."""
    lay_first_pellet(arena, state)
    for seat in range(arena.snakes):
        x, y = find_place(arena, state, arena.body_cells if arena.clean_start else 1)
        if x == 0:
            return False
        lay_snake(arena, state, seat, x, y)
    return True


@rule
def lay_first_pellet(arena: Record, state: Record) -> None:
    x, y = max(1, arena.width // 2), max(1, arena.height // 2)
    if arena.rand_start_pellet or not inside(arena, x, y):
        x, y = find_place(arena, state, 1)
    lay_pellet(state, x, y)


@rule
def lay_pellet(state: Record, x: int, y: int) -> None:
    state.pellet_x = x
    state.pellet_y = y
    if x > 0:
        state.cells[y - 1, x - 1] = PELLET


@rule
def lay_snake(arena: Record, state: Record, seat: int, x: int, y: int) -> None:
    """Lays a snake upright with its head on top, whatever lies there; cells outside the board are not marked (2.3)."""
    snake = state.snakes[seat]
    snake.head_x = x
    snake.head_y = y
    snake.tail_x = x
    snake.tail_y = y + arena.body_cells - 1
    snake.left_x = NOWHERE
    snake.left_y = NOWHERE
    snake.length = arena.body_cells
    snake.facing = RIGHT
    for at in range(arena.body_cells):
        if inside(arena, x, y + at):
            state.cells[y + at - 1, x - 1] = SNAKE
        if at > 0:
            put_step(state, seat, (1 - at) & (arena.slots - 1), UP)
    state.living |= 1 << seat


# Places


@rule
def find_place(arena: Record, state: Record, cells: int) -> tuple[int, int]:
    """Finds a random place with this many free cells from there down, all equally likely; (0, 0) if none (2.4)."""
    for _ in range(TRIES):
        x = 1 + draw(arena, state, arena.width)
        y = 1 + draw(arena, state, arena.height)
        if fits(arena, state, x, y, cells):
            return x, y
        if state.chance.fault:
            return 0, 0  # a tape that has run out would never find a place
    return pick_place(arena, state, cells)


@rule
def pick_place(arena: Record, state: Record, cells: int) -> tuple[int, int]:
    """Chooses among all places that fit, with one draw."""
    count = 0
    for y in range(1, arena.height + 1):
        for x in range(1, arena.width + 1):
            count += fits(arena, state, x, y, cells)
    if count == 0:
        return 0, 0
    left = 1 + draw(arena, state, count)
    x, y = 0, 1
    while left > 0:
        x += 1
        if x > arena.width:
            x, y = 1, y + 1
        left -= fits(arena, state, x, y, cells)
    return x, y


@rule
def fits(arena: Record, state: Record, x: int, y: int, cells: int) -> bool:
    if not inside(arena, x, y) or not inside(arena, x, y + cells - 1):
        return False
    free = 0
    while free < cells and state.cells[y + free - 1, x - 1] == EMPTY:
        free += 1
    return free == cells


# Later pellets (2.5)


@rule
def drop_pellet(arena: Record, state: Record) -> None:
    """Places a new pellet if there is none; on a full board it tries again after each of the following ticks."""
    state.fresh = 0
    if state.pellet_x == 0:
        x, y = find_place(arena, state, 1)
        lay_pellet(state, x, y)
        state.fresh = x > 0
