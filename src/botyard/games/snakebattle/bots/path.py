"""Finds the way to the most valuable goal, by one search from the head over all cells that can be entered."""

from __future__ import annotations

from botyard.games.snakebattle.bots.sight import NOWHERE, beside
from botyard.kernel.records import Record
from botyard.kernel.rule import rule

# What it means to enter a cell
OPEN, RISKY, LAST, CLOSED = range(4)  # RISKY: not with the next move; LAST: only as the end of a way

UNREACHED = -1


@rule
def best_goal(view: Record, memory: Record, head: int, backward: int) -> int:
    """Returns the reachable cell with the most to gain for its distance, of several the first on the board, or NOWHERE.

    `came` tells in which direction the way to it begins. The search ends where nothing farther away can gain as much.
    """
    dearest = forget_ways(view, memory)
    best, most = NOWHERE, 0
    memory.away[head] = 0
    memory.queue[0] = head
    first, last = 0, 1
    while first < last:
        cell = memory.queue[first]
        first += 1
        away = memory.away[cell] + 1
        if dearest == 0 or worth_of(dearest, away) < most:
            break
        for direction in range(4):
            to = beside(view, cell, direction)
            if to == NOWHERE or memory.away[to] != UNREACHED or memory.danger[to] == CLOSED:
                continue
            if cell == head and (direction == backward or memory.danger[to] == RISKY):
                continue
            memory.away[to] = away
            memory.came[to] = direction if cell == head else memory.came[cell]
            if memory.danger[to] != LAST:
                memory.queue[last] = to
                last += 1
            worth = worth_of(memory.gain[to], away)
            if worth > most or (worth == most and to < best):
                best, most = to, worth
    return best


@rule
def worth_of(gain: int, away: int) -> int:
    return 1024 * gain // (away + 1)


@rule
def forget_ways(view: Record, memory: Record) -> int:
    """Forgets the last search; returns the most that there is to gain on a cell."""
    side, width = view.side, view.board.shape[1]
    dearest = 0
    for row in range(side):
        for col in range(side):
            cell = row * width + col
            memory.away[cell] = UNREACHED
            dearest = max(dearest, memory.gain[cell])
    return dearest


@rule
def room(view: Record, memory: Record, start: int, enough: int) -> int:
    """Counts the cells that can be reached from one, up to `enough`. It overwrites the distances of a search."""
    forget_ways(view, memory)
    memory.away[start] = 0
    memory.queue[0] = start
    first, last = 0, 1
    while first < last < enough:
        cell = memory.queue[first]
        first += 1
        for direction in range(4):
            to = beside(view, cell, direction)
            if to != NOWHERE and memory.away[to] == UNREACHED and memory.danger[to] <= RISKY:
                memory.away[to] = 0
                memory.queue[last] = to
                last += 1
    return last


@rule
def roomiest(view: Record, memory: Record, head: int, backward: int, worst: int) -> int:
    """Returns the direction with the most room behind it, over a cell no worse than `worst`; NOWHERE if none."""
    best, most = NOWHERE, 0
    for direction in range(4):
        to = beside(view, head, direction)
        if direction != backward and to != NOWHERE and memory.danger[to] <= worst:
            space = room(view, memory, to, view.side * view.side)
            if space > most:
                best, most = direction, space
    return best
