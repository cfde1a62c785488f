"""Finds the seed that made a board: the original's log does not tell it, but its first line shows every flower.

The original seeds its generator with the time at its start, so those times are tried before all other 32-bit seeds.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from botyard.games.hive.layout import FLOWER
from botyard.games.hive.settings import HiveSettings
from botyard.kernel.chance import CHANCE, GLIBC, glibc_raw, start_chance
from botyard.kernel.records import Record
from botyard.kernel.rule import opened, rule

FIRST_SERVER = 1_546_300_800  # 2019, before the first version of the game
SPANS = ((0, 1 << 16), (FIRST_SERVER, int(time.time())), (0, 1 << 32))
SHARE = 1 << 24


def find_seed(settings: HiveSettings, board: str) -> int | None:
    """Returns the smallest seed that fits, from the likeliest range that has one, or None."""
    cells = np.frombuffer(board.encode(), np.uint8) - ord("0")
    start = np.ascontiguousarray(cells).reshape(settings.rows, settings.cols)
    for low, high in SPANS:
        found = search(settings, start, low, high)
        if found >= 0:
            return found
    return None


def search(settings: HiveSettings, start: NDArray[Any], low: int, high: int) -> int:
    chances = np.zeros(1, CHANCE)
    flowers = int((start == FLOWER).sum())
    extra, bound = flowers - settings.flowers_min, settings.flowers_max - settings.flowers_min + 1
    for first in range(low, high, SHARE):
        last = min(first + SHARE, high)
        found = first_fitting(opened(chances), opened(start), flowers, extra, bound, first, last)
        if found >= 0:
            return int(found)
    return -1


@rule
def first_fitting(chances: Record, start: Record, flowers: int, extra: int, bound: int, low: int, high: int) -> int:
    """Returns the first seed in low … high - 1 whose set-up puts the flowers exactly here; -1 if there is none."""
    chance = chances[0]
    for seed in range(low, high):
        start_chance(chance, GLIBC, seed)
        if glibc_raw(chance) % bound == extra and all_flowers_fit(chance, start, flowers):
            return seed
    return -1


@rule
def all_flowers_fit(chance: Record, start: Record, flowers: int) -> bool:
    """Tells whether the first draws hit only cells that are not empty; a few dozen such hits leave no doubt."""
    rows, cols = start.shape
    for _ in range(flowers):
        row = glibc_raw(chance) % rows
        col = glibc_raw(chance) % cols
        if start[row, col] == 0:
            return False
    return True
