"""Aggressor: gets in the way of the nearest snake, and eats when none is near."""

from __future__ import annotations

from botyard.games.snakepit.bots.careful import go_safely
from botyard.games.snakepit.bots.chart import is_free, keep_chart
from botyard.games.snakepit.layout import NOWHERE
from botyard.kernel.records import Record
from botyard.kernel.rule import rule

REACH = 12  # rivals farther away are left alone
LEAD = 3  # it aims at the cell this many steps before a rival's head


@rule
def aggressor(arena: Record, view: Record, memory: Record) -> int:
    keep_chart(arena, view, memory)
    x, y = ambush(arena, view, memory)
    if x == NOWHERE:
        x, y = view.pellet_x, view.pellet_y
    remember_heads(arena, view, memory)
    return go_safely(arena, view, memory, x, y)


@rule
def ambush(arena: Record, view: Record, memory: Record) -> tuple[int, int]:
    """Finds a free cell some steps before the nearest rival; returns NOWHERE twice if no rival is near."""
    seat = nearest(arena, view)
    if seat == NOWHERE or view.tick == 0:
        return NOWHERE, NOWHERE
    x, y = view.heads[seat, 0], view.heads[seat, 1]
    right, down = x - memory.heads[seat, 0], y - memory.heads[seat, 1]
    for ahead in range(LEAD, 0, -1):
        if is_free(arena, memory, x + ahead * right, y + ahead * down):
            return x + ahead * right, y + ahead * down
    return NOWHERE, NOWHERE


@rule
def nearest(arena: Record, view: Record) -> int:
    """Returns the rival whose head is nearest, or NOWHERE if none is within reach."""
    best, least = NOWHERE, REACH + 1
    for seat in range(arena.snakes):
        if seat != view.seat and view.alive[seat]:
            right = abs(view.heads[seat, 0] - view.heads[view.seat, 0])
            away = right + abs(view.heads[seat, 1] - view.heads[view.seat, 1])
            if away < least:
                best, least = seat, away
    return best


@rule
def remember_heads(arena: Record, view: Record, memory: Record) -> None:
    for seat in range(arena.snakes):
        memory.heads[seat, 0] = view.heads[seat, 0]
        memory.heads[seat, 1] = view.heads[seat, 1]
