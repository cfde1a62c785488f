"""Learner: a small network that was trained from nothing by `examples/train_torch.py`."""

from __future__ import annotations

from botyard.games.hive.bots.forager import forager
from botyard.games.hive.bots.learner.net import liking, think
from botyard.games.hive.bots.learner.senses import note, numbers, sense
from botyard.games.hive.bots.sight import carrying, neighbour
from botyard.games.hive.layout import ORDERS, SIDE
from botyard.games.hive.rules import may_work
from botyard.kernel.records import Record
from botyard.kernel.rule import rule


@rule
def learner(arena: Record, view: Record, memory: Record) -> int:
    """Gives the order that the network likes best, among those not certain to be in vain. It has learned with the usual
    window; under other settings it forages."""
    if view.window.shape[0] != SIDE:
        return forager(arena, view, memory)
    note(arena, view, memory)
    thoughts = memory.learner
    numbers(arena, view, memory, thoughts.numbers)
    for row in range(SIDE):
        for col in range(SIDE):
            thoughts.codes[SIDE * row + col] = sense(arena, view, memory, row, col)
    think(thoughts)
    return favourite(arena, view, thoughts)


@rule
def favourite(arena: Record, view: Record, thoughts: Record) -> int:
    best, most = -1, 0
    for order in range(ORDERS):
        if may_work(order >> 3, carrying(view), neighbour(arena, view, order & 7)):
            liked = liking(thoughts, order)
            if best < 0 or liked > most:
                best, most = order, liked
    return max(best, 0)
