"""The chart: what the bees of one seat have seen, all together.

The functions call the record that holds it `lore`; it is the forager's part of the memory.
"""

from __future__ import annotations

from botyard.games.hive.layout import FLOWER, OUTSIDE
from botyard.kernel.records import Record
from botyard.kernel.rule import rule

# The chart holds the codes of flowers, walls and hives. Every other cell that was seen is PLAIN, even if a bee stood on
# it, because bees move on.
UNSEEN, PLAIN = 0, 1


@rule
def survey(view: Record, lore: Record) -> bool:
    """Copies what the bee sees into the chart; tells whether there is a flower that was not known."""
    side = view.window.shape[0]
    top = view.row - side // 2
    left = view.col - side // 2
    news = False
    for i in range(side):
        for j in range(side):
            code = view.window[i, j]
            if code == OUTSIDE:
                continue
            if code < FLOWER:
                code = PLAIN
            if lore.chart[top + i, left + j] != code:
                note(lore, top + i, left + j, code)
                news = news or code == FLOWER
    return news


@rule
def note(lore: Record, row: int, col: int, code: int) -> None:
    """Changes one cell of the chart, and the counts that save the bees from searching the whole chart."""
    known = lore.chart[row, col]
    if known == UNSEEN:
        lore.seen[row] += 1
    if known == FLOWER:
        lore.flowers[row] -= 1
        lore.loose -= 1
    if code == FLOWER:
        lore.flowers[row] += 1
        lore.loose += 1
    lore.chart[row, col] = code


@rule
def forget(arena: Record, lore: Record) -> None:
    """Marks all plain cells as unseen, so that they are searched again."""
    for row in range(arena.rows):
        for col in range(arena.cols):
            if lore.chart[row, col] == PLAIN:
                lore.chart[row, col] = UNSEEN
                lore.seen[row] -= 1
