"""Fighter: hunts while a pill makes it strong, compares lengths before a head-on, and grows the rest of the time."""

from __future__ import annotations

from botyard.games.snakebattle.bots.greedy import flee
from botyard.games.snakebattle.bots.path import CLOSED, LAST, OPEN, RISKY, best_goal, room
from botyard.games.snakebattle.bots.sight import (
    NOWHERE,
    backward,
    beside,
    code_at,
    distance,
    find_me,
    is_head,
    length_of,
    order_to,
    way_on,
)
from botyard.games.snakebattle.layout import DROP
from botyard.games.snakebattle.map.alphabet import (
    APPLE,
    ENEMY,
    FLYING_PILL,
    FURY_PILL,
    GOLD,
    HEAD_EVIL,
    HEAD_FLY,
    MINE,
    START,
    STONE,
    TAIL,
    TAIL_SLEEP,
    WALL,
)
from botyard.games.snakebattle.rules.picture import joins
from botyard.kernel.records import Record
from botyard.kernel.rule import rule

# What things are worth to it. An apple brings a point and a cell, and the longest snake wins the round.
APPLE_GAIN, GOLD_GAIN, FURY_GAIN, FLYING_GAIN = 10, 14, 40, 4
PER_CELL = 10  # per cell of a foe
KILL = 15  # added for a kill, because there is one rival less
NEAR = 4  # if a foe is this near to its tail, the bot drops a stone in the foe's way
HUNT = 10  # if a foe is this near, a fury pill is worth having for a hunt
IDLE_FURY_GAIN = 5  # otherwise a fury pill is worth little
MOST_GAIN = 10_000
CHASE = 3  # without fury it does not run after a foe that is farther away


@rule
def fighter(arena: Record, view: Record, memory: Record) -> int:
    head = find_me(view)
    remember_effects(arena, view, memory, head)
    if head == NOWHERE:
        return 0
    back = backward(view, head)
    length = length_of(view, head)
    chart_ground(view, memory, FURY_GAIN if nearest_foe(view, head) <= HUNT else IDLE_FURY_GAIN)
    action = chart_foes(arena, view, memory, head, length)
    goal = best_goal(view, memory, head, back)
    if goal != NOWHERE:
        direction = memory.came[goal]
        to = beside(view, head, direction)
        if memory.gain[to] >= PER_CELL or room(view, memory, to, 2 * length + 4) >= min(2 * length, length + 6):
            return order_to(direction, action)
    return flee(view, memory, head, back)


@rule
def remember_effects(arena: Record, view: Record, memory: Record, head: int) -> None:
    """Notes how long effects still last. The head shows only that there is an effect; a second pill is not noticed."""
    part = -1 if head == NOWHERE else code_at(view, head) - MINE
    memory.fury = max(memory.fury - 1, 0)
    memory.flying = max(memory.flying - 1, 0)
    if part == HEAD_EVIL and memory.fury == 0:
        memory.fury = min(max(arena.fury_count, 1), 250)
    if part == HEAD_FLY and memory.flying == 0:
        memory.flying = min(max(arena.flying_count, 1), 250)
    if part < HEAD_EVIL:
        memory.fury = 0
    if part != HEAD_FLY:
        memory.flying = 0


@rule
def chart_ground(view: Record, memory: Record, fury_gain: int) -> None:
    width = view.board.shape[1]
    hard = memory.fury > 1 or memory.flying > 1
    for row in range(view.side):
        for col in range(view.side):
            cell = row * width + col
            code = view.board[row, col]
            memory.gain[cell] = gain_of(code, fury_gain)
            if code == WALL or code == START:
                memory.danger[cell] = CLOSED
            elif code == STONE:
                memory.danger[cell] = OPEN if hard else CLOSED
            elif code >= ENEMY and memory.flying <= 1 and not (MINE + TAIL <= code < MINE + TAIL_SLEEP):
                memory.danger[cell] = CLOSED
            else:
                memory.danger[cell] = OPEN


@rule
def gain_of(code: int, fury_gain: int) -> int:
    if code == APPLE:
        return APPLE_GAIN
    if code == GOLD:
        return GOLD_GAIN
    if code == FURY_PILL:
        return fury_gain
    if code == FLYING_PILL:
        return FLYING_GAIN
    return 0


@rule
def nearest_foe(view: Record, head: int) -> int:
    """Returns the distance to the nearest head of a foe, ignoring walls."""
    least = 2 * view.side
    width = view.board.shape[1]
    for row in range(view.side):
        for col in range(view.side):
            code = view.board[row, col]
            if ENEMY <= code < MINE and is_head(code - ENEMY):
                least = min(least, distance(view, head, row * width + col))
    return least


@rule
def chart_foes(arena: Record, view: Record, memory: Record, head: int, length: int) -> int:
    """Charts where the heads of foes may go and what there is to bite; returns DROP if a stone should be dropped."""
    width = view.board.shape[1]
    action = 0
    for row in range(view.side):
        for col in range(view.side):
            code = view.board[row, col]
            if ENEMY <= code < MINE and is_head(code - ENEMY):
                foe = row * width + col
                chart_foe(arena, view, memory, head, length, foe)
                if near_tail(view, foe):
                    action = DROP
    return action


@rule
def chart_foe(arena: Record, view: Record, memory: Record, head: int, length: int, foe: int) -> None:
    part = code_at(view, foe) - ENEMY
    if part == HEAD_FLY or memory.flying > 1:
        return
    furious = memory.fury > 1
    foe_length = length_of(view, foe)
    if furious and (part != HEAD_EVIL or arena.fury_bites_fury):
        chart_bites(view, memory, head, foe, foe_length)
    wins = furious and part != HEAD_EVIL
    if furious == (part == HEAD_EVIL):
        wins = length >= foe_length + 2
    for direction in range(4):
        cell = beside(view, foe, direction)
        if cell == NOWHERE or memory.danger[cell] != OPEN:
            continue
        if wins:
            if distance(view, head, cell) < max(memory.fury, CHASE):
                memory.gain[cell] = min(memory.gain[cell] + PER_CELL * foe_length + KILL, MOST_GAIN)
        else:
            memory.danger[cell] = RISKY


@rule
def chart_bites(view: Record, memory: Record, head: int, foe: int, foe_length: int) -> None:
    """Values each cell of a foe's body by what a bite there cuts off; such a cell can only be the end of a way."""
    back = backward(view, foe)
    cell = foe
    for at in range(1, foe_length):
        cell = beside(view, cell, back)
        memory.danger[cell] = LAST
        if distance(view, head, cell) < memory.fury:
            memory.gain[cell] = min(PER_CELL * (foe_length - at), MOST_GAIN)
        part = code_at(view, cell) - ENEMY
        if joins(part, back ^ 1):
            back = way_on(part, back ^ 1)


@rule
def near_tail(view: Record, foe: int) -> bool:
    """Tells whether a foe is close to the bot's own tail."""
    width = view.board.shape[1]
    for row in range(view.side):
        for col in range(view.side):
            code = view.board[row, col]
            if MINE + TAIL <= code < MINE + TAIL_SLEEP:
                return distance(view, row * width + col, foe) <= NEAR
    return False
