"""How a game of Snake Battle lies in memory.

The field stands inside a frame of one cell of wall on every side, so that a head or a tail one step outside needs no
bounds check. A cell is an index into such a framed field, row by row from the top; `cell_at` makes it from x and y.

A snake is its head, its tail, its length and the steps between, two bits each, newest first: step k is the direction
from cell k + 1 to cell k, where the head is cell 0. Nothing in it depends on the past: equal snakes have equal bytes.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from botyard.games.snakebattle.map.alphabet import (
    ENEMY,
    HORIZONTAL,
    LEFT_DOWN,
    LEFT_UP,
    RIGHT_DOWN,
    RIGHT_UP,
    START,
    VERTICAL,
    WALL,
    ground_of,
    map_rows,
)
from botyard.games.snakebattle.settings import SnakebattleSettings
from botyard.kernel.chance import CHANCE, COUNTER, TAPE_LAYOUT
from botyard.kernel.records import FieldSpec, Layout, Layouts, layout, record_of, spare_bytes

# Directions. An order is 5 × action + turn, where turn is 0 for straight on, else 1 + direction.
LEFT, RIGHT, UP, DOWN = range(4)  # direction ^ 1 is the opposite one
TURNS = 5
DROP, DIE = 1, 2  # bits of the action

# Events, in the order of the table in 4.4; messages come last.
WIN, ATE_APPLE, ATE_GOLD, ATE_STONE, EAT, DEATH, ROUND_START, FLYING, FURY, COUNTDOWN, ROUND, TIME_OVER = range(1, 13)

MATCH, ROOM, BARE = range(3)  # who drives the field; BARE: a recording does, step by step

# The sizes every game is compiled for; a larger map or more seats are compiled on demand.
SIDE, SEATS = 30, 15

STEPS_PER_WORD = 16
KINDS_OF_GROUND = 8


def seats(settings: SnakebattleSettings) -> int:
    return settings.rounds_players_per_room


def layouts(settings: SnakebattleSettings) -> Layouts:
    """Returns the record types these settings need: the precompiled sizes wherever they are large enough."""
    return capacity(max(len(map_rows(settings.level_map)), SIDE), max(settings.rounds_players_per_room, SEATS))


def snake_layout(side: int) -> Layout:
    words = -(-side * side // STEPS_PER_WORD)
    return layout(
        [
            ("steps", "u4", (words,)),
            ("score", "i4"),  # belongs to the player and outlives the snake
            ("stones", "i4"),  # stones carried
            ("flying", "i4"),  # ticks the effect still lasts
            ("fury", "i4"),
            ("head", "i2"),
            ("tail", "i2"),
            ("last_tail", "i2"),  # where an apple lets the tail grow
            ("length", "i2"),  # 0 if there is no snake
            ("cut", "i2"),  # cells to lose at the next move
            ("folds", "i2"),  # cells that lie over other cells of the same snake
            ("direction", "u1"),
            ("turn", "u1"),  # the remembered order: 1 + direction, or 0 for none
            ("here", "u1"),  # the seat's player is on the field
            ("alive", "u1"),
            ("awake", "u1"),
            ("suicide", "u1"),  # died by its own order
            ("died", "u1"),  # died, and the field has not counted it yet
            ("leaving", "u1"),  # must leave, because its match is over
            ("forfeited", "u1"),
            ("spare", "u1", (3,)),
        ]
    )


EVENT = layout([("amount", "i4"), ("seat", "u1"), ("kind", "u1"), ("spare", "u1", (2,))])
NOTE = layout([("amount", "i2"), ("eater", "u1"), ("spare", "u1")])


@cache
def capacity(side: int = SIDE, seats: int = SEATS) -> Layouts:
    rows = side + 2
    cells = rows * rows
    events = 8 * seats + 16  # no tick has more; see `tell`
    bits = "u2" if seats <= 16 else "u4"
    fixed: list[FieldSpec] = [
        ("chance", CHANCE),
        ("snakes", snake_layout(side), (seats,)),
        ("log", EVENT, (events,)),  # the events of the last tick, or of the last change between ticks
        ("victims", "u4"),  # one bit per seat; used only during a fight
        ("tick", "i4"),
        ("countdown", "i4"),  # the three counters of the round clock; -1 while idle
        ("round_left", "i4"),
        ("winner_left", "i4"),
        ("round_number", "i4"),
        ("round_length", "i4"),  # as it was at the last START
        ("joined", "i4"),  # number of players that ever came
        ("notes", NOTE, (2 * seats,)),  # who eats how much; used only during a fight
    ]
    planes: list[FieldSpec] = [
        ("cover", bits, (cells,)),  # whose snakes lie on a cell, one bit per seat
        ("picture", "u2", (rows, rows)),  # what is seen of each cell (rules/picture.py)
        ("counts", "i2", (KINDS_OF_GROUND,)),  # objects on the field, by kind
    ]
    narrow: list[FieldSpec] = [
        ("roster", "u1", (seats,)),  # the player list: seats in the order of play
        ("register", "u1", (seats,)),  # seats in the order in which their players registered
        ("players", "u1"),  # length of both lists
        ("log_length", "u1"),
        ("notes_length", "u1"),
        ("filled", "u1"),  # every seat was taken at some time
        ("over", "u1"),
        ("fault", "u1"),  # an error of our own: a capacity was exceeded
        ("ground", "u1", (cells,)),  # walls, start cells and objects
    ]
    used = np.dtype([*fixed, *planes, *narrow]).itemsize  # packed, so without padding
    return Layouts(
        arena=arena_layout(rows, cells),
        state=layout([*fixed, *planes, *narrow, ("spare", "u1", (spare_bytes(used, 4),))]),
        view=layout(
            [("board", "u1", (side, side)), ("side", "u1"), ("spare", "u1", (spare_bytes(side * side + 1, 4),))]
        ),
        memory=memory_layout(side),
    )


def arena_layout(rows: int, cells: int) -> Layout:
    numbers = (
        "side", "start_count", "drive", "last_tick", "rounds_players_per_room", "rounds_time", "rounds_time_for_winner",
        "rounds_time_before_start", "rounds_per_match", "rounds_min_ticks_for_win", "flying_count", "fury_count",
        "stone_reduced", "win_score", "apple_score", "gold_score", "die_penalty", "stone_score", "eat_score",
    )  # fmt: skip
    flags = (
        "rounds_enabled", "strict_min_length", "fury_bites_fury", "fury_stone_penalty",
        "wait_full_room", "seats_reopen",
    )  # fmt: skip
    fields: list[FieldSpec] = [
        ("tape", TAPE_LAYOUT),  # recorded draws, for chance of kind TAPE
        *((name, "i4") for name in numbers),
        ("starts", "i2", (cells,)),  # start cells in map order
        ("delta", "i2", (4,)),  # from a cell to its neighbour, by direction
        ("bend", "u1", (4, 4)),  # the code of a body part, by the direction it came from and the one it goes to
        ("chance_kind", "u1"),
        *((name, "u1") for name in flags),
        ("ground", "u1", (cells,)),  # the map
    ]
    used = np.dtype(fields).itemsize
    return layout([*fields, ("spare", "u1", (spare_bytes(used, 8),))])


def memory_layout(side: int) -> Layout:
    """Returns the record of what the house bots of one seat remember, and of their working memory for searches."""
    cells = side * side
    return layout(
        [
            ("chance", CHANCE),
            ("queue", "i2", (cells,)),  # queue of the search; cells of the board, row by row from the top
            ("away", "i2", (cells,)),  # moves to each cell; -1 where the search did not get
            ("gain", "i2", (cells,)),  # what there is to gain on a cell
            ("came", "u1", (cells,)),  # the first direction on the way to each cell
            ("danger", "u1", (cells,)),  # what it means to enter a cell
            # What learners remember (senses.py)
            ("row", "i2"),  # the cell around which the board is sensed: where the own head was last seen
            ("col", "i2"),
            ("head", "i2"),  # the own head; -1 if it is not to be seen, or the snake sleeps or is dead
            ("tail", "i2"),  # the own tail; -1 if it is not to be seen
            ("length", "i2"),  # of the own snake; 0 without a head
            ("moves", "i2"),  # boards since the snake woke
            ("stones", "u1"),  # stones carried, as far as seen
            ("beside", "u1"),  # the directions in which a stone lay beside the head, one bit each
            ("flying", "u1"),  # moves that an effect will still last, as far as known
            ("fury", "u1"),
            ("spare", "u1", (spare_bytes(8 * cells + 16, 4),)),
        ]
    )


def cell_at(arena: Any, x: int, y: int) -> int:
    """Returns the cell of a point of the field: x to the right, y upwards from (0, 0) at the bottom left (2.1)."""
    stride = int(arena.delta[DOWN])
    return (int(arena.side) - y) * stride + x + 1


def point_of(arena: Any, cell: int) -> tuple[int, int]:
    row, col = divmod(cell, int(arena.delta[DOWN]))
    return col - 1, int(arena.side) - row


BENDS = {
    frozenset((LEFT, RIGHT)): HORIZONTAL,
    frozenset((UP, DOWN)): VERTICAL,
    frozenset((LEFT, DOWN)): LEFT_DOWN,
    frozenset((LEFT, UP)): LEFT_UP,
    frozenset((RIGHT, DOWN)): RIGHT_DOWN,
    frozenset((RIGHT, UP)): RIGHT_UP,
}


def make_arena(settings: SnakebattleSettings) -> NDArray[Any]:
    """Returns the settings and the map as the rules read them: an array of one record."""
    kinds = layouts(settings)
    arenas = np.zeros(1, kinds.arena)
    arena = record_of(arenas)
    for name, value in settings.of_group("rules").items():
        if name in (kinds.arena.names or ()):
            arena[name] = value
    rows = map_rows(settings.level_map)
    stride = kinds.state["picture"].shape[1]
    arena.side, arena.chance_kind = len(rows), COUNTER
    arena.drive = ROOM if settings.played_as == "room" else MATCH
    clockless = not settings.rounds_enabled or settings.rounds_time_before_start == 0
    arena.last_tick = settings.max_ticks or (settings.rounds_per_match * settings.rounds_time if clockless else 0)
    arena.delta[:] = (-1, 1, -stride, stride)
    for came in range(4):
        for goes in range(4):
            arena.bend[came, goes] = ENEMY + BENDS.get(frozenset((came ^ 1, goes)), HORIZONTAL)
    ground = [WALL] * len(arena.ground)
    for row, symbols in enumerate(rows, 1):
        ground[row * stride + 1 : row * stride + 1 + len(symbols)] = map(ground_of, symbols)
    starts = [cell for cell, code in enumerate(ground) if code == START]
    arena.ground[:], arena.starts[: len(starts)], arena.start_count = ground, starts, len(starts)
    return arenas


def body_cells(arena: Any, snake: Any) -> list[int]:
    """Returns the cells of a snake from head to tail."""
    cells = [int(snake["head"])] if snake["length"] else []
    words, delta = snake["steps"].tolist(), arena.delta.tolist()
    for k in range(int(snake["length"]) - 1):
        cells.append(cells[-1] - delta[words[k // STEPS_PER_WORD] >> (2 * (k % STEPS_PER_WORD)) & 3])
    return cells


def validate(arena: Any, state: Any) -> None:
    """Refuses a state that no game can be in, because the rules trust every index they read."""
    from botyard.games.snakebattle.layout import validity  # imported late: it uses the rules, and they use this module

    validity.validate(arena, state)
