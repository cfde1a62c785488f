"""Snippets and weapons on the board, as lists of cells row by row, and the choice of a random empty cell (2.4)."""

from __future__ import annotations

from botyard.kernel.chance import draw
from botyard.kernel.records import Record
from botyard.kernel.rule import rule

ALL = 0xFFFFFFFF  # the bits of a word


@rule
def find(cells: Record, count: int, cell: int) -> int:
    """Returns the place of a cell in a list, or -1."""
    for at in range(count):
        if cells[at] == cell:
            return at
    return -1


@rule
def drop(cells: Record, left: int, at: int) -> None:
    """Removes a cell from a list, which then has `left` cells."""
    for to in range(at, left):
        cells[to] = cells[to + 1]
    cells[left] = 0


@rule
def insert(cells: Record, count: int, cell: int) -> None:
    """Puts a cell into a sorted list of `count` cells."""
    at = count
    while at > 0 and cells[at - 1] > cell:
        cells[at] = cells[at - 1]
        at -= 1
    cells[at] = cell


@rule
def place_snippets(arena: Record, state: Record, count: int) -> None:
    for _ in range(count):
        cell = empty_cell(arena, state)
        if cell < 0:
            return
        insert(state.snippets, state.snippet_count, cell)
        state.snippet_count += 1


@rule
def place_weapons(arena: Record, state: Record, count: int) -> None:
    for _ in range(count):
        cell = empty_cell(arena, state)
        if cell < 0:
            return
        insert(state.weapons, state.weapon_count, cell)
        state.weapon_count += 1


@rule
def empty_cell(arena: Record, state: Record) -> int:
    """Draws an empty cell, all equally likely; returns -1 without a draw if there is none."""
    taken = mark_taken(arena, state)
    cell = -1
    if taken < arena.room_count:
        cell = unmarked(arena, state, draw(arena, state, arena.room_count - taken))
    for word in range(arena.words):
        state.marks[word] = 0
    return cell


@rule
def mark_taken(arena: Record, state: Record) -> int:
    """Marks the rooms in which something lies or somebody stands; returns how many there are."""
    taken = mark(arena, state, state.cells[0]) + mark(arena, state, state.cells[1])
    for at in range(state.bug_count):
        taken += mark(arena, state, state.bugs[at])
    for at in range(state.snippet_count):
        taken += mark(arena, state, state.snippets[at])
    for at in range(state.weapon_count):
        taken += mark(arena, state, state.weapons[at])
    return taken


@rule
def mark(arena: Record, state: Record, cell: int) -> int:
    """Marks a cell; returns 1 if it is a room that was not marked yet, else 0."""
    word = cell >> 5
    bit = 1 << (cell & 31)
    if arena.rooms[word] & bit and not state.marks[word] & bit:
        state.marks[word] |= bit
        return 1
    return 0


@rule
def unmarked(arena: Record, state: Record, number: int) -> int:
    """Returns the room that is not marked and has `number` unmarked rooms before it."""
    left = number
    word = 0
    free = arena.rooms[0] & (ALL ^ state.marks[0])
    while left >= ones(free):
        left -= ones(free)
        word += 1
        free = arena.rooms[word] & (ALL ^ state.marks[word])
    bit = 0
    while left > 0 or not free >> bit & 1:
        left -= free >> bit & 1
        bit += 1
    return 32 * word + bit


@rule
def ones(bits: int) -> int:
    """Counts the bits that are set among 32."""
    pairs = bits - ((bits >> 1) & 0x55555555)
    fours = (pairs & 0x33333333) + ((pairs >> 2) & 0x33333333)
    return (((fours + (fours >> 4)) & 0x0F0F0F0F) * 0x01010101 & 0xFFFFFFFF) >> 24
