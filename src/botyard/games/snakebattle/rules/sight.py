"""What a seat is shown, and which orders make sense to it (specification 2.2)."""

from __future__ import annotations

from botyard.games.snakebattle.layout import DROP, TURNS
from botyard.games.snakebattle.map.alphabet import PARTS, START, STONE, WALL
from botyard.games.snakebattle.rules.events import live
from botyard.games.snakebattle.rules.field import free
from botyard.games.snakebattle.rules.picture import OWNER
from botyard.kernel.records import Record
from botyard.kernel.rule import rule


@rule
def asked(arena: Record, state: Record) -> int:
    """Returns the seats that are asked: everybody on the field gets every board, asleep or not (6.4)."""
    seats = 0
    if not state.over:
        for at in range(state.players):
            seats |= 1 << state.roster[at]
    return seats


@rule
def look(arena: Record, state: Record, seat: int, view: Record) -> None:
    view.side = arena.side


@rule
def board_shape(arena: Record, view: Record) -> tuple[int, int]:
    """Returns the shape of the whole board, whatever the size of the map: outside a smaller map it is empty."""
    return view.board.shape


@rule
def paint(arena: Record, state: Record, seat: int, view: Record, row: int, col: int) -> None:
    """Paints one cell: as its owner sees it, or as everybody else does."""
    cell = state.picture[row + 1, col + 1]
    other = ((cell >> 8) ^ (seat + 1)) & (OWNER - 1)  # zero for the owner; the mask lets it be computed on bytes
    view.board[row, col] = (cell & (OWNER - 1)) + PARTS * (other == 0)


@rule
def allowed(arena: Record, state: Record, seat: int, mask: Record) -> None:
    """Marks the orders that can do something. A sleeping snake can only wait; dying is never useful."""
    snake = state.snakes[seat]
    may_drop = live(snake) and snake.stones > 0 and takes_stone(state, snake.tail)
    for order in range(len(mask)):
        turn = order % TURNS
        action = order // TURNS
        useful = action == 0 or (action == DROP and may_drop)
        if turn > 0:
            useful = useful and live(snake) and turn - 1 != snake.direction ^ 1
        mask[order] = useful


@rule
def takes_stone(state: Record, cell: int) -> bool:
    return free(state, cell) and state.ground[cell - 1] != START


@rule
def stray(arena: Record, state: Record, seat: int, dice: int) -> int:
    """Chooses a random turn that does not kill at once, if there is one; sometimes it drops a stone."""
    snake = state.snakes[seat]
    if not live(snake):
        return 0
    action = DROP if dice & 7 == 0 else 0
    first = (dice >> 3) & 3
    for at in range(4):
        direction = (first + at) & 3
        if direction != snake.direction ^ 1 and not deadly(arena, state, seat, direction):
            return TURNS * action + 1 + direction
    return TURNS * action


@rule
def deadly(arena: Record, state: Record, seat: int, direction: int) -> bool:
    """Tells whether a step would kill for certain, or probably, as things lie now."""
    snake = state.snakes[seat]
    cell = snake.head + arena.delta[direction]
    ground = state.ground[cell]
    if ground == WALL or ground == START:
        return True
    if snake.flying > 1:
        return False
    if ground == STONE and snake.fury <= 1 and snake.length < arena.stone_reduced + 2:
        return True
    return (state.cover[cell] & ~(1 << seat)) != 0
