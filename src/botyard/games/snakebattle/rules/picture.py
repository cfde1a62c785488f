"""The picture: one board for all seats, kept up to date (specification 2.2 and 2.3).

A cell holds the code that everybody but the owner sees and, in its upper bits, the owner's seat plus one, so a seat's
board is computed cell by cell. Snakes are removed from the picture before anything changes and drawn again afterwards.
"""

from __future__ import annotations

from botyard.games.snakebattle.layout import DOWN, LEFT, RIGHT, UP
from botyard.games.snakebattle.map.alphabet import (
    ENEMY,
    HEAD,
    HEAD_DEAD,
    HEAD_EVIL,
    HEAD_FLY,
    HEAD_SLEEP,
    HORIZONTAL,
    LEFT_DOWN,
    LEFT_UP,
    RIGHT_DOWN,
    RIGHT_UP,
    TAIL,
    TAIL_SLEEP,
    VERTICAL,
)
from botyard.games.snakebattle.rules.body import step_of
from botyard.kernel.records import Record
from botyard.kernel.rule import rule

OWNER = 256  # a cell of the picture is OWNER × (seat + 1) + code


@rule
def show_ground(state: Record, cell: int) -> None:
    width = state.picture.shape[1]
    state.picture[cell // width, cell % width] = state.ground[cell]


@rule
def lift_snakes(arena: Record, state: Record) -> None:
    for at in range(state.players):
        snake = state.snakes[state.roster[at]]
        cell = snake.head
        for k in range(snake.length):
            show_ground(state, cell)
            cell -= arena.delta[step_of(snake, k)]


@rule
def lay_snakes(arena: Record, state: Record) -> None:
    """Draws all bodies, then the heads of dead snakes, which cover everything."""
    for at in range(state.players):
        lay_snake(arena, state, state.roster[at])
    for at in range(state.players):
        seat = state.roster[at]
        snake = state.snakes[seat]
        if snake.length > 0 and not snake.alive:
            lay_dead_head(state, seat)


@rule
def lay_snake(arena: Record, state: Record, seat: int) -> None:
    snake = state.snakes[seat]
    if snake.length == 0:
        return
    if snake.alive:
        lay(state, seat, snake.head, head_code(snake))
    goes = step_of(snake, 0)
    cell = snake.head - arena.delta[goes]
    for k in range(1, snake.length - 1):
        came = step_of(snake, k)
        lay(state, seat, cell, arena.bend[came, goes])
        goes = came
        cell -= arena.delta[goes]
    if snake.length > 1:
        lay(state, seat, snake.tail, ENEMY + TAIL + goes if snake.awake else ENEMY + TAIL_SLEEP)


@rule
def lay(state: Record, seat: int, cell: int, code: int) -> None:
    """Draws one part of a snake unless something hides it; within a snake, parts nearer to the head hide others."""
    width = state.picture.shape[1]
    owner = state.picture[cell // width, cell % width] // OWNER
    if owner == 0 or (owner - 1 != seat and above(state.snakes[seat], state.snakes[owner - 1])):
        state.picture[cell // width, cell % width] = OWNER * (seat + 1) + code


@rule
def above(snake: Record, other: Record) -> bool:
    """Tells whether a snake hides another that comes before it in the player list."""
    if (snake.flying > 0) != (other.flying > 0):
        return snake.flying > 0
    return snake.length < other.length


@rule
def lay_dead_head(state: Record, seat: int) -> None:
    """Draws a dead head; of several on one cell, that of the shortest snake is seen."""
    width = state.picture.shape[1]
    snake = state.snakes[seat]
    shown = state.picture[snake.head // width, snake.head % width]
    if shown % OWNER == ENEMY + HEAD_DEAD and state.snakes[shown // OWNER - 1].length <= snake.length:
        return
    state.picture[snake.head // width, snake.head % width] = OWNER * (seat + 1) + ENEMY + HEAD_DEAD


@rule
def head_code(snake: Record) -> int:
    """Returns the code of a living snake's head: asleep, else flying, else furious, else its direction."""
    if not snake.awake:
        return ENEMY + HEAD_SLEEP
    if snake.flying > 0:
        return ENEMY + HEAD_FLY
    if snake.fury > 0:
        return ENEMY + HEAD_EVIL
    return ENEMY + HEAD + snake.direction


@rule
def joins(part: int, direction: int) -> bool:
    """Tells whether a part of a body leads on in a direction."""
    if part == HORIZONTAL:
        return direction == LEFT or direction == RIGHT
    if part == VERTICAL:
        return direction == UP or direction == DOWN
    if part == LEFT_DOWN:
        return direction == LEFT or direction == DOWN
    if part == LEFT_UP:
        return direction == LEFT or direction == UP
    if part == RIGHT_DOWN:
        return direction == RIGHT or direction == DOWN
    return part == RIGHT_UP and (direction == RIGHT or direction == UP)
