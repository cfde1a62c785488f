"""What a seat is shown, and which orders make sense to it (specification 2.2)."""

from __future__ import annotations

from botyard.games.snakebattle.layout import DROP, TURNS
from botyard.games.snakebattle.map.alphabet import (
    ENEMY,
    HEAD_DEAD,
    HEAD_EVIL,
    HEAD_FLY,
    HEAD_SLEEP,
    PARTS,
    START,
    STONE,
    TAIL,
    TAIL_SLEEP,
    WALL,
)
from botyard.games.snakebattle.rules.events import live
from botyard.games.snakebattle.rules.picture import OWNER, joins
from botyard.kernel.records import Record
from botyard.kernel.rule import rule

HIDDEN = -1  # in place of a part or a direction that a seat does not see


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


# Orders that make sense, as far as the board of a seat tells


@rule
def allowed(arena: Record, state: Record, seat: int, mask: Record) -> None:
    """Marks the orders that may do something, as far as the seat's board tells; dying is never useful.

    A board shows neither the stones carried nor what lies under the tail. A sleeping or dead snake can only wait; a
    seat that does not see its head cannot tell how its snake is.
    """
    snake = state.snakes[seat]
    head = shown_part(state, seat, snake.head)
    may_act = head != HEAD_DEAD and head != HEAD_SLEEP
    back = shown_back(arena, state, seat)
    may_drop = may_act and not refuses_stone(arena, state, seat)
    for order in range(len(mask)):
        turn = order % TURNS
        action = order // TURNS
        useful = action == 0 or (action == DROP and may_drop)
        if turn > 0:
            useful = useful and may_act and turn - 1 != back
        mask[order] = useful


@rule
def shown_part(state: Record, seat: int, cell: int) -> int:
    """Returns the part of its snake that a seat sees on a cell, HIDDEN if it sees none there."""
    width = state.picture.shape[1]
    shown = state.picture[cell // width, cell % width]
    return shown % OWNER - ENEMY if shown // OWNER == seat + 1 else HIDDEN


@rule
def shown_back(arena: Record, state: Record, seat: int) -> int:
    """Returns the direction in which a seat sees its neck, HIDDEN if it cannot tell.

    A flying or furious head does not show it, but the one cell beside it that leads to it does.
    """
    head = state.snakes[seat].head
    part = shown_part(state, seat, head)
    if 0 <= part < HEAD_DEAD:
        return part ^ 1
    back = HIDDEN
    if part != HEAD_EVIL and part != HEAD_FLY:
        return back
    for direction in range(4):
        beside = shown_part(state, seat, head + arena.delta[direction])
        if joins(beside, direction ^ 1) or beside == TAIL + (direction ^ 1):
            if back != HIDDEN:
                return HIDDEN
            back = direction
    return back


@rule
def refuses_stone(arena: Record, state: Record, seat: int) -> bool:
    """Tells whether a seat sees that its tail lies where the map takes no stone (3.2)."""
    tail = state.snakes[seat].tail
    part = shown_part(state, seat, tail)
    if part < TAIL or part >= TAIL_SLEEP:
        return False
    return arena.ground[tail] == WALL or arena.ground[tail] == START or arena.ground[tail - 1] == START


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
