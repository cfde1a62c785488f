"""Movement, and the mines that are tripped by it (3, step 3)."""

from __future__ import annotations

from botyard.games.battlebots.layout import BOTS, LIVE, MOVE
from botyard.games.battlebots.rules.lists import cut_mines
from botyard.games.battlebots.rules.squares import near, outside, stands
from botyard.kernel.records import Record
from botyard.kernel.rule import rule


@rule
def move_bots(arena: Record, state: Record, orders: Record) -> None:
    """Moves bot 1, then bot 2; if bot 2 was in its way, bot 1 tries once more after bot 2 has moved."""
    moved = walk(arena, state, 0, orders[0])
    walk(arena, state, 1, orders[1])
    if not moved:
        walk(arena, state, 0, orders[0])


@rule
def walk(arena: Record, state: Record, bot: int, order: int) -> bool:
    """Moves a bot if its order is a step; returns False only if the step was refused."""
    if order < 0 or order >> 3 != MOVE:
        return True
    x = state.bots[bot, 0] + arena.col_step[order & 7]
    y = state.bots[bot, 1] + arena.row_step[order & 7]
    if outside(arena, x, y) or stands(state, 1 - bot, x, y):
        return False
    state.bots[bot, 0] = x
    state.bots[bot, 1] = y
    return True


@rule
def trip_mines(arena: Record, state: Record) -> None:
    """Sets off mines under bots: each takes more from the bot on it than from one near it. Spent mines hurt again."""
    tripped = 0
    for bot in range(BOTS):
        x, y = state.bots[bot, 0], state.bots[bot, 1]
        if state.mine_at[y, x] != 0:
            state.hp[bot] -= arena.mine_damage
            if near(state, 1 - bot, x, y):
                state.hp[1 - bot] -= arena.mine_splash
            state.mine_at[y, x] = 0
            tripped += 1
    if tripped > 0 or state.spent_count > 0:
        clear_mines(state)


@rule
def clear_mines(state: Record) -> None:
    """Removes from the list the mines that are no longer on the board, and spent ones."""
    kept = 0
    for at in range(state.mine_count):
        x, y = state.mines[at, 0], state.mines[at, 1]
        if state.mine_at[y, x] == LIVE:
            state.mines[kept, 0] = x
            state.mines[kept, 1] = y
            kept += 1
        else:
            state.mine_at[y, x] = 0
    cut_mines(state, kept)
    state.spent_count = 0
