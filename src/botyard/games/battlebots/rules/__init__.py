"""The rules of BattleBots. Section and step numbers are those of the specification.

Nothing in this game is random: the same orders make the same bout.
"""

from __future__ import annotations

from botyard.games.battlebots.layout import BOTS, BULLETS, MISSILES
from botyard.games.battlebots.rules.advice import allowed, stray
from botyard.games.battlebots.rules.flight import fly_shots, meet_shots
from botyard.games.battlebots.rules.movement import move_bots, trip_mines
from botyard.games.battlebots.rules.sight import asked, board_shape, look, paint
from botyard.games.battlebots.rules.weapons import fire_pulses, launch_weapons
from botyard.kernel.chance import COUNTER, start_chance
from botyard.kernel.records import Record
from botyard.kernel.rule import rule

__all__ = [
    "allowed", "asked", "board_shape", "entrant", "forfeit", "look", "paint", "place", "score", "set_up", "step",
    "stray",
]  # fmt: skip


@rule
def set_up(arena: Record, state: Record, seed: int) -> None:
    """Sets up the start of a bout (2). The caller passes a zeroed state."""
    start_chance(state.chance, COUNTER, seed)
    state.forfeited = -1
    state.bots[0, 0] = arena.start_inset
    state.bots[0, 1] = arena.start_inset
    state.bots[1, 0] = arena.width - 1 - arena.start_inset
    state.bots[1, 1] = arena.height - 1 - arena.start_inset
    for bot in range(BOTS):
        state.hp[bot] = arena.start_hp


@rule
def step(arena: Record, state: Record, orders: Record) -> None:
    """Plays one round (3). Hit points are tested only at its end, so a bot that is down by then has still acted."""
    if state.over:
        return
    if state.paralysed > 0:
        state.paralysed -= 1  # nobody moves, so no mine is tripped
    else:
        move_bots(arena, state, orders)
        meet_shots(arena, state)
        trip_mines(arena, state)
    fire_pulses(arena, state, orders)
    launch_weapons(arena, state, orders)
    fly_shots(arena, state, BULLETS)
    fly_shots(arena, state, MISSILES)
    judge(arena, state)


@rule
def judge(arena: Record, state: Record) -> None:
    state.rounds += 1
    if state.hp[0] < 1 or state.hp[1] < 1 or state.rounds >= arena.rounds_per_bout:
        state.over = 1


@rule
def forfeit(arena: Record, state: Record, seat: int) -> None:
    """Makes a bot lose that never came; the game itself has no forfeits (4)."""
    if not state.over:
        state.over = 1
        state.forfeited = seat


@rule
def score(arena: Record, state: Record, out: Record) -> None:
    out[0] = state.hp[0]
    out[1] = state.hp[1]


@rule
def place(arena: Record, state: Record, out: Record) -> None:
    """Places the bots: more hit points win, even below zero; equal ones are a draw."""
    for seat in range(BOTS):
        behind = state.hp[seat] < state.hp[1 - seat] and state.forfeited < 0
        out[seat] = 1 if behind or state.forfeited == seat else 0


@rule
def entrant(arena: Record, state: Record, seat: int) -> int:
    """Tells which bot plays this seat: bot 1 is the one that came first. The match swaps sides, not the game."""
    return seat
