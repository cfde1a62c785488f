"""How a game of Hive Arena lies in memory.

The board stands inside a frame of `margin` cells of OUTSIDE on every side, so that neither a neighbour nor a window
ever needs a bounds check. Rows and columns inside records are counted in that frame: row 0 of the board is row
`margin`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from botyard.games.hive.facts import FACTS
from botyard.games.hive.settings import HiveSettings
from botyard.kernel.chance import CHANCE, COUNTER, GLIBC, KINDS, TAPE_LAYOUT
from botyard.kernel.errors import BadRecord
from botyard.kernel.records import Layout, Layouts, layout, record_of, spare_bytes

# Cell codes, as on the wire and in logs (specification 2). BEE + player, CARRIER + player, HIVE + player.
EMPTY, BEE, CARRIER, FLOWER, WALL, HIVE, OUTSIDE = 0, 1, 3, 5, 6, 7, 9

MOVE, FORAGE, BUILD, GUARD = range(4)  # an order is 8 × action + direction
ROW_STEPS = (-1, -1, 0, 1, 1, 1, 0, -1)
COL_STEPS = (0, 1, 1, 1, 0, -1, -1, -1)
ORDERS = len(FACTS.orders)
ACTIONS = ORDERS // 8

PLAYERS = 2

# The sizes every game is compiled for; a larger board, more bees or a wider view is compiled on demand.
ROWS, COLS, BEES, DISTANCE = 25, 30, 5, 3

LEARNER_UNITS, LEARNER_NUMBERS = 72, 13  # of each hidden layer of the learner's network; that it senses


def seats(settings: HiveSettings) -> int:
    return PLAYERS


def layouts(settings: HiveSettings) -> Layouts:
    """Returns the record types these settings need: the precompiled sizes wherever they are large enough."""
    return capacity(
        max(settings.rows, ROWS),
        max(settings.cols, COLS),
        max(settings.bees_per_player, BEES),
        settings.view_distance,
    )


@cache
def capacity(rows: int = ROWS, cols: int = COLS, bees: int = BEES, distance: int = DISTANCE) -> Layouts:
    height, width = rows + 2 * distance, cols + 2 * distance
    side = 2 * distance + 1
    return Layouts(
        arena=layout(
            [
                ("tape", TAPE_LAYOUT),  # recorded draws, for chance of kind TAPE
                ("rows", "i4"),
                ("cols", "i4"),
                ("margin", "i4"),  # width of the frame: the view distance
                ("bees", "i4"),  # bees per player
                ("hive_inset", "i4"),
                ("bee_inset", "i4"),
                ("flowers_min", "i4"),
                ("flowers_max", "i4"),
                ("carry_fail_sides", "i4"),
                ("guard_sides", "i4"),
                ("stall_turns", "i4"),
                ("max_turns", "i4"),
                ("row_step", "i1", (8,)),  # row and column steps, by direction
                ("col_step", "i1", (8,)),
                ("stall_latched", "u1"),
                ("random_seats", "u1"),
                ("chance_kind", "u1"),
                ("spare", "u1", (5,)),
            ]
        ),
        state=layout(
            [
                ("chance", CHANCE),
                ("turn", "i4"),  # turns played
                ("last_point_turn", "i4"),  # -1 before the first point
                ("scores", "i2", (PLAYERS,)),
                ("flowers", "i2"),  # on the ground and carried
                ("bees", "u1", (PLAYERS, bees, 2)),  # row and column in the frame
                ("bee", "u1"),  # the bee to act; a counter, because a division by the number of bees is slow on a GPU
                ("over", "u1"),  # the game is over: nobody is asked any more
                ("winner", "i1"),  # -1: none, or a draw
                ("forfeited", "i1"),  # the player who forfeited, or -1
                ("closing", "u1"),  # the closing phase is engaged (stall_latched)
                ("swapped", "u1"),  # the bot that entered second is player 0
                ("changed", "u1"),  # the last order changed the board ("successful")
                ("fault", "u1"),  # an error of our own; these rules never set it, because no capacity can be exceeded
                ("cells", "u1", (height, width)),
                ("spare", "u1", (spare_bytes(38 + 2 * PLAYERS * bees + height * width, 4),)),
            ]
        ),
        view=layout(
            [
                ("turn", "i4"),
                ("player", "u1"),
                ("bee", "u1"),
                ("row", "u1"),  # row and column of the bee on the board
                ("col", "u1"),
                ("window", "u1", (side, side)),  # cell codes around the bee, north-west first
                ("spare", "u1", (spare_bytes(side * side, 4),)),
            ]
        ),
        memory=memory_layout(rows, cols, bees),
    )


SIDE = 2 * DISTANCE + 1
THOUGHTS = layout(  # of the learner while it decides; nothing in it lasts
    [
        ("numbers", "i2", (LEARNER_NUMBERS,)),  # what it senses
        ("codes", "u1", (SIDE * SIDE,)),
        ("first", "u1", (LEARNER_UNITS,)),  # the hidden layers of its network
        ("second", "u1", (LEARNER_UNITS,)),
        ("spare", "u1", (spare_bytes(2 * LEARNER_NUMBERS + SIDE * SIDE + 2 * LEARNER_UNITS, 4),)),
    ]
)


def memory_layout(rows: int, cols: int, bees: int) -> Layout:
    """Returns the record of what the house bots of one seat remember; raider and learner use the forager's part."""
    forager = layout(
        [
            ("goal", "i2", (bees, 2)),  # the row and column on the board that each bee is heading for
            ("loose", "i2"),  # flowers on the chart
            ("chart", "u1", (rows, cols)),  # what was last seen of each cell of the board
            ("flowers", "u1", (rows,)),  # flowers on the chart, by row
            ("seen", "u1", (rows,)),  # cells of the chart that are not unseen, by row
            ("task", "u1", (bees,)),  # what each bee is doing
            ("spare", "u1", (spare_bytes(2 + rows * cols + 2 * rows + 5 * bees, 4),)),
        ]
    )
    return layout([("chance", CHANCE), ("learner", THOUGHTS), ("forager", forager)])


