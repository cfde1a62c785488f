"""The body of a snake: its cells, and how they come and go.

`cover` has one bit per seat in every cell, so one look shows whose snakes lie there. A snake that flies may lie over
itself; `folds` counts such cells, and only then a cell that is left must be searched for in the rest of the body.
"""

from __future__ import annotations

from botyard.games.snakebattle.layout import STEPS_PER_WORD
from botyard.kernel.chance import LOW32
from botyard.kernel.records import Record
from botyard.kernel.rule import rule


@rule
def step_of(snake: Record, k: int) -> int:
    """Returns the direction from cell k + 1 to cell k of a snake."""
    return ((snake.steps[k >> 4] & LOW32) >> (2 * (k & 15))) & 3  # `& LOW32` also makes it signed


@rule
def neck(arena: Record, snake: Record) -> int:
    """Returns the cell behind the head; -1 if there is none."""
    if snake.length < 2:
        return -1
    return snake.head - arena.delta[snake.steps[0] & 3]


@rule
def cover(state: Record, seat: int, cell: int) -> None:
    bit = 1 << seat
    if state.cover[cell] & bit:
        state.snakes[seat].folds += 1
    else:
        state.cover[cell] |= bit


@rule
def uncover(arena: Record, state: Record, seat: int, cell: int) -> None:
    """Unmarks a cell that a snake's tail has left, unless another part of the snake lies there."""
    snake = state.snakes[seat]
    if snake.folds > 0 and index_of(arena, snake, cell) >= 0:
        snake.folds -= 1
    else:
        state.cover[cell] ^= 1 << seat


@rule
def index_of(arena: Record, snake: Record, cell: int) -> int:
    """Returns the index of a cell in a snake, counted from the head; the largest if it is there twice, or -1."""
    found = -1
    at = snake.head
    for k in range(snake.length):
        if at == cell:
            found = k
        at -= arena.delta[step_of(snake, k)]  # behind the tail the steps are zero
    return found


@rule
def push_head(state: Record, seat: int, cell: int, direction: int) -> None:
    """Adds a new head beside the old one."""
    snake = state.snakes[seat]
    if snake.length == 0:
        snake.tail = cell
    carry = direction
    for word in range((snake.length + STEPS_PER_WORD - 1) // STEPS_PER_WORD):
        steps = snake.steps[word] & LOW32
        snake.steps[word] = ((steps << 2) | carry) & LOW32
        carry = steps >> 30
    snake.head = cell
    snake.length += 1
    cover(state, seat, cell)


@rule
def push_tail(arena: Record, state: Record, seat: int, cell: int) -> None:
    """Adds a cell beside the tail, as the new tail.

    A record holds as many cells as the largest board has. Only a snake that lies over itself gets so long, and then it
    grows no further.
    """
    snake = state.snakes[seat]
    k = snake.length - 1
    if snake.length >= STEPS_PER_WORD * len(snake.steps):
        return
    for direction in range(4):
        if cell + arena.delta[direction] == snake.tail:
            snake.steps[k >> 4] |= direction << (2 * (k & 15))
    snake.tail = cell
    snake.length += 1
    cover(state, seat, cell)


@rule
def drop_tail(arena: Record, state: Record, seat: int) -> None:
    snake = state.snakes[seat]
    cell = snake.tail
    snake.length -= 1
    if snake.length > 0:
        k = snake.length - 1
        direction = step_of(snake, k)
        snake.steps[k >> 4] ^= direction << (2 * (k & 15))
        snake.tail = cell + arena.delta[direction]
    uncover(arena, state, seat, cell)


@rule
def shorten(arena: Record, state: Record, seat: int, cells: int) -> None:
    for _ in range(cells):
        drop_tail(arena, state, seat)


@rule
def take_off(arena: Record, state: Record, seat: int) -> None:
    """Removes a whole snake, with all it carried and all that was pending for it."""
    snake = state.snakes[seat]
    shorten(arena, state, seat, snake.length)
    snake.head = 0
    snake.tail = 0
    snake.last_tail = 0
    snake.cut = 0
    snake.stones = 0
    snake.flying = 0
    snake.fury = 0
    snake.direction = 0
    snake.turn = 0
    snake.alive = 0
    snake.awake = 0
    snake.suicide = 0
    snake.died = 0
