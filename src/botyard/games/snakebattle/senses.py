"""What a learner of Snake Battle senses: the board around its head, and what it remembers of effects and stones.

A board shows neither the stones carried nor how long an effect lasts, so they are counted from board to board. Bends of
bodies are not told apart; what they are good for, the lengths of snakes, is told by the codes of heads.
"""

from __future__ import annotations

from typing import Any

from botyard.games.snakebattle.bots.fighter import remember_effects
from botyard.games.snakebattle.bots.sight import (
    NOWHERE,
    backward,
    beside,
    code_at,
    is_head,
    length_of,
)
from botyard.games.snakebattle.layout import DEATH
from botyard.games.snakebattle.map.alphabet import (
    APPLE,
    ENEMY,
    FLYING_PILL,
    FURY_PILL,
    GOLD,
    HEAD_DEAD,
    HEAD_EVIL,
    HEAD_FLY,
    HEAD_SLEEP,
    HORIZONTAL,
    MINE,
    STONE,
    TAIL,
    TAIL_SLEEP,
    WALL,
)
from botyard.games.snakebattle.rules import ahead
from botyard.games.snakebattle.rules.events import live
from botyard.kernel.offsets import offset, rolled
from botyard.kernel.records import Record
from botyard.kernel.rule import rule
from botyard.kernel.senses import SensedNumber

SIDES = ("left", "right", "up", "down")

CODES = (
    "empty",
    "a wall, or beyond the edge",
    "a start cell",
    "an apple",
    "a stone",
    "a flying pill",
    "a fury pill",
    "gold",
    "the own head",
    "the own head, furious",
    "the own head, flying",
    "the own head or tail, asleep or dead",
    "the own body",
    "the own tail",
    *(f"a foe's head that looks {side} and would lose head on" for side in SIDES),
    *(f"a foe's head that looks {side} and would not lose" for side in SIDES),
    "a furious foe's head that would lose head on",
    "a furious foe's head that would not lose",
    "a flying foe's head",
    "a foe's head or tail, asleep or dead",
    "a foe's body",
    "a foe's tail",
)
OWN_HEAD, OWN_FURIOUS, OWN_FLYING, OWN_STILL, OWN_BODY, OWN_TAIL = range(8, 14)
FOE_LOSES, FOE_WINS, FURIOUS_LOSES, FOE_FLYING, FOE_STILL, FOE_BODY, FOE_TAIL = 14, 18, 22, 24, 25, 26, 27

LONGEST, MANY, STONES = 64, 16, 8
FAR = 127  # steps to what is farther away, or not on the board
UNKNOWN = 4  # in place of a direction

# What offsets are told of, in this order: the nearest of each.
THINGS = ("apple", "gold", "fury_pill", "flying_pill", "stone", "prey", "hunter")
PREY, HUNTER = 5, 6  # heads of foes that would lose head on, and that would not
FIRST = 11  # the number with which the offsets begin
ABOUT = {
    "fury_pill": "fury pill",
    "flying_pill": "flying pill",
    "prey": "foe's head that would lose head on",
    "hunter": "foe's head that would not lose",
}

NUMBERS = (
    SensedNumber("awake", 0, 1, "1 if the own head is seen, alive and awake"),
    SensedNumber("facing", 0, 4, "where it looks: left, right, up, down, or unknown (4)"),
    SensedNumber("length", 0, LONGEST, "cells of the own snake, as far as seen, at most 64"),
    SensedNumber("fury", 0, MANY, "boards that its fury will last, at most 16"),
    SensedNumber("flying", 0, MANY, "boards that its flight will last, at most 16"),
    SensedNumber("stones", 0, STONES, "stones it carries, as far as seen, at most 8"),
    SensedNumber("age", 0, LONGEST, "boards since it woke, in units of 8, at most 64"),
    SensedNumber("row", 0, 99, "the row around which the board is sensed, from the top"),
    SensedNumber("col", 0, 99, "the column around which the board is sensed"),
    SensedNumber("foes", 0, MANY, "heads of foes that are awake and seen, at most 16"),
    SensedNumber("longest_foe", 0, LONGEST, "cells of the longest of them, at most 64"),
    *(
        number
        for thing in THINGS
        for number in (
            SensedNumber(f"{thing}_away", 0, FAR, f"steps to the nearest {ABOUT.get(thing, thing)}; 127: none"),
            SensedNumber(f"{thing}_south", 0, 16, "rows to it plus 8, at most 8 either way"),
            SensedNumber(f"{thing}_east", 0, 16, "columns to it plus 8, at most 8 either way"),
        )
    ),
)

