"""Original: does what the original's own house bot does (specification 8), and is the first bot to beat."""

from __future__ import annotations

from botyard.games.snakebattle.bots.path import CLOSED, OPEN, best_goal
from botyard.games.snakebattle.bots.sight import NOWHERE, backward, find_me, order_to
from botyard.games.snakebattle.layout import DROP, RIGHT
from botyard.games.snakebattle.map.alphabet import APPLE, ENEMY, FLYING_PILL, FURY_PILL, GOLD, MINE, START, STONE, WALL
from botyard.kernel.chance import draw
from botyard.kernel.records import Record
from botyard.kernel.rule import rule


@rule
def original(arena: Record, view: Record, memory: Record) -> int:
    """Takes the shortest way to the nearest food, a little carelessly, and tries to drop a stone on every even cell."""
    head = find_me(view)
    if head == NOWHERE:
        return order_to(RIGHT, 0)
    minds_stones = draw(arena, memory, 4) != 0
    minds_foes = draw(arena, memory, 10) != 0
    minds_itself = draw(arena, memory, 3) != 0
    width = view.board.shape[1]
    for row in range(view.side):
        for col in range(view.side):
            code = view.board[row, col]
            closed = code == WALL or code == START or (code == STONE and minds_stones)
            closed = closed or (code >= MINE and minds_itself) or (ENEMY <= code < MINE and minds_foes)
            memory.danger[row * width + col] = CLOSED if closed else OPEN
            memory.gain[row * width + col] = is_food(code)
    goal = best_goal(view, memory, head, backward(view, head))
    x = head % width
    y = view.side - 1 - head // width
    action = DROP if (x | y) & 1 == 0 else 0
    return order_to(RIGHT if goal == NOWHERE else memory.came[goal], action)


@rule
def is_food(code: int) -> bool:
    return code == APPLE or code == GOLD or code == FLYING_PILL or code == FURY_PILL
