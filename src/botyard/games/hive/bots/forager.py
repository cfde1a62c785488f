"""Forager: brings flowers home; all its bees share one chart."""

from __future__ import annotations

from botyard.games.hive.bots.chart import UNSEEN, forget, survey
from botyard.games.hive.bots.path import path
from botyard.games.hive.bots.sight import NOWHERE, beside, carrying, distance, hive_col, hive_row, neighbour, order
from botyard.games.hive.layout import FLOWER, FORAGE, GUARD, HIVE, MOVE, WALL
from botyard.kernel.chance import draw
from botyard.kernel.records import Record
from botyard.kernel.rule import rule

IDLE, FETCH, EXPLORE = range(3)  # what a bee is doing

FAR = 1 << 30  # farther than any cell
STRIDE = 3  # places to explore are looked for in every third row and column; a bee there sees the cells between
ELBOW_ROOM = 8  # exploring bees keep this far apart if they can
STEP = 4  # a move, where places to explore are compared; a bot that leans to its rival's side counts in parts of one
UPRIGHT = 0  # leans to neither side


@rule
def forager(arena: Record, view: Record, memory: Record) -> int:
    news = survey(view, memory.forager)
    if carrying(view):
        return bring_home(arena, view, memory)
    return gather(arena, view, memory, news)


@rule
def bring_home(arena: Record, view: Record, memory: Record) -> int:
    memory.forager.task[view.bee] = IDLE
    direction = beside(arena, view, HIVE + view.player)
    if direction != NOWHERE:
        return order(FORAGE, direction)
    return approach(arena, view, memory, hive_row(arena), hive_col(arena, view.player))


@rule
def gather(arena: Record, view: Record, memory: Record, news: bool) -> int:
    """Moves a bee without a flower: it takes a flower beside it, else goes to a known one, else looks for one."""
    lore = memory.forager
    direction = beside(arena, view, FLOWER)
    if direction != NOWHERE:
        lore.task[view.bee] = IDLE
        return order(FORAGE, direction)
    choose_task(arena, view, lore, news, UPRIGHT)
    return approach(arena, view, memory, lore.goal[view.bee, 0], lore.goal[view.bee, 1])


@rule
def approach(arena: Record, view: Record, memory: Record, row: int, col: int) -> int:
    """Makes one step towards a cell; a bee that is shut in by other bees tries a random direction."""
    direction = path(arena, view, memory.forager, row, col)
    if direction == NOWHERE:
        return order(MOVE, draw(arena, memory, 8))
    if neighbour(arena, view, direction) == WALL:
        return order(GUARD, direction)
    return order(MOVE, direction)


@rule
def choose_task(arena: Record, view: Record, lore: Record, news: bool, lean: int) -> None:
    """Sends the bee to the nearest flower that no other bee is fetching, else to a place that no bee has seen.

    A place counts as farther away by `lean` of STEP for every move between it and the rival's hive.
    """
    task = lore.task[view.bee]
    found = lore.chart[lore.goal[view.bee, 0], lore.goal[view.bee, 1]]
    if task == FETCH and found == FLOWER and not news:
        return
    lore.task[view.bee] = IDLE
    if lore.loose > fetching(arena, lore) and choose_flower(arena, view, lore):
        return
    if task == EXPLORE and found == UNSEEN:
        lore.task[view.bee] = EXPLORE
        return
    if not choose_place(arena, view, lore, STRIDE, lean) and not choose_place(arena, view, lore, 1, lean):
        forget(arena, lore)  # flowers may lie on plain cells by now: dropped, or knocked out of a carrier


@rule
def set_out(view: Record, lore: Record, task: int, row: int, col: int) -> None:
    lore.task[view.bee] = task
    lore.goal[view.bee, 0] = row
    lore.goal[view.bee, 1] = col


@rule
def choose_flower(arena: Record, view: Record, lore: Record) -> bool:
    least = FAR
    for row in range(arena.rows):
        if lore.flowers[row] == 0:
            continue
        for col in range(arena.cols):
            away = distance(row - view.row, col - view.col)
            if lore.chart[row, col] == FLOWER and away < least and not claimed(arena, view, lore, row, col):
                least = away
                set_out(view, lore, FETCH, row, col)
    return least < FAR


@rule
def claimed(arena: Record, view: Record, lore: Record, row: int, col: int) -> bool:
    """Tells whether another bee is on its way to this flower."""
    for bee in range(arena.bees):
        if bee != view.bee and lore.task[bee] == FETCH and lore.goal[bee, 0] == row and lore.goal[bee, 1] == col:
            return True
    return False


@rule
def fetching(arena: Record, lore: Record) -> int:
    """Counts the bees that are on their way to a flower."""
    count = 0
    for bee in range(arena.bees):
        if lore.task[bee] == FETCH:
            count += 1
    return count


@rule
def choose_place(arena: Record, view: Record, lore: Record, stride: int, lean: int) -> bool:
    """Sends the bee to the nearest unseen cell, away from other explorers; tries every `stride`-th row and column."""
    least = FAR
    for row in range(stride // 2, arena.rows, stride):
        if lore.seen[row] == arena.cols:
            continue
        for col in range(stride // 2, arena.cols, stride):
            if lore.chart[row, col] != UNSEEN:
                continue
            away = STEP * distance(row - view.row, col - view.col)
            if away < least:
                away += STEP * crowding(arena, view, lore, row, col)
                away += lean * distance(row - hive_row(arena), col - hive_col(arena, 1 - view.player))
            if away < least:
                least = away
                set_out(view, lore, EXPLORE, row, col)
    return least < FAR


@rule
def crowding(arena: Record, view: Record, lore: Record, row: int, col: int) -> int:
    """Measures by how much a place is too near to the goal of another exploring bee."""
    most = 0
    for bee in range(arena.bees):
        if bee != view.bee and lore.task[bee] == EXPLORE:
            most = max(most, ELBOW_ROOM - distance(row - lore.goal[bee, 0], col - lore.goal[bee, 1]))
    return most
