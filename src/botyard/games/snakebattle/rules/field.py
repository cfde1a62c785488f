"""The field: what lies where, which cells are free, and where snakes begin (specification 2.5, 3.8, 3.10)."""

from __future__ import annotations

from botyard.games.snakebattle.layout import RIGHT
from botyard.games.snakebattle.map.alphabet import APPLE, FLYING_PILL, FURY_PILL, GOLD, NONE, START, STONE
from botyard.games.snakebattle.rules.body import push_head, take_off
from botyard.games.snakebattle.rules.picture import show_ground
from botyard.kernel.chance import draw
from botyard.kernel.records import Record
from botyard.kernel.rule import rule

START_TRIES = 10
SPAWN_TRIES = 100
NOWHERE = -1

# The die of the spawn step: the faces that bring each object (3.8)
SPAWN_FACES, FURY_FACE, FLYING_FACE, GOLD_FACE, STONE_FACE, APPLE_FACES = 50, 42, 32, 21, 11, 10


@rule
def blocked(state: Record, cell: int) -> bool:
    """Tells whether any part of a snake, alive or dead, other than its tail lies on the cell."""
    covering = state.cover[cell]
    seat = 0
    while covering >> seat:
        if (covering >> seat) & 1 and state.snakes[seat].tail != cell:
            return True
        seat += 1
    return False


@rule
def free(state: Record, cell: int) -> bool:
    return state.ground[cell] == NONE and not blocked(state, cell)


@rule
def put(state: Record, kind: int, cell: int) -> bool:
    """Lays an object on a free cell, and tells whether it could; no stone goes in front of a start cell (3.2)."""
    if not free(state, cell) or (kind == STONE and state.ground[cell - 1] == START):
        return False
    state.ground[cell] = kind
    state.counts[kind] += 1
    show_ground(state, cell)
    return True


@rule
def take(state: Record, cell: int) -> None:
    state.counts[state.ground[cell]] -= 1
    state.ground[cell] = NONE
    show_ground(state, cell)


# New snakes (2.5)


@rule
def choose_start(arena: Record, state: Record) -> int:
    """Draws a start cell up to ten times, then takes the first free one in map order, or NOWHERE."""
    if arena.start_count == 0:
        return NOWHERE
    for _ in range(START_TRIES):
        cell = arena.starts[draw(arena, state, arena.start_count)]
        if not blocked(state, cell):
            return cell
    for at in range(arena.start_count):
        if not blocked(state, arena.starts[at]):
            return arena.starts[at]
    return NOWHERE


@rule
def move_to_end(state: Record, seat: int) -> None:
    """Moves a player to the end of the player list, as every new snake requires."""
    seen = 0
    for at in range(state.players):
        if state.roster[at] == seat:
            seen = 1
        elif seen:
            state.roster[at - 1] = state.roster[at]
    state.roster[state.players - 1] = seat


@rule
def seat_snake(arena: Record, state: Record, seat: int) -> None:
    """Places a new snake of two cells, its tail left of the start cell; no snake if no start cell is free."""
    take_off(arena, state, seat)
    move_to_end(state, seat)
    cell = choose_start(arena, state)
    if cell == NOWHERE:
        return
    snake = state.snakes[seat]
    push_head(state, seat, cell - 1, RIGHT)
    push_head(state, seat, cell, RIGHT)
    snake.direction = RIGHT
    snake.alive = 1
    snake.awake = not arena.rounds_enabled


# New objects (3.8)


@rule
def spawn(arena: Record, state: Record) -> None:
    face = draw(arena, state, SPAWN_FACES)
    cell = draw_free_cell(arena, state)
    if cell == NOWHERE:
        return
    share = state.players // 2 + 1
    if face == FURY_FACE and state.counts[FURY_PILL] < share:
        put(state, FURY_PILL, cell)
    if face == FLYING_FACE and state.counts[FLYING_PILL] < share:
        put(state, FLYING_PILL, cell)
    if face == GOLD_FACE and state.counts[GOLD] < 2 * share:
        put(state, GOLD, cell)
    if (face == STONE_FACE and state.counts[STONE] < arena.side // 2) or state.counts[STONE] == 0:
        put(state, STONE, cell)
    if (face < APPLE_FACES and state.counts[APPLE] < 10 * share) or state.counts[APPLE] < 2 * share:
        put(state, APPLE, cell)


@rule
def draw_free_cell(arena: Record, state: Record) -> int:
    """Draws x and y up to a hundred times; if all cells were taken, one more pair is drawn and not used."""
    for _ in range(SPAWN_TRIES):
        cell = draw_cell(arena, state)
        if free(state, cell):
            return cell
    draw_cell(arena, state)
    return NOWHERE


@rule
def draw_cell(arena: Record, state: Record) -> int:
    x = draw(arena, state, arena.side)
    y = draw(arena, state, arena.side)
    return (arena.side - y) * state.picture.shape[1] + x + 1
