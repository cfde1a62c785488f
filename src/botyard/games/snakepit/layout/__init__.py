"""How a game of Snakepit lies in memory.

A body is its head, its tail, its length and a ring of 2-bit steps. Every living snake moves in every tick, so the
step of tick t lies in slot t of every ring: no snake needs an index into its ring, and equal positions in equal ticks
have equal bytes. The rings lie side by side, sixteen slots of all snakes in a row, because a tick reads and writes
about the same slots of all of them. A tick touches little memory: two 32-byte sectors of counters, one sector per
snake, both ends of its ring, and the cells it enters and leaves.

Coordinates are those of the game: (1, 1) is top left.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from botyard.games.snakepit.settings import SnakepitSettings
from botyard.kernel.chance import CHANCE, COUNTER, TAPE_LAYOUT
from botyard.kernel.errors import BadRecord
from botyard.kernel.records import Layout, Layouts, layout, record_of, spare_bytes

EMPTY, PELLET, SNAKE = range(3)  # cell codes: the grid of the program (2.3)

RIGHT, LEFT, UP, DOWN, STAY = range(5)  # directions; STAY is the step on the spot that an unknown answer makes
STEP_X = (1, -1, 0, 0, 0)
STEP_Y = (0, 0, -1, 1, 0)
DIRECTIONS = 4  # the directions that lead somewhere

FARTHEST_PAUSE = 65535  # steps from the head: the most that the field `pause` can hold

NOBODY = -1  # in place of a seat: there is no last man
NOWHERE = -1  # in place of the coordinates of a cell: there is none

STEPS_PER_WORD = 16  # two bits each

# The sizes every game is compiled for; a larger board or more snakes are compiled on demand.
SNAKES, SIDE = 12, 64


def seats(settings: SnakepitSettings) -> int:
    return settings.snakes


def layouts(settings: SnakepitSettings) -> Layouts:
    """Returns the record types these settings need: the precompiled sizes wherever they are large enough."""
    width, height = settings.real_size
    slots = ring_slots(width, height, settings.body_cells)
    return capacity(max(settings.snakes, SNAKES), max(width, SIDE), max(height, SIDE), slots)


def ring_slots(width: int, height: int, body_cells: int) -> int:
    """Returns how many slots a ring needs for a snake that fills the board: a power of two."""
    wanted = max(width, SIDE) * max(height, SIDE)
    return 1 << (max(wanted, body_cells) - 1).bit_length()


@cache
def capacity(snakes: int = SNAKES, width: int = SIDE, height: int = SIDE, slots: int = SIDE * SIDE) -> Layouts:
    snake = layout(
        [
            ("head_x", "i2"),
            ("head_y", "i2"),
            ("tail_x", "i2"),  # the last cell of the body; it may be below the board if the start was not clean
            ("tail_y", "i2"),
            ("left_x", "i2"),  # the cell the tail left in the last tick, NOWHERE if it stayed
            ("left_y", "i2"),
            ("aim_x", "i2"),  # the cell the head is about to enter; zero between ticks
            ("aim_y", "i2"),
            ("length", "i4"),  # cells; for a dead snake, when it died
            ("growing", "i4"),  # cells still owed
            ("pellets", "i4"),  # eaten
            ("facing", "u1"),  # the direction last taken
            ("fate", "u1"),  # what happens to the snake in this tick; zero between ticks
            ("pause", "u2"),  # the step of the body, counted from 1 at the head, that was on the spot; 0 if none was
        ]
    )
    return Layouts(
        arena=arena_layout(),
        state=layout(
            [
                ("chance", CHANCE),
                ("tick", "i4"),  # ticks played
                ("hunger", "i4"),  # ticks without a pellet eaten (3.6)
                ("living", "i4"),  # the snakes alive, one bit each
                ("gone", "i4"),  # the snakes that nobody steers any more, one bit each
                ("fault", "i4"),  # 1, our own error: no room for the start; FAULT_OF << seat: a body we cannot store
                ("died", "i4", (snakes,)),  # tick of death; 0 if the snake has not died
                ("pellet_x", "i2"),  # as bots are told; 0 if there is none
                ("pellet_y", "i2"),
                ("last_man", "i1"),  # who takes the bonus, or NOBODY
                ("over", "u1"),
                ("wash", "u1"),  # nobody gets a point (4.2)
                ("starved", "u1"),  # ended by hunger
                ("eaten", "u1"),  # the pellet was consumed in the last tick
                ("fresh", "u1"),  # a pellet was put down in the last tick
                ("spare", "u1", (1 + spare_bytes(47 + 4 * snakes, 32),)),
                ("snakes", snake, (snakes,)),
                ("ring", "u4", (slots // STEPS_PER_WORD, snakes)),  # steps by slot and snake; unused ones are zero
                ("cells", "u1", (height, width)),  # cell (x, y) is [y - 1, x - 1]
                ("spare_end", "u1", (32 + spare_bytes(width * height, 32),)),
            ]
        ),
        view=layout(
            [
                ("tick", "i4"),
                ("pellet_x", "i2"),  # 0 if there is none
                ("pellet_y", "i2"),
                ("heads", "i2", (snakes, 2)),  # x and y; zero for the dead
                ("tails", "i2", (snakes, 2)),  # the cell each tail left in the last tick, -1 -1 if it stayed
                ("alive", "u1", (snakes,)),
                ("fresh", "u1"),  # the pellet was put there in the last tick
                ("seat", "u1"),  # the bot's own seat, from 0
                ("spare", "u1", (2 + spare_bytes(12 + 9 * snakes, 4),)),
            ]
        ),
        memory=memory_layout(snakes, width, height),
    )


def arena_layout() -> Layout:
    return layout(
        [
            ("tape", TAPE_LAYOUT),  # recorded draws, for chance of kind TAPE
            ("width", "i4"),  # as bots are told; positions are drawn from it
            ("height", "i4"),
            ("real_width", "i4"),  # the board on which snakes can move (swap_board_axes)
            ("real_height", "i4"),
            ("snakes", "i4"),
            ("body_cells", "i4"),  # cells of a snake at the start
            ("slots", "i4"),  # slots of a ring, a power of two
            ("growth", "i4"),
            ("tick_timeout", "i4"),
            ("last_man_standing", "i4"),
            ("pellet_points", "i4"),
            ("tick_points", "i4"),
            ("step_x", "i4", (5,)),  # by direction
            ("step_y", "i4", (5,)),
            ("clean_start", "u1"),
            ("rand_start_pellet", "u1"),
            ("preserve_dead", "u1"),
            ("one_by_one", "u1"),  # tick_resolution is sequential_by_id
            ("unknown_stays", "u1"),
            ("tick_timeout_resets", "u1"),
            ("survivor_takes_bonus", "u1"),
            ("pellets_decide", "u1"),  # simultaneous_death is most_pellets
            ("last_man_wins", "u1"),  # game_winner is last_man
            ("starved_scores", "u1"),  # solo_starved is score
            ("absence_aborts", "u1"),  # on_connect_failure is abort
            ("chance_kind", "u1"),
            ("spare", "u1", (4,)),
        ]
    )


def memory_layout(snakes: int, width: int, height: int) -> Layout:
    """Returns the record of what the house bots of one seat remember: a chart of the board, and room to search it."""
    place = "u2" if width * height <= 1 << 16 else "u4"
    used = (np.dtype(place).itemsize + 3) * width * height + 4 * snakes + 2 + DIRECTIONS
    return layout(
        [
            ("chance", CHANCE),
            ("known", "i4"),  # the snakes on the chart, one bit each
            ("length", "i4"),  # length of the bot's own snake
            ("queue", place, (width * height,)),  # cells a search has yet to look at
            ("seen", "u2", (height, width)),  # the number of the last search that reached the cell
            ("search", "u2"),  # number of the last search
            ("heads", "i2", (snakes, 2)),  # heads one tick ago
            ("owner", "u1", (height, width)),  # whose body lies there: seat + 1, or 0
            ("rooms", "u1", (DIRECTIONS,)),  # free cells behind each step, for learners (senses.py)
            ("spare", "u1", (4 + spare_bytes(used, 4),)),
        ]
    )


def make_arena(settings: SnakepitSettings) -> NDArray[Any]:
    """Returns the settings as the rules read them: an array of one record."""
    arenas = np.zeros(1, layouts(settings).arena)
    arena = record_of(arenas)
    arena.width, arena.height = settings.width, settings.height
    arena.real_width, arena.real_height = settings.real_size
    arena.snakes, arena.body_cells, arena.growth = settings.snakes, settings.body_cells, settings.growth
    arena.slots = ring_slots(*settings.real_size, settings.body_cells)
    arena.tick_timeout, arena.tick_timeout_resets = settings.tick_timeout, settings.tick_timeout_resets
    arena.last_man_standing = settings.last_man_standing
    arena.pellet_points, arena.tick_points = settings.pellet_points, settings.tick_points
    arena.step_x[:], arena.step_y[:] = STEP_X, STEP_Y
    arena.clean_start, arena.rand_start_pellet = settings.clean_start, settings.rand_start_pellet
    arena.preserve_dead = settings.preserve_dead
    arena.one_by_one = settings.tick_resolution == "sequential_by_id"
    arena.unknown_stays = settings.unknown_answer == "stay"
    arena.survivor_takes_bonus = settings.survivor_takes_bonus
    arena.pellets_decide = settings.simultaneous_death == "most_pellets"
    arena.last_man_wins = settings.game_winner == "last_man"
    arena.starved_scores = settings.solo_starved == "score"
    arena.absence_aborts = settings.on_connect_failure == "abort"
    arena.chance_kind = COUNTER
    return arenas


def validate(arena: Any, state: Any) -> None:
    """Refuses a state that no game can be in, because the rules trust every index they read."""
    from botyard.games.snakepit.layout.validity import truths

    for what, holds in truths(arena, state):
        if not holds:
            raise BadRecord("not a state of snakepit under these settings", hint=what)
