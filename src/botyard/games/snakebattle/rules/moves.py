"""What a live snake does in a tick: it drops stones, moves and eats (specification 3.2, 3.3, 3.5, 3.7)."""

from __future__ import annotations

from botyard.games.snakebattle.layout import ATE_APPLE, ATE_GOLD, ATE_STONE, DIE, DROP, FLYING, FURY, TURNS
from botyard.games.snakebattle.map.alphabet import APPLE, FLYING_PILL, FURY_PILL, NONE, START, STONE, WALL
from botyard.games.snakebattle.rules.body import drop_tail, index_of, push_head, push_tail, shorten
from botyard.games.snakebattle.rules.events import die, live, tell
from botyard.games.snakebattle.rules.field import put, take
from botyard.kernel.records import Record
from botyard.kernel.rule import rule

LEAST_LENGTH = 2


@rule
def obey(arena: Record, state: Record, seat: int, order: int) -> None:
    """Carries out an order (3.1); a dead or sleeping snake can do nothing but die."""
    if order < 0 or order >= 4 * TURNS:
        return
    snake = state.snakes[seat]
    turn = order % TURNS
    action = order // TURNS
    if live(snake):
        if turn > 0:
            snake.turn = turn
        if action & DROP:
            drop_stone(state, snake)
    if action & DIE and snake.alive:
        snake.suicide = 1
        die(arena, state, seat)


@rule
def drop_stone(state: Record, snake: Record) -> None:
    """Drops a stone under the tail as it lies now; if the field does not take the stone, the snake keeps it (3.2)."""
    if snake.stones > 0 and put(state, STONE, snake.tail):
        snake.stones -= 1


@rule
def move(arena: Record, state: Record, seat: int) -> None:
    """Moves one snake (3.5). A snake that dies of its cut still makes the move."""
    snake = state.snakes[seat]
    steer(snake)
    make_cut(arena, state, seat)
    wear_off(snake)
    cell = snake.head + arena.delta[snake.direction]
    if snake.flying == 0 and cell != snake.tail and (state.cover[cell] >> seat) & 1:
        bitten = index_of(arena, snake, cell)
        shorten(arena, state, seat, snake.length - 1 - bitten)
    snake.last_tail = snake.tail
    drop_tail(arena, state, seat)
    push_head(state, seat, cell, snake.direction)


@rule
def steer(snake: Record) -> None:
    """Turns the snake by its remembered order, which is used up even if it leads back and is ignored."""
    if snake.turn > 0 and snake.turn - 1 != snake.direction ^ 1:
        snake.direction = snake.turn - 1
    snake.turn = 0


@rule
def make_cut(arena: Record, state: Record, seat: int) -> None:
    """Takes off the cells lost in the head-on fight of the last tick; the program lets a lone head live (D6)."""
    snake = state.snakes[seat]
    if snake.cut == 0:
        return
    least = LEAST_LENGTH if arena.strict_min_length else 1
    if snake.length - snake.cut < least:
        die(arena, state, seat)
    else:
        shorten(arena, state, seat, snake.cut)
    snake.cut = 0


@rule
def wear_off(snake: Record) -> None:
    if snake.flying > 0:
        snake.flying -= 1
    if snake.fury > 0:
        snake.fury -= 1


@rule
def eat(arena: Record, state: Record, seat: int) -> None:
    """Lets the head of one live snake eat or hit what lies under it (3.7)."""
    snake = state.snakes[seat]
    found = state.ground[snake.head]
    if found == NONE:
        return
    if found == WALL or found == START:
        die(arena, state, seat)
    elif found == APPLE:
        take(state, snake.head)
        push_tail(arena, state, seat, snake.last_tail)
        tell(arena, state, seat, ATE_APPLE, 0)
    elif found == STONE:
        if snake.flying == 0:
            eat_stone(arena, state, seat)
    elif found == FLYING_PILL:
        take(state, snake.head)
        snake.flying += arena.flying_count
        tell(arena, state, seat, FLYING, 0)
    elif found == FURY_PILL:
        take(state, snake.head)
        snake.fury += arena.fury_count
        tell(arena, state, seat, FURY, 0)
    else:  # gold
        take(state, snake.head)
        tell(arena, state, seat, ATE_GOLD, 0)


@rule
def eat_stone(arena: Record, state: Record, seat: int) -> None:
    snake = state.snakes[seat]
    take(state, snake.head)
    snake.stones += 1
    if snake.fury == 0:
        if snake.length < arena.stone_reduced + LEAST_LENGTH:
            die(arena, state, seat)
            return
        shorten(arena, state, seat, arena.stone_reduced)
    tell(arena, state, seat, ATE_STONE, 0)
