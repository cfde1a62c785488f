"""Bodies: the grid they are marked on, the rings of steps, and how a snake crawls and is taken away."""

from __future__ import annotations

from botyard.games.snakepit.layout import EMPTY, FARTHEST_PAUSE, NOWHERE, SNAKE, STAY
from botyard.kernel.facts import FAULT_OF
from botyard.kernel.records import Record
from botyard.kernel.rule import rule

# What happens to a snake in a tick.
LIVES, EATS, DIES = range(3)


@rule
def inside(arena: Record, x: int, y: int) -> bool:
    return 1 <= x <= arena.real_width and 1 <= y <= arena.real_height


@rule
def is_living(state: Record, seat: int) -> bool:
    return (state.living >> seat) & 1 != 0


# The ring: two bits per tick


@rule
def put_step(state: Record, seat: int, slot: int, direction: int) -> None:
    """Writes the direction in which a head entered its cell into a slot that is clear."""
    state.ring[slot >> 4, seat] |= direction << (2 * (slot & 15))


@rule
def take_step(state: Record, seat: int, slot: int) -> int:
    """Reads a slot and clears it."""
    word = state.ring[slot >> 4, seat]
    shift = 2 * (slot & 15)
    direction = (word >> shift) & 3
    state.ring[slot >> 4, seat] = word ^ (direction << shift)
    return direction


# Crawling


@rule
def advance(arena: Record, state: Record, seat: int) -> None:
    """Moves the head into the cell it aims at; the tail follows unless the snake still has to grow (3.3, step 6).

    The new head is marked before the old tail is cleared, and neither checks who else is on the cell (10.2).
    """
    snake = state.snakes[seat]
    if snake.pause:
        age_pause(state, seat)
    if snake.facing == STAY:
        stay(state, seat)
    else:
        put_step(state, seat, state.tick & (arena.slots - 1), snake.facing)
    snake.head_x = snake.aim_x
    snake.head_y = snake.aim_y
    state.cells[snake.head_y - 1, snake.head_x - 1] = SNAKE
    if snake.growing > 0 and snake.length < arena.slots:
        grow(state, seat)
    else:
        draw_in(arena, state, seat)
    snake.aim_x = 0
    snake.aim_y = 0
    snake.fate = LIVES


@rule
def stay(state: Record, seat: int) -> None:
    """Notes a step on the spot. A snake survives it only if its own head is not marked on the grid (2.3, 10.1).

    The ring cannot hold such a step, so `pause` keeps its place in the body; there is room for one. A second one while
    the first is still in the body is blamed on the bot, because it has sent two invalid answers.
    """
    snake = state.snakes[seat]
    if snake.pause:
        blame(state, seat)
    else:
        snake.pause = 1


@rule
def age_pause(state: Record, seat: int) -> None:
    """Moves the step on the spot one step further from the head."""
    snake = state.snakes[seat]
    if snake.pause == FARTHEST_PAUSE:
        blame(state, seat)
    else:
        snake.pause += 1


@rule
def blame(state: Record, seat: int) -> None:
    """Notes that a bot's answers made a body that the record cannot hold; one tick can blame several bots."""
    state.fault |= FAULT_OF << seat


@rule
def grow(state: Record, seat: int) -> None:
    """Adds a cell to a body by leaving its tail where it is.

    A body never gets longer than its ring. Only a body that overlaps itself could: it keeps its length and still has
    cells to grow.
    """
    snake = state.snakes[seat]
    snake.growing -= 1
    snake.left_x = NOWHERE
    snake.left_y = NOWHERE
    snake.length += 1


@rule
def draw_in(arena: Record, state: Record, seat: int) -> None:
    """Moves the tail to the next cell of the body."""
    snake = state.snakes[seat]
    x, y = snake.tail_x, snake.tail_y
    snake.left_x = x
    snake.left_y = y
    if inside(arena, x, y):
        state.cells[y - 1, x - 1] = EMPTY
    if snake.pause == snake.length:
        snake.pause = 0  # the next cell of the body is the same cell again
    else:
        direction = take_step(state, seat, (state.tick - snake.length + 1) & (arena.slots - 1))
        snake.tail_x = x + arena.step_x[direction]
        snake.tail_y = y + arena.step_y[direction]


# Dying


@rule
def die(arena: Record, state: Record, seat: int) -> None:
    """Kills a snake before its last step; its body leaves the board or stays as an obstacle (3.3, step 7)."""
    snake = state.snakes[seat]
    state.living &= ~(1 << seat)
    state.died[seat] = state.tick
    rest(snake)
    if not arena.preserve_dead:
        take_away(arena, state, seat, state.tick - 1)


@rule
def rest(snake: Record) -> None:
    """Clears what a snake needs only while it moves."""
    snake.left_x = 0
    snake.left_y = 0
    snake.aim_x = 0
    snake.aim_y = 0
    snake.fate = LIVES


@rule
def take_away(arena: Record, state: Record, seat: int, last_tick: int) -> None:
    """Clears all cells of a body and its ring; `last_tick` is the tick of its last step."""
    snake = state.snakes[seat]
    x, y = snake.tail_x, snake.tail_y
    slot = last_tick - snake.length + 1
    for _ in range(snake.length):
        if inside(arena, x, y):
            state.cells[y - 1, x - 1] = EMPTY
        slot += 1
        if slot <= last_tick:
            direction = take_step(state, seat, slot & (arena.slots - 1))
            if last_tick - slot + 1 != snake.pause:
                x += arena.step_x[direction]
                y += arena.step_y[direction]
    snake.pause = 0
    snake.head_x = 0
    snake.head_y = 0
    snake.tail_x = 0
    snake.tail_y = 0


# Starting over


@rule
def clear(arena: Record, state: Record) -> None:
    """Zeroes a state except for its chance, but only where it is not zero: a state is large and mostly empty."""
    if state.fault:
        scrub(state)  # after a fault, bodies and rings may disagree
    for seat in range(arena.snakes):
        snake = state.snakes[seat]
        if snake.head_x > 0:
            last_tick = state.tick if is_living(state, seat) else state.died[seat] - 1
            take_away(arena, state, seat, last_tick)
        rest(snake)
        snake.length = 0
        snake.growing = 0
        snake.pellets = 0
        snake.facing = 0
        state.died[seat] = 0
    if state.pellet_x > 0:
        state.cells[state.pellet_y - 1, state.pellet_x - 1] = EMPTY
    state.tick = 0
    state.hunger = 0
    state.living = 0
    state.gone = 0
    state.pellet_x = 0
    state.pellet_y = 0
    state.last_man = 0
    state.over = 0
    state.fault = 0
    state.wash = 0
    state.starved = 0
    state.eaten = 0
    state.fresh = 0


@rule
def scrub(state: Record) -> None:
    rows, cols = state.cells.shape
    for row in range(rows):
        for col in range(cols):
            state.cells[row, col] = EMPTY
    rows, cols = state.ring.shape
    for row in range(rows):
        for col in range(cols):
            state.ring[row, col] = 0