def make_arena(settings: HiveSettings) -> NDArray[Any]:
    """Returns the settings as the rules read them: an array of one record."""
    arenas = np.zeros(1, layouts(settings).arena)
    arena = record_of(arenas)
    arena.rows, arena.cols = settings.rows, settings.cols
    arena.margin = settings.view_distance
    arena.bees = settings.bees_per_player
    arena.hive_inset, arena.bee_inset = settings.hive_inset, settings.bee_inset
    arena.flowers_min, arena.flowers_max = settings.flowers_min, settings.flowers_max
    arena.carry_fail_sides, arena.guard_sides = settings.carry_fail_sides, settings.guard_sides
    arena.stall_turns, arena.stall_latched = settings.stall_turns, settings.stall_latched
    arena.max_turns = settings.max_turns
    arena.random_seats = settings.random_seats
    arena.chance_kind = GLIBC if settings.rng == "glibc_rand_r" else COUNTER
    arena.row_step[:], arena.col_step[:] = ROW_STEPS, COL_STEPS
    return arenas


def validate(arena: Any, state: Any) -> None:
    """Refuses a state that no game can be in, because the rules trust every index they read."""
    for what, holds in truths(arena, state):
        if not holds:
            raise BadRecord("not a state of hive under these settings", hint=what)


def truths(arena: Any, state: Any) -> Iterator[tuple[str, bool]]:
    rows, cols, margin, count = int(arena.rows), int(arena.cols), int(arena.margin), int(arena.bees)
    cells = state.cells
    board = cells[margin : margin + rows, margin : margin + cols]
    frame = cells.copy()
    frame[margin : margin + rows, margin : margin + cols] = OUTSIDE
    yield "the board must be framed by OUTSIDE cells", bool((frame == OUTSIDE).all())
    yield "cell codes must be from 0 to 8", bool((board < OUTSIDE).all())
    yield "spare bytes must be zero", not state.spare.any() and not state.chance.spare.any()
    yield "unused bees must be zero", not state.bees[:, count:].any()
    yield "the kind of chance must be known", state.chance.kind < len(KINDS)
    yield "counters must not be negative", state.turn >= 0 and (state.scores >= 0).all()
    yield "the last point must not lie in the future", -1 <= state.last_point_turn <= state.turn
    yield "the bee to act must be the one that the turn gives", state.bee == state.turn // PLAYERS % count
    yield "winner and forfeit must be players or -1", -1 <= min(state.winner, state.forfeited) <= max(
        state.winner, state.forfeited
    ) < PLAYERS  # fmt: skip
    yield "flags must be 0 or 1", max(state.over, state.closing, state.swapped, state.changed) <= 1
    yield "each player must have one hive", all((board == HIVE + player).sum() == 1 for player in range(PLAYERS))
    for player in range(PLAYERS):
        standing = {(int(row), int(col)) for row, col in state.bees[player, :count]}
        codes = (BEE + player, CARRIER + player)
        drawn = {(int(row), int(col)) for row, col in np.argwhere(np.isin(cells, codes))}
        yield f"bees of player {player} must stand where the board has them", standing == drawn and len(drawn) == count
    flowers = int(np.isin(board, (FLOWER, CARRIER, CARRIER + 1)).sum())
    yield f"the count of flowers is {state.flowers}, but {flowers} are on the board", flowers == state.flowers
