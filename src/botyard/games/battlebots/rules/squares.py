"""Squares, who stands on them, and damage near them: what all stages of a round use."""

from __future__ import annotations

from botyard.games.battlebots.layout import BOTS
from botyard.kernel.records import Record
from botyard.kernel.rule import rule


@rule
def outside(arena: Record, x: int, y: int) -> bool:
    least = arena.min_coordinate
    return x < least or x >= arena.width or y < least or y >= arena.height


@rule
def stands(state: Record, bot: int, x: int, y: int) -> bool:
    return state.bots[bot, 0] == x and state.bots[bot, 1] == y


@rule
def near(state: Record, bot: int, x: int, y: int) -> bool:
    """Tells whether the bot stands on the square or beside it."""
    return -1 <= state.bots[bot, 0] - x <= 1 and -1 <= state.bots[bot, 1] - y <= 1


@rule
def splash(state: Record, x: int, y: int, damage: int) -> None:
    for bot in range(BOTS):
        if near(state, bot, x, y):
            state.hp[bot] -= damage
