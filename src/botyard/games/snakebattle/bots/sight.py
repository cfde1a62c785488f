"""What a bot sees on its board. A cell is an index into the board, row by row from the top."""

from __future__ import annotations

from botyard.games.snakebattle.layout import LEFT, RIGHT, TURNS, UP
from botyard.games.snakebattle.map.alphabet import (
    ENEMY,
    HEAD_DEAD,
    HEAD_EVIL,
    HEAD_FLY,
    MINE,
    TAIL,
)
from botyard.games.snakebattle.rules.picture import joins
from botyard.kernel.records import Record
from botyard.kernel.rule import rule

NOWHERE = -1


@rule
def order_to(direction: int, action: int) -> int:
    return TURNS * action + 1 + direction


@rule
def code_at(view: Record, cell: int) -> int:
    width = view.board.shape[1]
    return view.board[cell // width, cell % width]


@rule
def beside(view: Record, cell: int, direction: int) -> int:
    """Returns the neighbour of a cell, or NOWHERE outside the field."""
    width = view.board.shape[1]
    row, col = cell // width, cell % width
    if direction == LEFT:
        col -= 1
    elif direction == RIGHT:
        col += 1
    elif direction == UP:
        row -= 1
    else:
        row += 1
    if row < 0 or col < 0 or row >= view.side or col >= view.side:
        return NOWHERE
    return row * width + col


@rule
def distance(view: Record, cell: int, other: int) -> int:
    width = view.board.shape[1]
    return abs(cell // width - other // width) + abs(cell % width - other % width)


@rule
def is_head(part: int) -> bool:
    """Tells whether this part is the head of a snake that is alive and awake."""
    return 0 <= part < HEAD_DEAD or part == HEAD_EVIL or part == HEAD_FLY


@rule
def find_me(view: Record) -> int:
    """Finds the bot's own head; NOWHERE while its snake sleeps, is dead or is hidden under another."""
    for row in range(view.side):
        for col in range(view.side):
            if view.board[row, col] >= MINE and is_head(view.board[row, col] - MINE):
                return row * view.board.shape[1] + col
    return NOWHERE


@rule
def way_on(part: int, came_from: int) -> int:
    """Returns where a part of a body leads if one comes to it from this side."""
    onward = came_from
    for direction in range(4):
        if direction != came_from and joins(part, direction):
            onward = direction
    return onward


@rule
def owner_base(code: int) -> int:
    return MINE if code >= MINE else ENEMY


@rule
def backward(view: Record, head: int) -> int:
    """Returns the direction from a head to its neck; a flying or furious head does not show it, its neighbours do."""
    base = owner_base(code_at(view, head))
    part = code_at(view, head) - base
    if part < HEAD_DEAD:
        return part ^ 1
    for direction in range(4):
        cell = beside(view, head, direction)
        if cell != NOWHERE and owner_base(code_at(view, cell)) == base:
            part = code_at(view, cell) - base
            if joins(part, direction ^ 1) or part == TAIL + (direction ^ 1):
                return direction
    return LEFT


@rule
def length_of(view: Record, head: int) -> int:
    """Returns the length of a snake as far as it can be seen, up to where another snake covers it."""
    base = owner_base(code_at(view, head))
    back = backward(view, head)
    cell = beside(view, head, back)
    length = 1
    while cell != NOWHERE and length < view.side * view.side:
        length += 1
        part = code_at(view, cell) - base
        if not joins(part, back ^ 1):
            break
        back = way_on(part, back ^ 1)
        cell = beside(view, cell, back)
    return length
