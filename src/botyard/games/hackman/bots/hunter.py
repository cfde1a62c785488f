"""Hunter: a collector that arms itself, and then goes after the opponent."""

from __future__ import annotations

from botyard.games.hackman.bots.collector import FAR, NONE, collect
from botyard.games.hackman.bots.sight import survey, towards
from botyard.games.hackman.layout import PASS
from botyard.kernel.records import Record
from botyard.kernel.rule import rule

DETOUR = 4  # steps a weapon may be farther away than the nearest snippet
REACH = 6  # steps to an opponent worth going after
KILL_REACH = 20  # to one who cannot pay for a hit


@rule
def hunter(arena: Record, view: Record, memory: Record) -> int:
    survey(arena, view, memory, True, view.armed[view.player] != 0)
    if view.armed[view.player]:
        order = hunt(arena, view, memory)
        if order != PASS:
            return order
    else:
        weapon = nearest(memory, view.weapons, view.weapon_count)
        snippet = nearest(memory, view.snippets, view.snippet_count)
        if weapon != NONE and (snippet == NONE or memory.own[weapon] <= memory.own[snippet] + DETOUR):
            return towards(arena, view, memory, weapon)
    return collect(arena, view, memory)


@rule
def nearest(memory: Record, cells: Record, count: int) -> int:
    """The cell of a list with the shortest safe way, or NONE."""
    goal = NONE
    least = FAR
    for at in range(count):
        if 1 < memory.own[cells[at]] < least:
            goal = cells[at] + 0
            least = memory.own[cells[at]] + 0
    return goal


@rule
def hunt(arena: Record, view: Record, memory: Record) -> int:
    """A step towards an opponent who is near, or PASS. Beside him it steps on him: he stays, comes or runs ahead."""
    prey = view.cells[1 - view.player]
    cell = view.cells[view.player]
    if memory.foe[cell] == 2:
        return step_onto(arena, cell, prey)
    reach = KILL_REACH if view.scores[1 - view.player] < arena.weapon_loss else REACH
    if 1 < memory.own[prey] <= reach:
        return towards(arena, view, memory, prey)
    return PASS


@rule
def step_onto(arena: Record, cell: int, target: int) -> int:
    direction = 0
    while arena.walk[4 * cell + direction] != target:
        direction += 1
    return direction
