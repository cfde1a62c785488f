"""What a learner of BattleBots senses: three boards around its bot, one above the other, and what a step would cost.

The upper board has bots and mines, the one in the middle bullets, the lower one missiles, each by where they fly. A
bot of this game is started anew for every round, so a learner remembers nothing either: neither the round nor paralysis
is told.
"""

from __future__ import annotations

from typing import Any

from botyard.games.battlebots.bots.sight import distance, in_line, on_board, towards
from botyard.games.battlebots.facts import DIRECTIONS
from botyard.games.battlebots.layout import BULLETS, MISSILES
from botyard.kernel.offsets import offset, rolled
from botyard.kernel.records import Record
from botyard.kernel.rule import rule
from botyard.kernel.senses import SensedNumber

CODES = (
    "empty",
    "the own bot",
    "the enemy",
    "a mine",
    "a mine under the own bot",
    "a mine under the enemy",
    "out of bounds",
    *(f"a bullet that flies {direction}" for direction in DIRECTIONS),
    "bullets that fly in several directions",
    *(f"a missile that flies {direction}" for direction in DIRECTIONS),
    "missiles that fly in several directions",
)
EMPTY, OWN, ENEMY, MINE, UNDER_OWN, UNDER_ENEMY, OUTSIDE, SHOT = range(8)
SEVERAL = len(DIRECTIONS)  # in place of a direction
WAYS = SEVERAL + 1  # codes of a kind of shot
BOARDS = 3

HERE = len(DIRECTIONS)  # in place of a direction: the bot stays
MANY, MOST = 16, 32

NUMBERS = (
    SensedNumber("hp", 0, MOST, "the own hit points, at most 32"),
    SensedNumber("enemy_hp", 0, MOST, "the enemy's hit points, at most 32"),
    SensedNumber("x", 0, MANY, "the own column, at most 16"),
    SensedNumber("y", 0, MANY, "the own row, from the top, at most 16"),
    SensedNumber("enemy_south", 0, 16, "rows to the enemy plus 8, at most 8 either way"),
    SensedNumber("enemy_east", 0, 16, "columns to the enemy plus 8, at most 8 either way"),
    SensedNumber("enemy_away", 0, MANY, "moves to the enemy, at most 16"),
    SensedNumber("aim", 0, 8, "the direction in which a shot meets the enemy where it stands, N to NW; 8: none"),
    SensedNumber("bullets", 0, MANY, "bullets on the board, at most 16"),
    SensedNumber("missiles", 0, MANY, "missiles on the board, at most 16"),
    *(
        SensedNumber(f"risk_{where}", 0, MANY, f"damage that shots and known mines do in this round {what}, at most 16")
        for where, what in (
            *((direction, f"after a step {direction}") for direction in DIRECTIONS),
            ("here", "if the bot stays"),
        )
    ),
)
RISKS = 10  # the number with which the risks begin

# What a position is worth, in tenths of a hit point. Damage counts a little more than what it costs: who only avoids
# being hit never learns to hit.
LOST, DEALT, WIN = 10, 12, 100


def sense_shape(arena: Any) -> tuple[int, int]:
    return BOARDS * (int(arena.height) + 1), int(arena.width) + 1


# Boards


@rule
def note(arena: Record, view: Record, memory: Record) -> None:
    """Lays the lists of the view out on boards."""
    for y in range(arena.height):
        for x in range(arena.width):
            memory.pieces[y, x] = EMPTY if on_board(arena, x, y) else OUTSIDE
            memory.flights[BULLETS, y, x] = EMPTY
            memory.flights[MISSILES, y, x] = EMPTY
    for at in range(view.mine_count):
        memory.pieces[view.mines[at, 1], view.mines[at, 0]] = MINE
    lay_bot(memory, view.x, view.y, OWN)
    lay_bot(memory, view.enemy_x, view.enemy_y, ENEMY)
    for kind in range(2):
        for at in range(view.shot_count[kind]):
            x, y, direction = view.shots[kind, at, 0], view.shots[kind, at, 1], view.shots[kind, at, 2]
            lay_shot(memory, kind, x, y, SHOT + WAYS * kind + direction)


@rule
def lay_bot(memory: Record, x: int, y: int, code: int) -> None:
    mined = memory.pieces[y, x] == MINE
    memory.pieces[y, x] = code + UNDER_OWN - OWN if mined else code


