"""Greedy: eats what is nearest and keeps away from all other snakes."""

from __future__ import annotations

from botyard.games.snakebattle.bots.original import is_food
from botyard.games.snakebattle.bots.path import CLOSED, OPEN, RISKY, best_goal, roomiest
from botyard.games.snakebattle.bots.sight import NOWHERE, backward, beside, code_at, find_me, is_head, order_to
from botyard.games.snakebattle.map.alphabet import ENEMY, MINE, START, STONE, TAIL, TAIL_SLEEP, WALL
from botyard.kernel.records import Record
from botyard.kernel.rule import rule


@rule
def greedy(arena: Record, view: Record, memory: Record) -> int:
    head = find_me(view)
    if head == NOWHERE:
        return 0
    back = backward(view, head)
    width = view.board.shape[1]
    for row in range(view.side):
        for col in range(view.side):
            memory.danger[row * width + col] = CLOSED if is_solid(view.board[row, col]) else OPEN
            memory.gain[row * width + col] = is_food(view.board[row, col])
    shun_heads(view, memory)
    goal = best_goal(view, memory, head, back)
    if goal != NOWHERE:
        return order_to(memory.came[goal], 0)
    return flee(view, memory, head, back)


@rule
def is_solid(code: int) -> bool:
    """Tells whether a calm snake must not enter a cell; its own tail leaves before the head arrives."""
    if code == WALL or code == START or code == STONE:
        return True
    return code >= ENEMY and not (MINE + TAIL <= code < MINE + TAIL_SLEEP)


@rule
def shun_heads(view: Record, memory: Record) -> None:
    """Marks the neighbours of foes' heads as risky, because nobody knows where they go next."""
    width = view.board.shape[1]
    for row in range(view.side):
        for col in range(view.side):
            code = view.board[row, col]
            if ENEMY <= code < MINE and is_head(code - ENEMY):
                for direction in range(4):
                    cell = beside(view, row * width + col, direction)
                    if cell != NOWHERE and memory.danger[cell] == OPEN:
                        memory.danger[cell] = RISKY


@rule
def flee(view: Record, memory: Record, head: int, back: int) -> int:
    """Goes where there is most room, over a risky cell if need be; if shut in, it bites itself or eats a stone."""
    direction = roomiest(view, memory, head, back, OPEN)
    if direction == NOWHERE:
        direction = roomiest(view, memory, head, back, RISKY)
    if direction == NOWHERE:
        direction = last_resort(view, head, back)
    return 0 if direction == NOWHERE else order_to(direction, 0)


@rule
def last_resort(view: Record, head: int, back: int) -> int:
    """Finds a step that does not kill: onto its own body, or onto a stone if the snake is long enough."""
    found = NOWHERE
    for direction in range(4):
        to = beside(view, head, direction)
        if direction != back and to != NOWHERE:
            if code_at(view, to) >= MINE:
                return direction
            if code_at(view, to) == STONE:
                found = direction
    return found
