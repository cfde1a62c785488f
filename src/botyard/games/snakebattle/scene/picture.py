"""Snake Battle in pictures: what everybody sees, and what one seat is told."""

from __future__ import annotations

from typing import Any

from botyard.games.snakebattle.layout import DOWN
from botyard.games.snakebattle.map.alphabet import ENEMY, HEAD_SLEEP, HORIZONTAL, MINE, NONE, TAIL, TAIL_SLEEP
from botyard.games.snakebattle.rules.body import index_of, step_of
from botyard.games.snakebattle.rules.picture import OWNER
from botyard.games.snakebattle.scene.palette import (
    ASLEEP,
    BODY,
    DEAD,
    DIRECTIONS,
    FLYING,
    FORMS,
    FURIOUS,
    PLAIN,
    SNAKES,
)
from botyard.kernel.records import Record
from botyard.kernel.rule import rule
from botyard.kernel.scene import PictureSize


def picture_size(arena: Any) -> PictureSize:
    return PictureSize(int(arena.side), int(arena.side), int(arena.rounds_players_per_room))


@rule
def picture(arena: Record, state: Record, grid: Record, pieces: Record) -> int:
    """Shows the field; the heads that are seen are pieces."""
    for row in range(arena.side):
        for col in range(arena.side):
            grid[row, col] = tile_of(arena, state, row, col)
    count = 0
    for seat in range(arena.rounds_players_per_room):
        if head_is_seen(arena, state, seat):
            snake = state.snakes[seat]
            kind = head_kind(snake)
            piece = pieces[count]
            piece.id = seat
            piece.row = snake.head // arena.delta[DOWN] - 1
            piece.col = snake.head % arena.delta[DOWN] - 1
            piece.tile = SNAKES + FORMS * seat + DIRECTIONS * kind + snake.direction
            piece.number = snake.flying if kind == FLYING else snake.fury if kind == FURIOUS else 0
            count += 1
    return count


@rule
def tile_of(arena: Record, state: Record, row: int, col: int) -> int:
    """Returns what is seen on a cell, or lies there under a head."""
    shown = state.picture[row + 1, col + 1]
    if shown < OWNER:
        return shown
    part = shown % OWNER - ENEMY
    if part >= HORIZONTAL:
        return body_tile(shown // OWNER - 1, part)
    return tile_under_head(arena, state, (row + 1) * arena.delta[DOWN] + col + 1)


@rule
def body_tile(seat: int, part: int) -> int:
    return SNAKES + FORMS * seat + BODY + part - HORIZONTAL


@rule
def tile_under_head(arena: Record, state: Record, cell: int) -> int:
    """Returns the body on a cell, of several that of the first in the player list; else the ground."""
    for at in range(state.players):
        seat = state.roster[at]
        if (state.cover[cell] >> seat) & 1:
            index = index_of(arena, state.snakes[seat], cell)
            if index > 0:
                return body_tile(seat, part_at(arena, state.snakes[seat], index))
    return state.ground[cell]


@rule
def part_at(arena: Record, snake: Record, index: int) -> int:
    """Returns the part of a snake behind its head, as `rules/picture.py` lays it."""
    goes = step_of(snake, index - 1)
    if index < snake.length - 1:
        return arena.bend[step_of(snake, index), goes] - ENEMY
    return TAIL + goes if snake.awake else TAIL_SLEEP


@rule
def head_is_seen(arena: Record, state: Record, seat: int) -> bool:
    """Tells whether a head is on the field, and nothing lies over it."""
    snake = state.snakes[seat]
    if snake.length == 0:
        return False
    row = snake.head // arena.delta[DOWN]
    col = snake.head % arena.delta[DOWN]
    shown = state.picture[row, col]
    inside = 0 < row <= arena.side and 0 < col <= arena.side
    return inside and shown // OWNER == seat + 1 and shown % OWNER - ENEMY <= HEAD_SLEEP


@rule
def head_kind(snake: Record) -> int:
    if not snake.alive:
        return DEAD
    if not snake.awake:
        return ASLEEP
    if snake.flying > 0:
        return FLYING
    return FURIOUS if snake.fury > 0 else PLAIN


@rule
def seat_picture(arena: Record, view: Record, grid: Record, pieces: Record) -> int:
    """Shows the board as a bot is told it: whose the others are and what lies under a head, it does not say."""
    count = 0
    for row in range(arena.side):
        for col in range(arena.side):
            code = view.board[row, col]
            grid[row, col] = code
            if MINE <= code <= MINE + HEAD_SLEEP:
                grid[row, col] = NONE
                pieces[0].row = row
                pieces[0].col = col
                pieces[0].tile = code
                count = 1
    return count
