"""How a bout of BattleBots lies in memory.

Capacities: a mine is laid only where none lies (specification 3, step 5), so there are never more mines than squares.
A shot, bullet or missile, leaves the board after at most as many squares as the board is long, and at most two are
launched in a round, so twice the longer side holds all shots of a kind, including those just launched (`slots`).

The lists of shots and mines are rows of small numbers. The same memory is also laid out as words, by which the rules
copy the lists: a shot is one word, and a word of both lists together holds two shots or four mines.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from botyard.games.battlebots.facts import DIRECTIONS, FACTS
from botyard.games.battlebots.settings import BattlebotsSettings
from botyard.kernel.chance import CHANCE, KINDS, TAPE_LAYOUT
from botyard.kernel.errors import BadRecord
from botyard.kernel.records import Layout, Layouts, layout, record_of, spare_bytes

BOTS = 2

# An order is 8 × what + direction for these four; the pulse and doing nothing follow.
MOVE, BULLET, MISSILE, MINE = range(4)
PULSE, NOTHING = 32, 33
BULLETS, MISSILES = range(2)  # the two lists of shots
ORDERS = len(FACTS.orders)

COL_STEPS = (0, 1, 1, 1, 0, -1, -1, -1)  # column and row steps by direction, as in facts
ROW_STEPS = (-1, -1, 0, 1, 1, 1, 0, -1)

# Coordinates and counts are signed: Numba makes the difference of two unsigned numbers unsigned, and never negative.
LIVE, SPENT = 1, 2  # what lies on a square: a mine, or one that another has set off (spent_mines_linger)

# The size every bout is compiled for; a larger board is compiled on demand.
SIDE = 10
MINES_A_WORD = 4


def seats(settings: BattlebotsSettings) -> int:
    return BOTS


def layouts(settings: BattlebotsSettings) -> Layouts:
    """Returns the record types these settings need: the precompiled sizes wherever they are large enough."""
    return capacity(max(settings.height, SIDE), max(settings.width, SIDE))


def slots(rows: int, cols: int) -> int:
    """Returns how many shots of a kind there can be on a board of this size.

    A shot that has flown k rounds is at least k squares from its start, and on a board with n squares in a row no two
    squares are more than n - 1 apart. So after a round only shots of the last n - 1 rounds are left, two per round, and
    two more are launched before they fly.
    """
    return 2 * max(rows, cols)


@cache
def capacity(rows: int = SIDE, cols: int = SIDE) -> Layouts:
    room, cells = slots(rows, cols), rows * cols
    mine_words = -(-cells // MINES_A_WORD)
    weapons = [
        ("shots", "i1", (2, room, 4)),  # BULLETS and MISSILES: x, y, direction and 0, the oldest first
        ("mines", "i1", (MINES_A_WORD * mine_words, 2)),  # x and y, the oldest first
    ]
    words = {
        "shot_words": (["shots"], "i4", (2, room)),
        "list_words": (["shots", "mines"], "i8", (room + mine_words,)),
    }
    state = layout(
        [
            ("hp", "i4", (BOTS,)),
            ("rounds", "i4"),  # rounds played
            ("paralysed", "i4"),  # how many of the next rounds have no movement
            ("mine_count", "i2"),  # number of mines, including spent ones
            ("spent_count", "i2"),
            ("shot_count", "i2", (2,)),  # number of BULLETS and MISSILES
            ("forfeited", "i2"),  # the seat that gave up, or -1
            ("over", "u1"),
            ("fault", "u1"),  # an error of our own: there was no room for a shot
            ("bots", "i1", (BOTS, 2)),  # x and y
            *weapons,  # they begin on a multiple of 32 bytes, as much as a GPU fetches at a time
            ("chance", CHANCE),  # the game never draws from it
            ("mine_at", "u1", (rows, cols)),  # the same mines by square, [y, x]: LIVE or SPENT
            ("spare", "u1", (spare_bytes(CHANCE.itemsize + cells, 8),)),
        ],
        words,
    )
    view = layout(
        [
            *weapons,  # without mines unless show_mines
            ("hp", "i4"),  # the bot's own hit points, then the enemy's
            ("enemy_hp", "i4"),
            ("mine_count", "i2"),
            ("shot_count", "i2", (2,)),  # number of BULLETS and MISSILES
            ("width", "i1"),  # size of the board as drawn
            ("height", "i1"),
            ("x", "i1"),
            ("y", "i1"),
            ("enemy_x", "i1"),
            ("enemy_y", "i1"),
            ("spare", "u1", (4,)),
        ],
        words,
    )
    return Layouts(
        arena=layout(
            [
                ("tape", TAPE_LAYOUT),  # recorded draws; the rules make none, and house bots draw from their memory
                ("width", "i4"),
                ("height", "i4"),
                ("min_coordinate", "i4"),
                ("start_inset", "i4"),
                ("start_hp", "i4"),
                ("rounds_per_bout", "i4"),
                ("bullet_speed", "i4"),
                ("bullet_damage", "i4"),
                ("missile_speed", "i4"),
                ("missile_damage", "i4"),
                ("missile_splash", "i4"),
                ("mine_damage", "i4"),
                ("mine_splash", "i4"),
                ("emp_rounds", "i4"),
                ("emp_cost", "i4"),
                ("missile_wall_splash", "u1"),
                ("wall_splash_per_step", "u1"),
                ("mine_under_bot_explodes_now", "u1"),
                ("spent_mines_linger", "u1"),
                ("emp_both_pay", "u1"),
                ("walk_into_projectile_hits", "u1"),
                ("show_mines", "u1"),
                ("col_step", "i1", (8,)),  # column and row steps by direction
                ("row_step", "i1", (8,)),
                ("spare", "u1", (5,)),
            ]
        ),
        state=state,
        view=view,
        memory=memory_layout(state, view, rows, cols),
    )


def memory_layout(state: Layout, view: Layout, rows: int, cols: int) -> Layout:
    """Returns the record that one seat uses: chance of house bots, working memory for the duellist, learners' boards.

    Bots of this game are started anew for every round (specification 6), so what one round wrote is never read in the
    next.
    """
    narrow = CHANCE.itemsize + 4 * (2 * ORDERS + 4) + 2 * ORDERS + 3 * rows * cols
    return layout(
        [
            ("sums", "i8", (BOTS, ORDERS)),  # what each option would have brought so far, by seat
            ("boards", state, (2,)),  # the position as the view shows it, and one round later
            ("mirror", view),  # what the enemy sees
            ("chance", CHANCE),
            ("worth", "i4", (ORDERS, ORDERS)),  # value of a pair of options, the duellist's own option first
            ("plan", "i4", (ORDERS,)),  # how often each option was taken
            ("belief", "i4", (ORDERS,)),  # how likely each option of the enemy is thought to be beforehand
            ("orders", "i4", (BOTS,)),
            ("option_count", "i4", (BOTS,)),
            ("options", "i1", (BOTS, ORDERS)),  # orders that matter, by seat
            ("pieces", "u1", (rows, cols)),  # what learners sense of bots and mines (senses.py)
            ("flights", "u1", (2, rows, cols)),  # and of BULLETS and MISSILES
            ("spare", "u1", (spare_bytes(narrow, 8),)),
        ]
    )


def make_arena(settings: BattlebotsSettings) -> NDArray[Any]:
    """Returns the settings as the rules read them: an array of one record."""
    arenas = np.zeros(1, layouts(settings).arena)
    arena = record_of(arenas)
    for key, value in settings.of_group("rules").items():
        arena[key] = value
    arena.col_step[:], arena.row_step[:] = COL_STEPS, ROW_STEPS
    return arenas


def validate(arena: Any, state: Any) -> None:
    """Refuses a state that no bout can be in, because the rules trust every index they read."""
    for what, holds in truths(arena, state):
        if not holds:
            raise BadRecord("not a state of battlebots under these settings", hint=what)


def truths(arena: Any, state: Any) -> Iterator[tuple[str, bool]]:
    """Lists what must hold in every state; later checks may rely on earlier ones."""
    yield "the kind of chance must be known", state.chance.kind < len(KINDS)
    yield "spare bytes must be zero", not state.spare.any() and not state.chance.spare.any()
    yield "flags must be 0 or 1", max(state.over, state.fault) <= 1
    yield "a forfeit must be of seat 0 or 1, or -1 for none", -1 <= state.forfeited < BOTS
    yield "a bout with a forfeit must be over", state.forfeited < 0 or bool(state.over)
    yield f"rounds must be from 0 to {arena.rounds_per_bout}", 0 <= state.rounds <= arena.rounds_per_bout
    yield f"paralysis must be from 0 to {arena.emp_rounds}", 0 <= state.paralysed <= arena.emp_rounds
    yield f"hit points must not exceed the {arena.start_hp} of the start", bool((state.hp <= arena.start_hp).all())
    ended = bool((state.hp < 1).any()) or state.rounds == arena.rounds_per_bout or state.forfeited >= 0
    yield "a bout must end when a bot is down or forfeits, or the rounds are played", bool(state.over) == ended
    yield "bots must stand on usable squares", usable(arena, state.bots)
    yield "bots must not share a square", tuple(state.bots[0]) != tuple(state.bots[1])
    for kind, name in enumerate(("bullets", "missiles")):
        shots, count = state.shots[kind], int(state.shot_count[kind])
        yield f"the number of {name} must be from 0 to {len(shots)}", 0 <= count <= len(shots)
        yield f"{name} must be on usable squares", usable(arena, shots[:count])
        yield (
            f"the direction of {name} must be one of eight",
            bool(np.isin(shots[:count, 2], range(len(DIRECTIONS))).all()),
        )
        yield f"unused {name} must be zero", not shots[count:].any() and not shots[:, 3].any()
    yield from mine_truths(arena, state)


def mine_truths(arena: Any, state: Any) -> Iterator[tuple[str, bool]]:
    count = int(state.mine_count)
    yield "the number of mines must be from 0 to the number of squares", 0 <= count <= len(state.mines)
    yield "mines must lie on usable squares", usable(arena, state.mines[:count])
    yield "unused mines must be zero", not state.mines[count:].any()
    listed = {(int(y), int(x)) for x, y in state.mines[:count]}
    yield "a square must not hold two mines", len(listed) == count
    yield "the list of mines must match the board", listed == set(map(tuple, np.argwhere(state.mine_at).tolist()))
    yield "a mine must be live or spent", bool((state.mine_at <= SPENT).all())
    yield "the count of spent mines must match the board", int((state.mine_at == SPENT).sum()) == state.spent_count


def usable(arena: Any, squares: NDArray[Any]) -> bool:
    x, y = squares[:, 0], squares[:, 1]
    least = arena.min_coordinate
    return bool(((x >= least) & (x < arena.width) & (y >= least) & (y < arena.height)).all())
