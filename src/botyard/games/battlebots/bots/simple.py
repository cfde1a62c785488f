"""The bots to beat first: nop, hugger, gunner and sapper."""

from __future__ import annotations

from botyard.games.battlebots.bots.sight import NOWHERE, distance, in_line, mined, order, safe_step, towards
from botyard.games.battlebots.layout import BULLET, MINE, MISSILE, MOVE, NOTHING, PULSE
from botyard.kernel.chance import draw
from botyard.kernel.records import Record
from botyard.kernel.rule import rule


@rule
def hugger(arena: Record, view: Record) -> int:
    """Walks up to the enemy and pulses, as the original's sample bot huggy does (10.8)."""
    dx, dy = view.enemy_x - view.x, view.enemy_y - view.y
    if distance(dx, dy) <= 1:
        return PULSE
    return order(MOVE, towards(arena, dx, dy))


@rule
def gunner(arena: Record, view: Record, memory: Record) -> int:
    """Shoots at an enemy in line and in reach, with the weapon that does most from there; else it walks into line."""
    dx, dy = view.enemy_x - view.x, view.enemy_y - view.y
    away = distance(dx, dy)
    if in_line(dx, dy):
        if 1 < away <= arena.missile_speed:  # at a distance of one the splash would hit the gunner too
            return order(MISSILE, towards(arena, dx, dy))
        if away <= arena.bullet_speed:
            return order(BULLET, towards(arena, dx, dy))
    direction = best_step(arena, view, memory)
    if direction == NOWHERE:
        return NOTHING
    return order(MOVE, direction)


@rule
def best_step(arena: Record, view: Record, memory: Record) -> int:
    """Finds the safe step after which the enemy is in line and near; chance decides among equals."""
    best, least, equal = NOWHERE, 0, 0
    for direction in range(8):
        if not safe_step(arena, view, direction):
            continue
        dx = view.enemy_x - view.x - arena.col_step[direction]
        dy = view.enemy_y - view.y - arena.row_step[direction]
        badness = 2 * distance(dx, dy) + (0 if in_line(dx, dy) else 1)
        if best == NOWHERE or badness < least:
            best, least, equal = direction, badness, 1
        elif badness == least:
            equal += 1
            if draw(arena, memory, equal) == 0:
                best = direction
    return best


@rule
def sapper(arena: Record, view: Record, memory: Record) -> int:
    """Lays mines on the enemy's square and in its way, and follows it around the mines it knows of."""
    dx, dy = view.enemy_x - view.x, view.enemy_y - view.y
    ahead = towards(arena, dx, dy)
    if distance(dx, dy) <= 1:
        return order(MINE, ahead)
    if distance(dx, dy) == 2 and draw(arena, memory, 2) == 0:
        x, y = view.x + arena.col_step[ahead], view.y + arena.row_step[ahead]
        if not mined(view, x, y):
            return order(MINE, ahead)
    direction = best_step(arena, view, memory)
    if direction == NOWHERE:
        return NOTHING
    return order(MOVE, direction)
