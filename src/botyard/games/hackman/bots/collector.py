"""Collector: fetches one snippet after the other, by safe ways."""

from __future__ import annotations

from botyard.games.hackman.bots.sight import retreat, survey, towards
from botyard.kernel.records import Record
from botyard.kernel.rule import rule

NONE = -1  # stands for "no cell"
FAR = 1 << 30  # farther than any cell
LOST = 12  # a snippet to which the opponent is nearer counts as this many steps farther away


@rule
def collector(arena: Record, view: Record, memory: Record) -> int:
    survey(arena, view, memory, False)
    return collect(arena, view, memory)


@rule
def collect(arena: Record, view: Record, memory: Record) -> int:
    goal = best_snippet(arena, view, memory)
    if goal == NONE:
        return retreat(arena, view, memory)
    return towards(arena, view, memory, goal)


@rule
def best_snippet(arena: Record, view: Record, memory: Record) -> int:
    """Finds the nearest snippet with a safe way to it; one that the opponent will have first counts as farther away."""
    goal = NONE
    least = FAR
    for at in range(view.snippet_count):
        cell = view.snippets[at]
        cost = memory.own[cell] + (LOST if 0 < memory.foe[cell] < memory.own[cell] else 0)
        if memory.own[cell] > 1 and cost < least:
            goal = cell + 0
            least = cost
    return goal
