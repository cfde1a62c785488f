"""Reads snakes from the drawing of a board, with which recorded unit cases begin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from botyard.games.snakebattle.layout import DOWN, LEFT, RIGHT, UP
from botyard.games.snakebattle.map.alphabet import ENEMY_PARTS, HEAD_EVIL, HEAD_FLY, HEAD_SLEEP, MY_PARTS, TAIL
from botyard.kernel.errors import BadRecord

Point = tuple[int, int]

STEPS = {LEFT: (-1, 0), RIGHT: (1, 0), UP: (0, 1), DOWN: (0, -1)}

# The two sides that a body glyph joins, by part.
JOINS = {8: (LEFT, RIGHT), 9: (UP, DOWN), 10: (LEFT, DOWN), 11: (LEFT, UP), 12: (RIGHT, DOWN), 13: (RIGHT, UP)}


@dataclass(frozen=True)
class DrawnSnake:
    points: tuple[Point, ...]  # from head to tail
    direction: int
    flying: bool
    furious: bool


def read_snake(rows: Sequence[str], mine: bool) -> DrawnSnake | None:
    """Reads the one snake drawn in the glyphs of the player's own or of other snakes; None if there is none."""
    parts = MY_PARTS if mine else ENEMY_PARTS
    side = len(rows)
    drawn = {
        (x, side - 1 - y): parts.index(symbol)
        for y, row in enumerate(rows)
        for x, symbol in enumerate(row)
        if symbol in parts
    }
    heads = [point for point, part in drawn.items() if part <= HEAD_SLEEP]
    if not heads:
        return None
    head = heads[0]
    part = drawn[head]
    direction = head_direction(drawn, head, part)
    points = [head]
    back = direction ^ 1
    while True:
        at = beside(points[-1], back)
        points.append(at)
        if drawn.get(at) not in JOINS:
            break  # the tail, which need not be drawn
        one, two = JOINS[drawn[at]]
        if back ^ 1 not in (one, two) or len(points) > side * side:
            raise BadRecord(f"a drawn snake has a gap at {at}", hint="its cells must be connected")
        back = two if one == back ^ 1 else one
    return DrawnSnake(tuple(points), direction, part == HEAD_FLY, part == HEAD_EVIL)


def head_direction(drawn: dict[Point, int], head: Point, part: int) -> int:
    """Returns where a head looks; a flying or furious head does not show it, the part of the snake beside it does."""
    if part < len(STEPS):
        return part
    if part in (HEAD_EVIL, HEAD_FLY):
        for side in (LEFT, RIGHT, DOWN, UP):
            neighbour = drawn.get(beside(head, side))
            if neighbour is not None and (neighbour == TAIL + (side ^ 1) or side ^ 1 in JOINS.get(neighbour, ())):
                return side ^ 1
    return RIGHT


def beside(point: Point, direction: int) -> Point:
    dx, dy = STEPS[direction]
    return point[0] + dx, point[1] + dy