@rule
def lay_shot(memory: Record, kind: int, x: int, y: int, code: int) -> None:
    there = memory.flights[kind, y, x]
    memory.flights[kind, y, x] = code if there == EMPTY or there == code else SHOT + WAYS * kind + SEVERAL


@rule
def sense(arena: Record, view: Record, memory: Record, row: int, col: int) -> int:
    board = (row > arena.height) + (row > 2 * arena.height + 1)
    y = rolled(row - board * (arena.height + 1), view.y, arena.height)
    x = rolled(col, view.x, arena.width)
    if y == arena.height or x == arena.width:
        return OUTSIDE
    if board == 0:
        return memory.pieces[y, x]
    return memory.flights[board - 1, y, x]


# Numbers


@rule
def numbers(arena: Record, view: Record, memory: Record, out: Record) -> None:
    south, east = view.enemy_y - view.y, view.enemy_x - view.x
    out[0], out[1] = min(max(view.hp, 0), MOST), min(max(view.enemy_hp, 0), MOST)
    out[2], out[3] = min(view.x, MANY), min(view.y, MANY)
    out[4], out[5] = offset(south), offset(east)
    out[6] = min(distance(east, south), MANY)
    out[7] = towards(arena, east, south) if in_line(east, south) else HERE
    out[8], out[9] = min(view.shot_count[BULLETS], MANY), min(view.shot_count[MISSILES], MANY)
    for way in range(HERE + 1):
        out[RISKS + way] = mine_risk(arena, view, way)
    for kind in range(2):
        for at in range(view.shot_count[kind]):
            follow_shot(arena, view, kind, at, out)


@rule
def mine_risk(arena: Record, view: Record, way: int) -> int:
    x, y = goal_x(arena, view, way), goal_y(arena, view, way)
    for at in range(view.mine_count):
        if view.mines[at, 0] == x and view.mines[at, 1] == y:
            return min(arena.mine_damage, MANY)
    return 0


@rule
def goal_x(arena: Record, view: Record, way: int) -> int:
    return view.x if way == HERE else view.x + arena.col_step[way]


@rule
def goal_y(arena: Record, view: Record, way: int) -> int:
    return view.y if way == HERE else view.y + arena.row_step[way]


@rule
def follow_shot(arena: Record, view: Record, kind: int, at: int, out: Record) -> None:
    """Adds what a shot does this round to a bot in each of the nine squares, if nobody else stands in its way."""
    x, y = view.shots[kind, at, 0] + 0, view.shots[kind, at, 1] + 0
    east, south = arena.col_step[view.shots[kind, at, 2]], arena.row_step[view.shots[kind, at, 2]]
    flies = arena.bullet_speed if kind == BULLETS else arena.missile_speed
    damage = arena.bullet_damage if kind == BULLETS else arena.missile_damage
    struck = 0  # the squares where it has hit already, one bit each: there it flies no farther
    for _ in range(flies):
        if not on_board(arena, x + east, y + south):
            if kind == MISSILES and arena.missile_wall_splash:
                splash(arena, view, x, y, struck, out)
            return
        x += east
        y += south
        if distance(x - view.x, y - view.y) <= 1:
            for way in range(HERE + 1):
                if (struck >> way) & 1 == 0 and goal_x(arena, view, way) == x and goal_y(arena, view, way) == y:
                    add_risk(out, way, damage)
                    struck |= 1 << way


@rule
def splash(arena: Record, view: Record, x: int, y: int, struck: int, out: Record) -> None:
    for way in range(HERE + 1):
        near = distance(goal_x(arena, view, way) - x, goal_y(arena, view, way) - y) <= 1
        if near and (struck >> way) & 1 == 0:
            add_risk(out, way, arena.missile_splash)


@rule
def add_risk(out: Record, way: int, damage: int) -> None:
    out[RISKS + way] = min(out[RISKS + way] + damage, MANY)


# Rewards


@rule
def worth(arena: Record, state: Record, seat: int) -> int:
    total = LOST * state.hp[seat] - DEALT * state.hp[1 - seat]
    if not state.over:
        return total
    if state.forfeited >= 0:
        return total - WIN if state.forfeited == seat else total + WIN
    return total + WIN * (state.hp[seat] > state.hp[1 - seat]) - WIN * (state.hp[seat] < state.hp[1 - seat])
