"""The rules of Snakepit. Section numbers are those of the specification."""

from __future__ import annotations

from botyard.games.snakepit.layout import DIRECTIONS, EMPTY, PELLET, SNAKE, STAY
from botyard.games.snakepit.rules.body import DIES, EATS, LIVES, advance, clear, die, inside, is_living
from botyard.games.snakepit.rules.ending import judge, place, score
from botyard.games.snakepit.rules.opening import drop_pellet, set_up
from botyard.kernel.facts import NO_ORDER
from botyard.kernel.records import Record
from botyard.kernel.rule import rule

__all__ = [
    "allowed", "asked", "board_shape", "clear", "entrant", "forfeit", "look", "paint", "place", "score", "set_up",
    "step", "stray",
]  # fmt: skip


@rule
def step(arena: Record, state: Record, orders: Record) -> None:
    """Plays one tick (3.1)."""
    if state.over:
        return
    state.eaten = 0
    steer(arena, state, orders)
    state.tick += 1
    collide(arena, state)
    if arena.one_by_one:
        crawl_in_turn(arena, state)
    else:
        crawl_at_once(arena, state)
    drop_pellet(arena, state)
    judge(arena, state)
    if state.fault:
        state.over = 1  # the game is void, because its bodies cannot be trusted


# Directions (3.2)


@rule
def steer(arena: Record, state: Record, orders: Record) -> None:
    """Gives every snake its new direction and the cell it aims at."""
    living, gone = state.living, state.gone
    for seat in range(arena.snakes):
        if (living >> seat) & 1:
            snake = state.snakes[seat]
            if not (gone >> seat) & 1:
                turn(arena, snake, orders[seat])
            snake.aim_x = snake.head_x + arena.step_x[snake.facing]
            snake.aim_y = snake.head_y + arena.step_y[snake.facing]


@rule
def turn(arena: Record, snake: Record, order: int) -> None:
    """Turns a snake. Without an order it keeps its direction; an unknown order is a step on the spot, or ignored."""
    if 0 <= order < DIRECTIONS:
        snake.facing = order
    elif order != NO_ORDER and arena.unknown_stays:
        snake.facing = STAY


# Moves (3.3, 3.4)


@rule
def collide(arena: Record, state: Record) -> None:
    """Dooms all snakes that aim at the same cell, whatever lies there; a pellet there is lost to everybody."""
    living = state.living
    for seat in range(1, arena.snakes):
        if (living >> seat) & 1:
            x, y = state.snakes[seat].aim_x, state.snakes[seat].aim_y
            for other in range(seat):
                rival = state.snakes[other]
                if rival.aim_x == x and rival.aim_y == y:  # only dead snakes aim at (0, 0)
                    rival.fate = DIES
                    state.snakes[seat].fate = DIES
                    if fate_at(arena, state, x, y) == EATS:
                        state.cells[y - 1, x - 1] = EMPTY
                        consume(state)


@rule
def consume(state: Record) -> None:
    state.eaten = 1
    state.pellet_x = 0
    state.pellet_y = 0


@rule
def fate_at(arena: Record, state: Record, x: int, y: int) -> int:
    """Returns what happens to a snake that enters a cell, as the grid is now."""
    if not inside(arena, x, y):
        return DIES
    cell = state.cells[y - 1, x - 1]
    if cell == SNAKE:
        return DIES
    if cell == PELLET:
        return EATS
    return LIVES


@rule
def crawl_at_once(arena: Record, state: Record) -> None:
    """Tests all snakes on the board as it was before the tick; then the living move, and the dead are taken away."""
    living = state.living
    doomed = 0
    for seat in range(arena.snakes):
        if (living >> seat) & 1:
            snake = state.snakes[seat]
            if snake.fate != DIES:
                snake.fate = fate_at(arena, state, snake.aim_x, snake.aim_y)
            if snake.fate == DIES:
                doomed |= 1 << seat
    for seat in range(arena.snakes):
        if ((living & ~doomed) >> seat) & 1:
            crawl(arena, state, seat)
    if doomed:
        bury(arena, state, doomed)


