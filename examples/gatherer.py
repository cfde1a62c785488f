"""A Hive Arena bot in Python: a function from a view to an order.

botyard play hive py:examples/gatherer.py house:wanderer --watch
"""

import random

FLOWER, HIVE = 5, 7
DIRECTIONS = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
STEPS = [(-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1)]


def bot(view):
    """Takes flowers that are near, brings them home, and wanders otherwise."""
    carrying = view.window[3, 3] == 3 + view.player
    wanted = HIVE + view.player if carrying else FLOWER
    for direction, (row, col) in zip(DIRECTIONS, STEPS, strict=True):
        if view.window[3 + row, 3 + col] == wanted:
            return f"forage {direction}"
    if carrying:
        home = (12, 1) if view.player == 0 else (12, 28)
        return f"move {towards(view, home)}"
    return f"move {random.choice(DIRECTIONS)}"


def towards(view, target):
    """The free direction that ends nearest to the target."""

    def left(at):
        row, col = STEPS[at]
        blocked = view.window[3 + row, 3 + col] != 0
        return blocked, max(abs(target[0] - view.row - row), abs(target[1] - view.col - col)), random.random()

    return DIRECTIONS[min(range(8), key=left)]
