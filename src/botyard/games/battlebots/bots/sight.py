"""What the house bots read out of their view."""

from __future__ import annotations

from botyard.kernel.records import Record
from botyard.kernel.rule import rule

NOWHERE = -1


@rule
def order(what: int, direction: int) -> int:
    """Returns the number of a move or a weapon in a direction."""
    return 8 * what + direction


@rule
def sign(number: int) -> int:
    return (number > 0) - (number < 0)


@rule
def distance(dx: int, dy: int) -> int:
    """Counts how many moves away something at this offset is."""
    return max(abs(dx), abs(dy))


@rule
def towards(arena: Record, dx: int, dy: int) -> int:
    """Returns the direction of a step towards another square, given its offset: diagonally if both axes differ."""
    ahead = NOWHERE
    for direction in range(8):
        if arena.col_step[direction] == sign(dx) and arena.row_step[direction] == sign(dy):
            ahead = direction
    return ahead


@rule
def in_line(dx: int, dy: int) -> bool:
    """Tells whether a shot towards an offset meets it."""
    return dx == 0 or dy == 0 or abs(dx) == abs(dy)


@rule
def on_board(arena: Record, x: int, y: int) -> bool:
    least = arena.min_coordinate
    return least <= x < arena.width and least <= y < arena.height


@rule
def mined(view: Record, x: int, y: int) -> bool:
    """Tells whether a mine is known to lie there."""
    found = False
    for at in range(view.mine_count):
        found = found or (view.mines[at, 0] == x and view.mines[at, 1] == y)
    return found


@rule
def safe_step(arena: Record, view: Record, direction: int) -> bool:
    """Tells whether a step leads to a square on the board without a known mine and without the enemy."""
    x, y = view.x + arena.col_step[direction], view.y + arena.row_step[direction]
    taken = x == view.enemy_x and y == view.enemy_y
    return on_board(arena, x, y) and not taken and not mined(view, x, y)
