"""Pulses, launches and new mines (3, steps 4 and 5)."""

from __future__ import annotations

from botyard.games.battlebots.layout import BOTS, BULLET, BULLETS, LIVE, MINE, MISSILE, MISSILES, PULSE, SPENT
from botyard.games.battlebots.rules.movement import clear_mines
from botyard.games.battlebots.rules.squares import outside, splash, stands
from botyard.kernel.records import Record
from botyard.kernel.rule import rule


@rule
def fire_pulses(arena: Record, state: Record, orders: Record) -> None:
    """Fires pulses. The counter is set, not added to. In the program only bot 1 pays if both pulse."""
    first, second = orders[0] == PULSE, orders[1] == PULSE
    if first or second:
        state.paralysed = arena.emp_rounds
    if first:
        state.hp[0] -= arena.emp_cost
    if second and (arena.emp_both_pay or not first):
        state.hp[1] -= arena.emp_cost


@rule
def launch_weapons(arena: Record, state: Record, orders: Record) -> None:
    for bot in range(BOTS):
        order = orders[bot]
        if order < 0:
            continue
        weapon, direction = order >> 3, order & 7
        if weapon == BULLET:
            launch(state, bot, BULLETS, direction)
        elif weapon == MISSILE:
            launch(state, bot, MISSILES, direction)
        elif weapon == MINE:
            lay_mine(arena, state, bot, direction)


@rule
def launch(state: Record, bot: int, kind: int, direction: int) -> None:
    """Puts a shot on the bot's own square, at the end of its list.

    There is always room in a bout that began at its start (`layout.slots`); a position made by hand may have none.
    """
    at = state.shot_count[kind]
    if at >= state.shots.shape[1]:
        state.fault = 1
        return
    state.shots[kind, at, 0] = state.bots[bot, 0]
    state.shots[kind, at, 1] = state.bots[bot, 1]
    state.shots[kind, at, 2] = direction
    state.shot_count[kind] = at + 1


@rule
def lay_mine(arena: Record, state: Record, bot: int, direction: int) -> None:
    """Lays a mine on the square beside the bot. Two mines on one square set each other off."""
    x = state.bots[bot, 0] + arena.col_step[direction]
    y = state.bots[bot, 1] + arena.row_step[direction]
    if outside(arena, x, y):
        return
    if state.mine_at[y, x] != 0:
        splash(state, x, y, arena.mine_splash)
        use_up(arena, state, x, y)
    elif stands(state, 1 - bot, x, y) and arena.mine_under_bot_explodes_now:
        state.hp[1 - bot] -= arena.mine_damage
        state.hp[bot] -= arena.mine_splash
    else:
        state.mines[state.mine_count, 0] = x  # there is room: the square had no mine, so not every square has one
        state.mines[state.mine_count, 1] = y
        state.mine_count += 1
        state.mine_at[y, x] = LIVE


@rule
def use_up(arena: Record, state: Record, x: int, y: int) -> None:
    """Removes a mine that went off; in the program it stays until the mines are next checked, and hurts once more."""
    if not arena.spent_mines_linger:
        state.mine_at[y, x] = 0
        clear_mines(state)
    elif state.mine_at[y, x] == LIVE:
        state.mine_at[y, x] = SPENT
        state.spent_count += 1
