"""The way of a bug that chases: the original's search, step by step (specification 3.9), and a table of its answers.

It matters which of several equally short ways is taken, so the search is repeated exactly: a list of cells is sorted
by the length of the way so far plus the straight distance to the goal. The original adds in double precision. Here the
straight distance is a whole number of 2**-32 steps, which sorts the same way: two different sums a + √m and b + √n are
at least 10**-8 apart on a board of 180 × 180, far more than either rounding; and equal sums have equal summands or
whole roots, which both methods count exactly.

All answers for a map form a table, which is made once and kept on disk by a hash of the map. For a map with more than a
million of them the rules search each time.
"""

from __future__ import annotations

import hashlib
import math
import os
import tempfile
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from botyard.games.hackman.map.plan import NOWHERE, MapPlan
from botyard.kernel import cache
from botyard.kernel.records import FieldSpec, Layout, Record, layout, record_of, spare_bytes
from botyard.kernel.rule import INTERPRETED, opened, rule
from botyard.kernel.stamp import game_folder

TABLE_VERSION = 2  # must change when the search or the form of the table changes
LARGEST_TABLE = 1_000_000  # number of answers

FRACTION_BITS = 32
LOOK_ORDER = 0x72  # left, up, right, down as two bits each, lowest first (3.9)

# An answer is 4 × length + direction of the first step.
NO_PATH = 0
SAME_CELL = 4  # bug and player are on one cell: length 1 (3.3 e), and no step

# How a cell was entered: 1 + direction; the bug's own cell has a number of its own.
ORIGIN = 5
DONE = 8


def filled(rows: Sequence[FieldSpec]) -> Layout:
    """Makes a record of these fields, padded to a multiple of 8 bytes."""
    used = sum(np.dtype(kind).itemsize * math.prod(shape[0] if shape else ()) for _, kind, *shape in rows)
    return layout([*rows, ("spare", "u1", (8 + spare_bytes(used, 8),))])


def ground_layout(cells: int) -> Layout:
    """Returns the record of what the search needs to know of a map."""
    return filled(
        [
            ("straight", "i8", (cells,)),  # by |dy| * width + |dx|: the straight distance, in 2**-32 steps
            ("width", "i4"),
            ("cells", "i4"),  # number of cells of this map
            ("neighbours", "u2", (4 * cells,)),  # by 4 * cell + direction: an open cell or NOWHERE
            ("row", "i2", (cells,)),  # signed, because differences are taken
            ("col", "i2", (cells,)),
        ]
    )


def space_layout(cells: int) -> Layout:
    """Returns the record in which the search keeps its notes; it is all zero between searches."""
    return filled(
        [
            ("sums", "i8", (cells,)),  # way so far + straight distance, by cell
            ("steps", "u2", (cells,)),  # way so far, by cell
            ("line", "u2", (cells,)),  # the cells to visit, in the order of the last sorting
            ("seen", "u2", (cells,)),  # the cells that were written to and must be cleared
            ("came", "u1", (cells,)),  # how a cell was entered, and whether it is done
        ]
    )


def fill_ground(plan: MapPlan, ground: Any) -> None:
    """Writes a plan into `ground`, which is a record or anything with such fields."""
    ground.width, ground.cells = plan.width, plan.size
    for cell in range(plan.size):
        row, col = divmod(cell, plan.width)
        ground.row[cell], ground.col[cell] = row, col
        ground.straight[cell] = math.isqrt((row * row + col * col) << (2 * FRACTION_BITS))
        for direction in range(4):
            ground.neighbours[4 * cell + direction] = plan.neighbours[cell][direction]


# The search


@rule
def shortest(ground: Record, space: Record, start: int, forbidden: int, goal: int) -> int:
    """Finds the answer for one bug and one player; the cell `forbidden` counts as a wall."""
    if start == goal:
        return SAME_CELL
    space.came[start] = ORIGIN
    space.line[0] = start
    space.seen[0] = start
    waiting = touched = 1
    answer = NO_PATH
    while waiting > 0:
        sort_line(space, waiting)
        cell = space.line[0]
        if cell == goal:
            answer = read_back(ground, space, start, goal)
            break
        waiting -= 1
        for at in range(waiting):
            space.line[at] = space.line[at + 1]
        space.came[cell] |= DONE
        steps = space.steps[cell] + 1
        for turn in range(4):
            direction = (LOOK_ORDER >> (2 * turn)) & 3
            target = ground.neighbours[4 * cell + direction]
            if target == NOWHERE or target == forbidden or space.came[target] & DONE:
                continue
            if space.came[target] == 0:
                space.line[waiting] = target
                space.seen[touched] = target
                waiting += 1
                touched += 1
            elif space.steps[target] <= steps:
                continue
            space.came[target] = 1 + direction
            space.steps[target] = steps
            space.sums[target] = (steps << FRACTION_BITS) + straight(ground, target, goal)
    clear(space, touched)
    return answer


