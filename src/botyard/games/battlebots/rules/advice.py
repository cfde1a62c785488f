"""Advice on orders before they are given: which are useful, and which hurt the bot itself."""

from __future__ import annotations

from botyard.games.battlebots.layout import MINE, MISSILE, MOVE, NOTHING, ORDERS, PULSE
from botyard.games.battlebots.rules.flight import edge_splash
from botyard.games.battlebots.rules.squares import outside, stands
from botyard.kernel.records import Record
from botyard.kernel.rule import rule


@rule
def allowed(arena: Record, state: Record, seat: int, mask: Record) -> None:
    """Marks the orders that may do something as far as a bot knows; it cannot see paralysis or hidden mines."""
    for order in range(PULSE):
        x = state.bots[seat, 0] + arena.col_step[order & 7]
        y = state.bots[seat, 1] + arena.row_step[order & 7]
        explodes = order >> 3 == MISSILE and arena.missile_wall_splash
        mask[order] = explodes or not outside(arena, x, y)
    mask[PULSE] = 1
    mask[NOTHING] = 1


@rule
def stray(arena: Record, state: Record, seat: int, dice: int) -> int:
    """Chooses an order for random play from 32 random bits; if it would kill the bot itself, the bot does nothing."""
    order = (dice * ORDERS) >> 32
    if state.hp[seat] <= own_damage(arena, state, seat, order):
        return NOTHING
    return order


@rule
def own_damage(arena: Record, state: Record, seat: int, order: int) -> int:
    """Returns the damage that an order does to the bot that gives it, if the other bot stays where it is."""
    if order >= PULSE:
        return arena.emp_cost if order == PULSE else 0
    what, direction = order >> 3, order & 7
    x, y = state.bots[seat, 0] + arena.col_step[direction], state.bots[seat, 1] + arena.row_step[direction]
    if outside(arena, x, y):
        return edge_splash(arena, 0) if what == MISSILE else 0
    if what == MOVE:
        return arena.mine_damage if state.mine_at[y, x] != 0 else 0
    if what == MINE:
        return arena.mine_splash if state.mine_at[y, x] != 0 or stands(state, 1 - seat, x, y) else 0
    if what == MISSILE:
        return arena.missile_splash if stands(state, 1 - seat, x, y) else second_step_splash(arena, x, y, direction)
    return 0


@rule
def second_step_splash(arena: Record, x: int, y: int, direction: int) -> int:
    """Returns the damage of a missile to its own bot if it meets the edge right after its first step, to (x, y)."""
    blocked = outside(arena, x + arena.col_step[direction], y + arena.row_step[direction])
    return edge_splash(arena, 1) if blocked and arena.missile_speed > 1 else 0