# What a position is worth, in tenths of a point. A death takes points only from those who have some, so it has a price
# of its own; the longest snake wins the round; and in the end it counts how many are left behind.
POINT, CELL, LIFE, BEHIND = 10, 4, 50, 50
NEW = 2  # cells of a new snake
MOST_POINTS = 10_000_000


def sense_shape(arena: Any) -> tuple[int, int]:
    return int(arena.side) + 1, int(arena.side) + 1


# What a seat remembers


@rule
def note(arena: Record, view: Record, memory: Record) -> None:
    head, tail = find_ends(view)
    seen = head != NOWHERE and is_head(code_at(view, head) - MINE)
    remember_effects(arena, view, memory, head if seen else NOWHERE)
    if seen:
        count_stones(view, memory, head)
        memory.moves = min(memory.moves + 1, 8 * LONGEST)
        memory.length = length_of(view, head)
    else:
        memory.moves = 0
        memory.length = 0
        if head != NOWHERE:  # a new snake carries nothing; one that is hidden keeps what it has
            memory.stones = 0
    memory.head = head if seen else NOWHERE
    memory.tail = tail
    if head != NOWHERE:
        memory.row, memory.col = head // view.board.shape[1], head % view.board.shape[1]
    memory.beside = stones_beside(view, memory.head)


@rule
def find_ends(view: Record) -> tuple[int, int]:
    """Finds the own head, however it is, and the own tail; NOWHERE for what is not seen."""
    head, tail = NOWHERE, NOWHERE
    width = view.board.shape[1]
    for row in range(view.side):
        for col in range(view.side):
            part = view.board[row, col] - MINE
            if 0 <= part < HORIZONTAL:
                head = row * width + col
            elif part >= TAIL:
                tail = row * width + col
    return head, tail


@rule
def stones_beside(view: Record, head: int) -> int:
    found = 0
    if head == NOWHERE:
        return found
    for direction in range(4):
        cell = beside(view, head, direction)
        if cell != NOWHERE and code_at(view, cell) == STONE:
            found |= 1 << direction
    return found


@rule
def count_stones(view: Record, memory: Record, head: int) -> None:
    """Counts a stone that was beside the head and is under it now, and one that lies where the tail was.

    The first board of a game has no board before it, and then nothing lay beside the head.
    """
    if memory.beside == 0 and memory.stones == 0:
        return
    for direction in range(4):
        entered = beside(view, memory.head, direction) == head
        if (memory.beside >> direction) & 1 and entered and code_at(view, head) != MINE + HEAD_FLY:
            memory.stones = min(memory.stones + 1, STONES)
    if memory.stones > 0 and memory.tail != NOWHERE and code_at(view, memory.tail) == STONE:
        memory.stones -= 1


# Cells


@rule
def sense(arena: Record, view: Record, memory: Record, row: int, col: int) -> int:
    row = rolled(row, memory.row, view.side)
    col = rolled(col, memory.col, view.side)
    if row == view.side or col == view.side:
        return WALL
    code = view.board[row, col]
    if code < ENEMY:
        return code
    if code >= MINE:
        return own_code(code - MINE)
    return foe_code(view, memory, code - ENEMY, row * view.board.shape[1] + col)


