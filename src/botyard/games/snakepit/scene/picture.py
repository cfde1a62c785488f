"""Snakepit in pictures: the rule that makes them, their palette, the words beside them, and the keys of a person.

A bot is told of every move, so that no view hides anything: one picture serves all seats.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from botyard.games.snakepit.facts import MOST_SNAKES
from botyard.games.snakepit.layout import DIRECTIONS, DOWN, LEFT, PELLET, RIGHT, SNAKE, UP
from botyard.games.snakepit.rules.body import inside, is_living
from botyard.kernel.records import Record
from botyard.kernel.rule import rule
from botyard.kernel.scene import NOBODY, Key, KeyPad, PictureSize, Tile, TileStyle, Words

# The forms of a snake: heads by direction, straight bodies, corners by quarter turns, tails by direction.
BODY = DIRECTIONS
CORNER = BODY + 2
TAIL = CORNER + 4
FORMS = TAIL + DIRECTIONS
DEAD = PELLET + 1  # the first tile of dead snakes, which are all alike
LIVING = DEAD + FORMS  # the first tile of seat 0
NO_STEP = -1

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[:MOST_SNAKES]
TURNED = {RIGHT: "", LEFT: "/2", UP: "/3", DOWN: "/1"}
BODIES = (  # sprite, glyph and its ASCII, from BODY on
    ("snake-body", "══", "--"), ("snake-body/1", "║ ", "| "),
    ("snake-corner", "╚═", "+-"), ("snake-corner/1", "╔═", "+-"), ("snake-corner/2", "╗ ", "+ "),
    ("snake-corner/3", "╝ ", "+ "),
)  # fmt: skip
TAILS = {RIGHT: ("╘═", "~-"), LEFT: ("╕ ", "~ "), UP: ("╙ ", "~ "), DOWN: ("╓ ", "~ ")}


def palette(arena: Any) -> tuple[Tile, ...]:
    tiles = [Tile(". ", "pit", "empty", "pit"), Tile("* ", "pellet", "food", "pellet")]
    tiles += [replace(tile, listed=bool(arena.preserve_dead)) for tile in forms("x", NOBODY)]
    for seat in range(int(arena.snakes)):
        tiles += forms(LETTERS[seat], seat)
    return tuple(tiles)


def forms(letter: str, seat: int) -> list[Tile]:
    """Returns the forms of a seat's snake, or of one that is dead and stayed where it was."""
    dead = seat == NOBODY
    name, sprite = ("dead ", "snake-head-dead") if dead else ("", "snake-head")
    head: TileStyle = "danger" if dead else "seat"
    body: TileStyle = "danger" if dead else "trail"
    tiles = [Tile(letter + "><^v"[way], f"{name}head", head, sprite + turn, seat) for way, turn in TURNED.items()]
    tiles += [Tile(glyph, f"{name}body", body, sprite, seat, plain) for sprite, glyph, plain in BODIES]
    for way, (glyph, plain) in TAILS.items():
        tiles.append(Tile(glyph, f"{name}tail", body, "snake-tail" + TURNED[way], seat, plain))
    return tiles


def picture_size(arena: Any) -> PictureSize:
    return PictureSize(int(arena.real_height), int(arena.real_width), int(arena.snakes))


@rule
def picture(arena: Record, state: Record, grid: Record, pieces: Record) -> int:
    """Shows the board. Of several snakes on a cell the first is seen, as in a drawing."""
    for row in range(arena.real_height):
        for col in range(arena.real_width):
            grid[row, col] = state.cells[row, col] % SNAKE  # bodies are laid below
    count = 0
    for before in range(arena.snakes):
        seat = arena.snakes - 1 - before
        snake = state.snakes[seat]
        if snake.head_x > 0:
            first = LIVING + FORMS * seat if is_living(state, seat) else DEAD
            lay_body(arena, state, seat, first, grid)
            piece = pieces[count]
            piece.id = seat
            piece.row = snake.head_y - 1
            piece.col = snake.head_x - 1
            piece.tile = first + snake.facing % DIRECTIONS  # one that stands looks right
            count += 1
    return count


@rule
def lay_body(arena: Record, state: Record, seat: int, first: int, grid: Record) -> None:
    """Lays a body behind its head, whose ring holds the steps backwards from the last one."""
    snake = state.snakes[seat]
    last = state.tick if is_living(state, seat) else state.died[seat] - 1
    x = snake.head_x
    y = snake.head_y
    goes = NO_STEP  # the step from the cell before this one; the head has none
    for back in range(snake.length - 1):
        if back + 1 != snake.pause:  # after a step on the spot comes the same cell again
            slot = (last - back) & (arena.slots - 1)
            came = (state.ring[slot >> 4, seat] >> (2 * (slot & 15))) & 3
            if goes != NO_STEP:
                lay(arena, state, x, y, first + bend(came, goes), grid)
            x -= arena.step_x[came]
            y -= arena.step_y[came]
            goes = came
    if goes != NO_STEP:
        lay(arena, state, x, y, first + TAIL + goes, grid)


@rule
def lay(arena: Record, state: Record, x: int, y: int, tile: int, grid: Record) -> None:
    """Lays a part where the board has a snake: what another's tail has wiped away can be entered, and is not seen."""
    if inside(arena, x, y) and state.cells[y - 1, x - 1] == SNAKE:
        grid[y - 1, x - 1] = tile


@rule
def bend(came: int, goes: int) -> int:
    """Returns the form of a cell that a snake has entered and left in these directions."""
    behind = came ^ 1
    if (behind < UP) == (goes < UP):
        return BODY + (goes >= UP)
    across = min(behind, goes)
    upright = max(behind, goes)
    return CORNER + (upright - UP if across == RIGHT else 3 - (upright - UP))


def words(arena: Any, state: Any) -> Words:
    seats, snakes = range(int(arena.snakes)), state.snakes
    pellets, length, died = snakes["pellets"].tolist(), snakes["length"].tolist(), state.died.tolist()
    gone, tick = int(state.gone), int(state.tick)
    hunger = int(state.hunger)
    return Words(
        headline=f"tick {tick}" + (f", {hunger} since the last pellet" if hunger else ""),
        numbers={
            "points": points(arena, state, pellets, died),
            "length": tuple(length[: len(seats)]),
            "pellets": tuple(pellets[: len(seats)]),
        },
        conditions=tuple(condition(died[seat], gone >> seat & 1) for seat in seats),
        out=frozenset(seat for seat in seats if died[seat] or gone >> seat & 1),
        steady=int(arena.tick_points),
    )


def points(arena: Any, state: Any, pellets: list[int], died: list[int]) -> tuple[int, ...]:
    """Returns what `score` does, without a call of the rules for every tick of a film."""
    if state.wash:
        return (0,) * int(arena.snakes)
    tick, last_man, bonus = int(state.tick), int(state.last_man), int(arena.last_man_standing)
    each, alive = int(arena.pellet_points), int(arena.tick_points)
    return tuple(
        bonus * (seat == last_man) + each * pellets[seat] + alive * (died[seat] or tick)
        for seat in range(int(arena.snakes))
    )


def condition(died: int, gone: int) -> str:
    if died:
        return f"died in tick {died}"
    return "nobody steers it" if gone else ""


KEYS = KeyPad(
    (
        Key(("ArrowUp", "w"), "↑", ("u",), 0, 1),
        Key(("ArrowLeft", "a"), "←", ("l",), 1, 0),
        Key(("ArrowRight", "d"), "→", ("r",), 1, 2),
        Key(("ArrowDown", "s"), "↓", ("d",), 2, 1),
    )
)
