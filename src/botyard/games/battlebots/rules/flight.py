"""Bullets and missiles in flight (3, steps 6 and 7).

One shot flies to its end before the next one does, the oldest first.
"""

from __future__ import annotations

from botyard.games.battlebots.layout import BOTS, BULLETS, MISSILES
from botyard.games.battlebots.rules.squares import near, outside, splash, stands
from botyard.kernel.records import Record
from botyard.kernel.rule import rule


@rule
def fly_bullets(arena: Record, state: Record) -> None:
    kept = 0
    for at in range(state.shot_count[BULLETS]):
        if fly_bullet(arena, state, at):
            keep(state, BULLETS, kept, at)
            kept += 1
    cut(state, BULLETS, kept)


@rule
def fly_bullet(arena: Record, state: Record, at: int) -> bool:
    """Whether the bullet is still there after its steps. The square it starts from is never looked at."""
    x, y = state.shots[BULLETS, at, 0], state.shots[BULLETS, at, 1]
    direction = state.shots[BULLETS, at, 2]
    dx, dy = arena.col_step[direction], arena.row_step[direction]
    for _ in range(arena.bullet_speed):
        x, y = x + dx, y + dy
        if outside(arena, x, y) or bullet_hits(arena, state, x, y):
            return False
    state.shots[BULLETS, at, 0] = x
    state.shots[BULLETS, at, 1] = y
    return True


@rule
def bullet_hits(arena: Record, state: Record, x: int, y: int) -> bool:
    for bot in range(BOTS):
        if stands(state, bot, x, y):
            state.hp[bot] -= arena.bullet_damage
            return True
    return False


@rule
def fly_missiles(arena: Record, state: Record) -> None:
    kept = 0
    for at in range(state.shot_count[MISSILES]):
        if fly_missile(arena, state, at):
            keep(state, MISSILES, kept, at)
            kept += 1
    cut(state, MISSILES, kept)


@rule
def fly_missile(arena: Record, state: Record, at: int) -> bool:
    """Whether the missile is still there after its steps."""
    x, y = state.shots[MISSILES, at, 0], state.shots[MISSILES, at, 1]
    direction = state.shots[MISSILES, at, 2]
    dx, dy = arena.col_step[direction], arena.row_step[direction]
    for flown in range(arena.missile_speed):
        if outside(arena, x + dx, y + dy):
            splash(state, x, y, edge_splash(arena, flown))
            return False
        x, y = x + dx, y + dy
        if missile_hits(arena, state, x, y):
            return False
    state.shots[MISSILES, at, 0] = x
    state.shots[MISSILES, at, 1] = y
    return True


@rule
def missile_hits(arena: Record, state: Record, x: int, y: int) -> bool:
    """The bot that is hit gets no splash on top."""
    for bot in range(BOTS):
        if stands(state, bot, x, y):
            state.hp[bot] -= arena.missile_damage
            if near(state, 1 - bot, x, y):
                state.hp[1 - bot] -= arena.missile_splash
            return True
    return False


@rule
def edge_splash(arena: Record, flown: int) -> int:
    """What a missile that meets the edge after some steps of this round takes from a bot near it.

    In the program the explosion is repeated for each step that was left.
    """
    if not arena.missile_wall_splash:
        return 0
    if arena.wall_splash_per_step:
        return arena.missile_splash * (arena.missile_speed - flown)
    return arena.missile_splash


@rule
def meet_shots(arena: Record, state: Record) -> None:
    """The variant in which a shot on a bot's square hits it after the movement (10.5): bullets first."""
    if not arena.walk_into_projectile_hits:
        return
    for kind in range(2):
        kept = 0
        for at in range(state.shot_count[kind]):
            if not shot_hits(arena, state, kind, at):
                keep(state, kind, kept, at)
                kept += 1
        cut(state, kind, kept)


@rule
def shot_hits(arena: Record, state: Record, kind: int, at: int) -> bool:
    x, y = state.shots[kind, at, 0], state.shots[kind, at, 1]
    if kind == BULLETS:
        return bullet_hits(arena, state, x, y)
    return missile_hits(arena, state, x, y)


# Lists stay in order, without gaps, and zero behind their end.


@rule
def keep(holder: Record, kind: int, to: int, at: int) -> None:
    """Closes the gap that shots gone before this one have left."""
    if to != at:
        holder.shots[kind, to, 0] = holder.shots[kind, at, 0]
        holder.shots[kind, to, 1] = holder.shots[kind, at, 1]
        holder.shots[kind, to, 2] = holder.shots[kind, at, 2]


@rule
def cut(holder: Record, kind: int, kept: int) -> None:
    """Ends the list of a state or a view after so many shots."""
    for at in range(kept, holder.shot_count[kind]):
        holder.shots[kind, at, 0] = 0
        holder.shots[kind, at, 1] = 0
        holder.shots[kind, at, 2] = 0
    holder.shot_count[kind] = kept