@rule
def own_code(part: int) -> int:
    if part == HEAD_DEAD or part == HEAD_SLEEP or part == TAIL_SLEEP:
        return OWN_STILL
    if part == HEAD_EVIL:
        return OWN_FURIOUS
    if part == HEAD_FLY:
        return OWN_FLYING
    if part < HORIZONTAL:
        return OWN_HEAD
    return OWN_BODY if part < TAIL else OWN_TAIL


@rule
def foe_code(view: Record, memory: Record, part: int, cell: int) -> int:
    if part == HEAD_DEAD or part == HEAD_SLEEP or part == TAIL_SLEEP:
        return FOE_STILL
    if part == HEAD_FLY:
        return FOE_FLYING
    if part < HORIZONTAL:
        wins = not loses(view, memory, cell)
        if part == HEAD_EVIL:
            return FURIOUS_LOSES + wins
        return (FOE_WINS if wins else FOE_LOSES) + part
    return FOE_BODY if part < TAIL else FOE_TAIL


@rule
def loses(view: Record, memory: Record, cell: int) -> bool:
    """Tells whether a foe's head would lose head on in the next move: to fury, or to a snake longer by two (3.6)."""
    furious = memory.fury > 1
    if furious != (code_at(view, cell) == ENEMY + HEAD_EVIL):
        return furious
    return memory.length >= length_of(view, cell) + 2


# Numbers


@rule
def numbers(arena: Record, view: Record, memory: Record, out: Record) -> None:
    width = view.board.shape[1]
    awake = memory.head != NOWHERE
    out[0] = awake
    out[1] = backward(view, memory.head) ^ 1 if awake else UNKNOWN
    out[2] = min(memory.length, LONGEST)
    out[3], out[4] = min(memory.fury, MANY), min(memory.flying, MANY)
    out[5] = memory.stones
    out[6] = memory.moves // 8
    out[7], out[8] = memory.row, memory.col
    out[9], out[10] = 0, 0
    for thing in range(len(THINGS)):
        out[FIRST + 3 * thing], out[FIRST + 3 * thing + 1], out[FIRST + 3 * thing + 2] = FAR, offset(0), offset(0)
    for row in range(view.side):
        for col in range(view.side):
            code = view.board[row, col]
            if APPLE <= code < MINE:
                note_thing(view, memory, code, row * width + col, out)


@rule
def note_thing(view: Record, memory: Record, code: int, cell: int, out: Record) -> None:
    """Counts a foe's head, and writes where something lies if it is the nearest of its kind so far."""
    thing = thing_of(view, memory, code, cell)
    if thing == NOWHERE:
        return
    if code >= ENEMY:
        out[9] = min(out[9] + 1, MANY)
        out[10] = max(out[10], min(length_of(view, cell), LONGEST))
    at = FIRST + 3 * thing
    south, east = cell // view.board.shape[1] - memory.row, cell % view.board.shape[1] - memory.col
    away = abs(south) + abs(east)
    if away < out[at]:
        out[at], out[at + 1], out[at + 2] = away, offset(south), offset(east)


@rule
def thing_of(view: Record, memory: Record, code: int, cell: int) -> int:
    """Returns the place of something in THINGS, NOWHERE if it has none."""
    if code >= ENEMY:
        if not is_head(code - ENEMY):
            return NOWHERE
        return PREY if loses(view, memory, cell) else HUNTER
    if code == STONE:
        return 4
    if code == FLYING_PILL:
        return 3
    if code == FURY_PILL:
        return 2
    return 1 if code == GOLD else 0


# Rewards


@rule
def worth(arena: Record, state: Record, seat: int) -> int:
    snake = state.snakes[seat]
    total = POINT * min(snake.score, MOST_POINTS)
    if state.over:
        for other in range(arena.rounds_players_per_room):
            total += BEHIND * ahead(snake, state.snakes[other])
    elif live(snake):
        total += CELL * (snake.length - NEW)
    return total


@rule
def gain(arena: Record, state: Record, seat: int) -> int:
    """Returns the price of a death in the last tick."""
    for at in range(state.log_length):
        if state.log[at].seat == seat and state.log[at].kind == DEATH:
            return -LIFE
    return 0