@rule
def straight(ground: Record, cell: int, goal: int) -> int:
    rows = abs(ground.row[cell] - ground.row[goal])
    cols = abs(ground.col[cell] - ground.col[goal])
    return int(ground.straight[rows * ground.width + cols])


@rule
def sort_line(space: Record, waiting: int) -> None:
    """Sorts the cells to visit; equal ones keep their order. The list is nearly sorted, so insertion sort is fast."""
    for at in range(1, waiting):
        cell = space.line[at]
        to = at
        while to > 0 and space.sums[space.line[to - 1]] > space.sums[cell]:
            space.line[to] = space.line[to - 1]
            to -= 1
        space.line[to] = cell


@rule
def read_back(ground: Record, space: Record, start: int, goal: int) -> int:
    """Follows the way back from the goal to its first step."""
    cell = goal
    direction = 0
    while cell != start:
        direction = (space.came[cell] & 7) - 1
        cell = ground.neighbours[4 * cell + (direction ^ 1)]
    return int(4 * space.steps[goal] + direction)


@rule
def clear(space: Record, touched: int) -> None:
    for at in range(touched):
        cell = space.seen[at]
        space.sums[cell] = 0
        space.steps[cell] = 0
        space.came[cell] = 0
        space.seen[at] = 0
        space.line[at] = 0


# The table


@rule
def tabulate(grounds: Any, spaces: Any, decisions: Any, rooms: Any, answers: Any) -> None:
    """Computes all answers: a row per decision (a cell and the one behind it) and a column per cell of the map."""
    ground = grounds[0]
    for row in range(len(decisions) // 2):
        start, behind = decisions[2 * row], decisions[2 * row + 1]
        for at in range(len(rooms)):
            answers[row * ground.cells + rooms[at]] = shortest(ground, spaces[0], start, behind, rooms[at])


def table_size(plan: MapPlan) -> int:
    """Returns the number of answers in the table of a map; 0 if it would be too large, so that the rules search."""
    answers = len(plan.decisions) * plan.size
    return answers if answers <= LARGEST_TABLE else 0


@lru_cache(maxsize=16)
def table(plan: MapPlan) -> NDArray[Any]:
    """Returns the answers of a map: read from disk, or computed and written there."""
    path = table_path(plan)
    found = read_table(path, table_size(plan))
    if found is None:
        found = make_table(plan)
        keep_table(path, found)
    return found


def table_path(plan: MapPlan) -> Path:
    open_cells = "".join("x" if content == "x" else "." for content in plan.content)
    told = repr((TABLE_VERSION, plan.width, plan.height, open_cells, sorted(plan.spawns)))
    return cache.usable_home() / "hackman" / f"{hashlib.sha256(told.encode()).hexdigest()[:32]}.paths"


def read_table(path: Path, size: int) -> NDArray[Any] | None:
    """Reads a table from disk; returns None if there is none or it is damaged."""
    try:
        raw = path.read_bytes()
    except OSError:
        return None
    body, digest = raw[:-32], raw[-32:]
    if len(body) != 2 * size or hashlib.sha256(body).digest() != digest:
        return None
    return np.frombuffer(body, "<u2")


def keep_table(path: Path, answers: NDArray[Any]) -> None:
    """Writes a table to disk as a whole; a crash leaves at most a stray file.

    If the table cannot be written, it is made again next time.
    """
    body = answers.astype("<u2").tobytes()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
            file.write(body + hashlib.sha256(body).digest())
        os.replace(file.name, path)  # noqa: PTH105 - the name of a temporary file is text
    except OSError:
        return


def make_table(plan: MapPlan, by_lists: bool = INTERPRETED) -> NDArray[Any]:
    decisions = [number for pair in plan.decisions for number in pair]
    if by_lists:
        return np.array(list_table(plan, decisions), "<u2")
    grounds, spaces = np.zeros(1, ground_layout(plan.size)), np.zeros(1, space_layout(plan.size))
    fill_ground(plan, record_of(grounds))
    answers = np.zeros(table_size(plan), "<u2")
    with cache.compiling(game_folder(Path(__file__).parent), "hackman", f"hackman-table-{plan.size}"):
        tabulate(
            opened(grounds), opened(spaces), np.array(decisions, np.int64), np.array(plan.rooms, np.int64), answers
        )  # fmt: skip
    return answers


def list_table(plan: MapPlan, decisions: list[int]) -> list[int]:
    """Computes the same on plain lists, which interpreted rules read twenty times faster than records."""
    size = plan.size
    ground = SimpleNamespace(
        width=0, cells=0, straight=[0] * size, neighbours=[0] * 4 * size, row=[0] * size, col=[0] * size
    )
    fill_ground(plan, ground)
    space = SimpleNamespace(sums=[0] * size, steps=[0] * size, line=[0] * size, seen=[0] * size, came=[0] * size)
    answers = [0] * table_size(plan)
    tabulate([ground], [space], decisions, plan.rooms, answers)
    return answers
