"""Bullets and missiles in flight (3, steps 6 and 7).

The shots fly one after the other, the oldest first, and each makes all its steps at once.
"""

from __future__ import annotations

from botyard.games.battlebots.layout import BOTS, BULLETS, MISSILES
from botyard.games.battlebots.rules.lists import cut_shots, keep_shot
from botyard.games.battlebots.rules.squares import near, outside, splash, stands
from botyard.kernel.records import Record
from botyard.kernel.rule import rule


@rule
def fly_shots(arena: Record, state: Record, kind: int) -> None:
    kept = 0
    for at in range(state.shot_count[kind]):
        if fly(arena, state, kind, at):
            keep_shot(state, kind, kept, at)
            kept += 1
    cut_shots(state, kind, kept)


@rule
def fly(arena: Record, state: Record, kind: int, at: int) -> bool:
    """Moves a shot; tells whether it is still there after its steps. The square it starts from is not tested."""
    x, y = state.shots[kind, at, 0], state.shots[kind, at, 1]
    direction = state.shots[kind, at, 2]
    dx, dy = arena.col_step[direction], arena.row_step[direction]
    for flown in range(arena.bullet_speed if kind == BULLETS else arena.missile_speed):
        if outside(arena, x + dx, y + dy):
            if kind == MISSILES:  # a bullet just vanishes
                splash(state, x, y, edge_splash(arena, flown))
            return False
        x, y = x + dx, y + dy
        if hits(arena, state, kind, x, y):
            return False
    state.shots[kind, at, 0] = x
    state.shots[kind, at, 1] = y
    return True


@rule
def hits(arena: Record, state: Record, kind: int, x: int, y: int) -> bool:
    """Hits a bot on this square, and tells whether there was one. A bot that a missile hits gets no splash."""
    for bot in range(BOTS):
        if stands(state, bot, x, y):
            if kind == BULLETS:
                state.hp[bot] -= arena.bullet_damage
            else:
                state.hp[bot] -= arena.missile_damage
                if near(state, 1 - bot, x, y):
                    state.hp[1 - bot] -= arena.missile_splash
            return True
    return False


@rule
def edge_splash(arena: Record, flown: int) -> int:
    """Returns the damage to a nearby bot of a missile that meets the edge after `flown` steps of this round.

    In the program the explosion is repeated for each step that was left.
    """
    if not arena.missile_wall_splash:
        return 0
    if arena.wall_splash_per_step:
        return arena.missile_splash * (arena.missile_speed - flown)
    return arena.missile_splash


@rule
def meet_shots(arena: Record, state: Record) -> None:
    """Hits bots on the squares of shots after the movement, bullets first: a variant of the rules (10.5)."""
    if not arena.walk_into_projectile_hits:
        return
    for kind in range(2):
        kept = 0
        for at in range(state.shot_count[kind]):
            if not hits(arena, state, kind, state.shots[kind, at, 0], state.shots[kind, at, 1]):
                keep_shot(state, kind, kept, at)
                kept += 1
        cut_shots(state, kind, kept)
