"""The network of the learner, in whole numbers: what was learned lies in `weights.bin` beside this file.

Two hidden layers of WIDTH units each. Every input is 0 or 1, so the first layer only adds rows up, for eight units at a
time. Weights have eight bits; what a unit adds up is brought back to eight bits by a multiplier of its own
(`tools/ship_learner.py` makes them).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from botyard.games.hive.bots.learner.senses import CODES, NUMBERS
from botyard.games.hive.layout import LEARNER_UNITS, ORDERS, SIDE
from botyard.kernel.records import Record
from botyard.kernel.rule import opened, rule

WIDTH = LEARNER_UNITS
CELL_INPUTS = SIDE * SIDE * len(CODES)
STARTS = tuple(CELL_INPUTS + sum(number.high + 1 for number in NUMBERS[:at]) for at in range(len(NUMBERS)))
INPUTS = STARTS[-1] + NUMBERS[-1].high + 1
SHIFT = 30
BRIGHTEST = 255  # what a hidden unit passes on at most

# Eight weights of the first layer lie in a word. They are lifted above zero, so that no sum borrows from its neighbour;
# every second one has sixteen bits to add up in.
LANES = 8
LIFT = 128
EVERY_SECOND = 0x00FF_00FF_00FF_00FF
LANE = 0xFFFF
LIT = SIDE * SIDE + len(NUMBERS)  # inputs that are 1
assert LIT * (LIFT + 127) <= LANE
assert WIDTH % LANES == 0

SHAPES: dict[str, tuple[Any, tuple[int, ...]]] = {  # as they follow each other in the file
    "first": (np.int8, (INPUTS, WIDTH)),
    "second": (np.int8, (WIDTH, WIDTH)),
    "third": (np.int8, (WIDTH, ORDERS)),
    "first_bias": (np.int32, (WIDTH,)),
    "second_bias": (np.int32, (WIDTH,)),
    "third_bias": (np.int32, (ORDERS,)),
    "first_scale": (np.int32, (WIDTH,)),
    "second_scale": (np.int32, (WIDTH,)),
    "third_scale": (np.int32, (ORDERS,)),
}
FILE = Path(__file__).with_name("weights.bin")


def read_weights(raw: bytes) -> dict[str, Any]:
    """Returns the tables of a file by name, each with its shape."""
    counts = {name: int(np.prod(shape)) for name, (_, shape) in SHAPES.items()}
    size = sum(count * np.dtype(SHAPES[name][0]).itemsize for name, count in counts.items())
    assert len(raw) == size, f"{FILE.name} must have {size} bytes, not {len(raw)}: it was made for other senses"
    found, at = {}, 0
    for name, (kind, shape) in SHAPES.items():
        found[name] = np.frombuffer(raw, kind, counts[name], at).reshape(shape)
        at += found[name].nbytes
    return found


def in_words(table: NDArray[np.int8]) -> NDArray[np.int64]:
    """Returns a table of weights with those of LANES units in each word, the first of them in its lowest byte."""
    lanes = (table.astype(np.int64) + LIFT).reshape(len(table), -1, LANES).astype(np.uint64)
    words = sum(lanes[..., lane] << np.uint64(8 * lane) for lane in range(LANES))
    return np.asarray(words, np.uint64).view(np.int64)


WEIGHTS = read_weights(FILE.read_bytes())
FIRST = opened(in_words(WEIGHTS["first"]))
SECOND, THIRD = (opened(np.ascontiguousarray(WEIGHTS[name].T)) for name in ("second", "third"))
FIRST_BIAS = opened(WEIGHTS["first_bias"] - LIFT * LIT)
SECOND_BIAS, THIRD_BIAS = (opened(WEIGHTS[f"{name}_bias"]) for name in ("second", "third"))
FIRST_SCALE, SECOND_SCALE, THIRD_SCALE = (opened(WEIGHTS[f"{name}_scale"]) for name in ("first", "second", "third"))
NUMBER_STARTS = opened(np.array(STARTS, np.int32))


@rule
def think(thoughts: Record) -> None:
    """Fills the hidden layers from the window and the numbers that were sensed."""
    for word in range(WIDTH // LANES):
        even, odd = added_up(thoughts, word)
        for lane in range(0, LANES, 2):
            light_up(thoughts, LANES * word + lane, (even >> (8 * lane)) & LANE)
            light_up(thoughts, LANES * word + lane + 1, (odd >> (8 * lane)) & LANE)
    for unit in range(WIDTH):
        total = int(SECOND_BIAS[unit])
        for before in range(WIDTH):
            total += thoughts.first[before] * SECOND[unit, before]
        thoughts.second[unit] = passed_on(total, SECOND_SCALE[unit])


@rule
def added_up(thoughts: Record, word: int) -> tuple[int, int]:
    """Returns what the inputs that are lit add up to in the units of a word: in two words, which have room for it."""
    even = odd = 0
    for at in range(LIT):
        weights = FIRST[lit_input(thoughts, at), word]
        even += weights & EVERY_SECOND
        odd += (weights >> 8) & EVERY_SECOND
    return even, odd


@rule
def lit_input(thoughts: Record, at: int) -> int:
    """Returns the input of a cell or, after all cells, of a number."""
    if at < SIDE * SIDE:
        return at * len(CODES) + thoughts.codes[at]
    return NUMBER_STARTS[at - SIDE * SIDE] + thoughts.numbers[at - SIDE * SIDE]


@rule
def light_up(thoughts: Record, unit: int, lifted: int) -> None:
    thoughts.first[unit] = passed_on(lifted + FIRST_BIAS[unit], FIRST_SCALE[unit])


@rule
def passed_on(total: int, scale: int) -> int:
    return min(max((total * scale) >> SHIFT, 0), BRIGHTEST)


@rule
def liking(thoughts: Record, order: int) -> int:
    """Returns how much the network likes an order; only comparisons mean something."""
    total = int(THIRD_BIAS[order])
    for unit in range(WIDTH):
        total += thoughts.second[unit] * THIRD[order, unit]
    return total * THIRD_SCALE[order]