@rule
def crawl_in_turn(arena: Record, state: Record) -> None:
    """Moves the snakes as the program does: by ascending id on the current board; collided ones are taken away last."""
    doomed = 0
    for seat in range(arena.snakes):
        if is_living(state, seat):
            snake = state.snakes[seat]
            if snake.fate == DIES:
                doomed |= 1 << seat
            else:
                snake.fate = fate_at(arena, state, snake.aim_x, snake.aim_y)
                if snake.fate == DIES:
                    die(arena, state, seat)
                else:
                    crawl(arena, state, seat)
    if doomed:
        bury(arena, state, doomed)


@rule
def crawl(arena: Record, state: Record, seat: int) -> None:
    """Moves one living snake; growth begins in the tick of eating."""
    snake = state.snakes[seat]
    if snake.fate == EATS:
        snake.pellets += 1
        snake.growing += arena.growth
        consume(state)
    advance(arena, state, seat)


@rule
def bury(arena: Record, state: Record, doomed: int) -> None:
    for seat in range(arena.snakes):
        if (doomed >> seat) & 1:
            die(arena, state, seat)


# Which seats are asked, and what they see


@rule
def asked(arena: Record, state: Record) -> int:
    """Returns the living snakes that somebody steers, one bit each."""
    if state.over:
        return 0
    return state.living & ~state.gone


@rule
def look(arena: Record, state: Record, seat: int, view: Record) -> None:
    """Fills in what every bot is told: the pellet and, of living snakes, heads and the cells their tails left (6.3)."""
    view.tick = state.tick
    view.pellet_x = state.pellet_x
    view.pellet_y = state.pellet_y
    view.fresh = state.fresh
    view.seat = seat
    living = state.living
    for other in range(arena.snakes):
        snake = state.snakes[other]
        alive = (living >> other) & 1
        # Multiplication is used because a branch would cost as much as everything else here.
        view.heads[other, 0] = alive * snake.head_x
        view.heads[other, 1] = alive * snake.head_y
        view.tails[other, 0] = alive * snake.left_x
        view.tails[other, 1] = alive * snake.left_y
        view.alive[other] = alive


@rule
def board_shape(arena: Record, view: Record) -> tuple[int, int]:
    """Returns an empty shape, because a view has no board: a bot keeps its own."""
    return 0, 0


@rule
def paint(arena: Record, state: Record, seat: int, view: Record, row: int, col: int) -> None:
    """Does nothing: there is no board to paint."""


@rule
def deadly(arena: Record, state: Record, seat: int, order: int) -> bool:
    """Tells whether a direction leads into a wall or into a body that lies there now."""
    snake = state.snakes[seat]
    x = snake.head_x + arena.step_x[order]
    y = snake.head_y + arena.step_y[order]
    return fate_at(arena, state, x, y) == DIES


@rule
def allowed(arena: Record, state: Record, seat: int, mask: Record) -> None:
    """Marks the directions that are not deadly at once; if every one is, it marks all."""
    ways = 0
    for order in range(DIRECTIONS):
        mask[order] = not deadly(arena, state, seat, order)
        ways += mask[order]
    if ways == 0:
        for order in range(DIRECTIONS):
            mask[order] = 1


@rule
def stray(arena: Record, state: Record, seat: int, dice: int) -> int:
    """Chooses a direction that is not deadly at once from 32 random bits."""
    for turns in range(DIRECTIONS):
        order = (dice + turns) & 3
        if not deadly(arena, state, seat, order):
            return order
    return dice & 3


@rule
def entrant(arena: Record, state: Record, seat: int) -> int:
    """Tells which bot plays this seat: snakes get their ids in the order the bots came."""
    return seat


@rule
def forfeit(arena: Record, state: Record, seat: int) -> None:
    """Leaves the snake without a bot: it goes straight on until it dies (3.2).

    If a bot never came there is no game at all, unless `on_connect_failure` is "straight" (6.1).
    """
    if state.over:
        return
    state.gone |= 1 << seat
    if state.tick == 0 and arena.absence_aborts:
        state.over = 1
        state.wash = 1
