"""What a house bot concludes from its view: where bugs may go next, how far cells are, and which steps are safe."""

from __future__ import annotations

from botyard.games.hackman.layout import PASS
from botyard.games.hackman.map.plan import NO_WAY, NOWHERE, PLAYERS
from botyard.games.hackman.rules.items import find
from botyard.kernel.records import Record
from botyard.kernel.rule import rule

CAUTION = 5  # so many steps ahead the bot avoids cells that a bug may reach first; beyond, nobody can tell


@rule
def survey(arena: Record, view: Record, memory: Record, wary: bool) -> None:
    """Reads a new view. A wary bot keeps away from an armed opponent as it does from a bug."""
    memory.wary = wary
    trace_bugs(arena, view, memory)
    spread_peril(arena, view, memory)
    spread_foe(arena, view, memory)
    spread_own(arena, view, memory)


# Bugs


@rule
def trace_bugs(arena: Record, view: Record, memory: Record) -> None:
    """Works out where each bug came from, as far as the last view tells; a bug turns back only in a dead end."""
    for bug in range(view.bug_count):
        memory.came[bug] = NO_WAY
        found = 0
        for direction in range(4):
            beside = arena.ground.neighbours[4 * view.bugs[bug] + direction]
            if beside != NOWHERE and find(memory.last_bugs, memory.last_count, beside) >= 0:
                memory.came[bug] = direction
                found += 1
        if found > 1:
            memory.came[bug] = NO_WAY
    for bug in range(view.bug_count):
        memory.last_bugs[bug] = view.bugs[bug]
    memory.last_count = view.bug_count


@rule
def bug_ways(arena: Record, view: Record, memory: Record, bug: int) -> int:
    """Returns the directions a bug may take next, one bit each."""
    cell = view.bugs[bug]
    if arena.way_out[cell] != NO_WAY:
        return 1 << arena.way_out[cell]
    options = arena.options[cell]
    if memory.came[bug] != NO_WAY:
        ahead = options & ~(1 << memory.came[bug])
        if ahead != 0:
            options = ahead
    return options + 0


@rule
def bug_enters(arena: Record, view: Record, memory: Record, bug: int, target: int) -> bool:
    """Tells whether a bug may step on a cell in this round."""
    ways = bug_ways(arena, view, memory, bug)
    for direction in range(4):
        if ways >> direction & 1 and arena.ground.neighbours[4 * view.bugs[bug] + direction] == target:
            return True
    return False


@rule
def risky(arena: Record, view: Record, memory: Record, target: int) -> bool:
    """Tells whether a cell may cost something this round: a bug enters it or changes places, or the opponent hits."""
    cell = view.cells[view.player]
    for bug in range(view.bug_count):
        if bug_enters(arena, view, memory, bug, target):
            return True
        if view.bugs[bug] == target and bug_enters(arena, view, memory, bug, cell):
            return True
    foe = 1 - view.player
    return memory.wary != 0 and view.armed[foe] != 0 and view.paralysed[foe] == 0 and 0 < memory.foe[target] <= 2


# Distances


@rule
def wipe(arena: Record, steps: Record) -> None:
    for cell in range(arena.cells):
        steps[cell] = 0


@rule
def spread_peril(arena: Record, view: Record, memory: Record) -> None:
    """Works out how soon any bug may reach each cell."""
    wipe(arena, memory.peril)
    waiting = 0
    for bug in range(view.bug_count):
        memory.peril[view.bugs[bug]] = 1
    for bug in range(view.bug_count):
        ways = bug_ways(arena, view, memory, bug)
        for direction in range(4):
            target = arena.ground.neighbours[4 * view.bugs[bug] + direction]
            if ways >> direction & 1 and memory.peril[target] == 0:
                memory.peril[target] = 2
                memory.queue[waiting] = target
                waiting += 1
    done = 0
    while done < waiting:
        cell = memory.queue[done]
        done += 1
        for direction in range(4):
            target = arena.ground.neighbours[4 * cell + direction]
            if target != NOWHERE and memory.peril[target] == 0:
                memory.peril[target] = memory.peril[cell] + 1
                memory.queue[waiting] = target
                waiting += 1


@rule
def begin_search(arena: Record, steps: Record, queue: Record, start: int) -> None:
    """Starts a search in which only the start is reached."""
    wipe(arena, steps)
    steps[start] = 1
    queue[0] = start


@rule
def spread_foe(arena: Record, view: Record, memory: Record) -> None:
    begin_search(arena, memory.foe, memory.queue, view.cells[1 - view.player])
    waiting = 1
    done = 0
    while done < waiting:
        cell = memory.queue[done]
        done += 1
        for direction in range(4):
            target = arena.walk[4 * cell + direction]
            if memory.foe[target] == 0:
                memory.foe[target] = memory.foe[cell] + 1
                memory.queue[waiting] = target
                waiting += 1


@rule
def spread_own(arena: Record, view: Record, memory: Record) -> None:
    """Works out how far the bot has to go to each cell that it can reach safely."""
    begin_search(arena, memory.own, memory.queue, view.cells[view.player])
    waiting = 1
    done = 0
    while done < waiting:
        cell = memory.queue[done]
        done += 1
        steps = memory.own[cell]
        for direction in range(4):
            target = arena.walk[4 * cell + direction]
            if memory.own[target] != 0:
                continue
            if steps == 1:
                shut = risky(arena, view, memory, target)
            else:
                shut = steps <= CAUTION and 0 < memory.peril[target] <= steps + 1
            if not shut:
                memory.own[target] = steps + 1
                memory.queue[waiting] = target
                waiting += 1


# Steps


@rule
def towards(arena: Record, view: Record, memory: Record, goal: int) -> int:
    """Returns the first step of a shortest safe way to a cell that has one."""
    cell = goal
    order = PASS
    while memory.own[cell] > 1:
        direction = 0
        while memory.own[arena.walk[4 * cell + direction]] != memory.own[cell] - 1:
            direction += 1
        cell = arena.walk[4 * cell + direction]
        order = direction ^ 1
    return order


@rule
def retreat(arena: Record, view: Record, memory: Record) -> int:
    """Stays or steps to where bugs are farthest away, if there is nowhere to go; avoids danger if possible."""
    cell = view.cells[view.player]
    best = PASS
    most = ease(arena, view, memory, cell)
    for direction in range(4):
        target = arena.walk[4 * cell + direction]
        if target != cell and ease(arena, view, memory, target) > most:
            best = direction
            most = ease(arena, view, memory, target)
    return best


@rule
def ease(arena: Record, view: Record, memory: Record, cell: int) -> int:
    """Rates a cell for the end of this round: by the distance of bugs, or 0 if it is risky."""
    if risky(arena, view, memory, cell):
        return 0
    if memory.peril[cell] == 0:
        return PLAYERS * arena.cells  # no bug ever comes here
    return memory.peril[cell] + 1
