"""The bugs of Hack-man: how they appear, roam and chase (specification 2.4, 3.3)."""

from __future__ import annotations

from botyard.games.hackman.map.paths import NO_PATH, shortest
from botyard.games.hackman.map.plan import NO_WAY, NOWHERE
from botyard.kernel.chance import draw
from botyard.kernel.records import Record
from botyard.kernel.rule import rule

# A real number 0 <= u < 1 has 53 bits and takes two draws, as in the original (3.10).
HIGH_BITS, LOW_BITS = 26, 27


@rule
def spawn_bugs(arena: Record, state: Record, count: int) -> None:
    """Places new bugs, as many as there is room for: under extreme settings players would fill any record with bugs."""
    for _ in range(min(count, state.bugs.shape[0] - state.bug_count)):
        at = state.bug_count
        state.bugs[at] = arena.spawns[draw(arena, state, arena.spawn_count)]
        state.headings[at] = draw(arena, state, 4)
        state.bug_ids[at] = state.next_bug
        state.next_bug += 1
        state.bug_count += 1


@rule
def roam(arena: Record, state: Record) -> None:
    for bug in range(state.bug_count):
        cell = state.bugs[bug]
        state.bugs_before[bug] = cell
        heading = next_heading(arena, state, bug)
        target = arena.ground.neighbours[4 * cell + heading]
        if target != NOWHERE:  # otherwise the bug is walled in, stays and keeps its direction (10.6)
            state.bugs[bug] = target
            state.headings[bug] = heading


@rule
def next_heading(arena: Record, state: Record, bug: int) -> int:
    cell = state.bugs[bug]
    if arena.way_out[cell] != NO_WAY:
        return int(arena.way_out[cell])
    back = state.headings[bug] ^ 1
    options = arena.options[cell] & ~(1 << back)
    if options == 0:
        return int(back)
    if options & (options - 1) == 0:
        return option_numbered(options, 0)
    if wants_to_chase(arena, state, bug):
        heading = chase(arena, state, bug)
        if heading != NO_WAY:
            return heading
    return option_numbered(options, draw(arena, state, count_bits(options)))


@rule
def count_bits(options: int) -> int:
    return (options & 1) + (options >> 1 & 1) + (options >> 2 & 1) + (options >> 3 & 1)


@rule
def option_numbered(options: int, number: int) -> int:
    """Returns the direction of an option, counted from 0 in the order up, down, left, right."""
    direction = 0
    left = number
    while direction < 3:
        if options >> direction & 1:
            if left == 0:
                break
            left -= 1
        direction += 1
    return direction


@rule
def wants_to_chase(arena: Record, state: Record, bug: int) -> bool:
    """Draws whether a bug chases. The chance grows by the round, in two ways (3.8); u <= p is compared as integers."""
    high = draw(arena, state, 1 << HIGH_BITS)
    low = draw(arena, state, 1 << LOW_BITS)
    kind = 1 if state.bug_ids[bug] < arena.initial_bugs else 0
    return bool((high << LOW_BITS) + low <= arena.chase[kind, state.rounds])


@rule
def chase(arena: Record, state: Record, bug: int) -> int:
    """Returns the first step towards the nearest player, or NO_WAY if there is no way to chase (3.3 e, f)."""
    first = path(arena, state, bug, 0)
    second = path(arena, state, bug, 1)
    answer, prey = first, 0
    if first == NO_PATH or (second != NO_PATH and second >> 2 < first >> 2):
        answer, prey = second, 1
    if answer >> 2 < arena.chase_min_path or state.cells[prey] == state.bugs[bug]:
        return NO_WAY
    return answer & 3


@rule
def path(arena: Record, state: Record, bug: int, player: int) -> int:
    """Returns 4 × length + first step of the way to a player; the cell behind the bug counts as closed (3.9)."""
    cell = state.bugs[bug]
    goal = state.cells[player]
    if arena.tabled:
        row = arena.decisions[4 * cell + state.headings[bug]]
        return int(arena.answers[row * arena.cells + goal])
    behind = arena.ground.neighbours[4 * cell + (state.headings[bug] ^ 1)]
    return shortest(arena.ground, state.space, cell, behind, goal)
