"""Hunter: a collector that fetches weapons and attacks an opponent who comes near."""

from __future__ import annotations

from botyard.games.hackman.bots.collector import FAR, NONE, collect
from botyard.games.hackman.bots.sight import survey, towards
from botyard.kernel.records import Record
from botyard.kernel.rule import rule

DETOUR = 4  # a weapon may be this many steps farther away than the nearest snippet
REACH = 2  # steps to an opponent worth attacking; one that runs ahead is never caught


@rule
def hunter(arena: Record, view: Record, memory: Record) -> int:
    survey(arena, view, memory, True)
    goal = prey(view, memory) if view.armed[view.player] else weapon(view, memory)
    if goal != NONE:
        return towards(arena, view, memory, goal)
    return collect(arena, view, memory)


@rule
def prey(view: Record, memory: Record) -> int:
    """Returns the opponent's cell if it is near and the way is safe: a bug would take the weapon first (3.6)."""
    cell = view.cells[1 - view.player]
    if 1 < memory.own[cell] <= 1 + REACH:
        return cell + 0
    return NONE


@rule
def weapon(view: Record, memory: Record) -> int:
    """Finds the nearest weapon, if no snippet is much nearer; else NONE."""
    arm = nearest(memory, view.weapons, view.weapon_count)
    snippet = nearest(memory, view.snippets, view.snippet_count)
    if arm != NONE and snippet != NONE and memory.own[arm] > memory.own[snippet] + DETOUR:
        return NONE
    return arm


@rule
def nearest(memory: Record, cells: Record, count: int) -> int:
    """Finds the cell of a list with the shortest safe way, or NONE."""
    goal = NONE
    least = FAR
    for at in range(count):
        if 1 < memory.own[cells[at]] < least:
            goal = cells[at] + 0
            least = memory.own[cells[at]] + 0
    return goal
