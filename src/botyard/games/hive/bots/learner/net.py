"""The network of the learner, in whole numbers: what was learned lies in `weights.bin` beside this file.

Two hidden layers of WIDTH units each. Every input is 0 or 1, so the first layer only adds rows up. Weights have eight
bits; what a unit adds up is brought back to eight bits by a multiplier of its own (`tools/ship_learner.py` makes them).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

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


WEIGHTS = read_weights(FILE.read_bytes())
FIRST, SECOND, THIRD = (opened(WEIGHTS[name]) for name in ("first", "second", "third"))
FIRST_BIAS, SECOND_BIAS, THIRD_BIAS = (opened(WEIGHTS[f"{name}_bias"]) for name in ("first", "second", "third"))
FIRST_SCALE, SECOND_SCALE, THIRD_SCALE = (opened(WEIGHTS[f"{name}_scale"]) for name in ("first", "second", "third"))
NUMBER_STARTS = opened(np.array(STARTS, np.int32))


@rule
def think(thoughts: Record) -> None:
    """Fills the second hidden layer from the window and the numbers that were sensed."""
    for unit in range(WIDTH):
        thoughts.first[unit] = FIRST_BIAS[unit]
    for cell in range(SIDE * SIDE):
        add_input(thoughts, cell * len(CODES) + thoughts.codes[cell])
    for number in range(len(NUMBERS)):
        add_input(thoughts, NUMBER_STARTS[number] + thoughts.numbers[number])
    for unit in range(WIDTH):
        thoughts.second[unit] = SECOND_BIAS[unit]
    for unit in range(WIDTH):
        light = passed_on(thoughts.first[unit], FIRST_SCALE[unit])
        if light > 0:
            for to in range(WIDTH):
                thoughts.second[to] += light * SECOND[unit, to]
    for unit in range(WIDTH):
        thoughts.second[unit] = passed_on(thoughts.second[unit], SECOND_SCALE[unit])


@rule
def add_input(thoughts: Record, number: int) -> None:
    for unit in range(WIDTH):
        thoughts.first[unit] += FIRST[number, unit]


@rule
def passed_on(total: int, scale: int) -> int:
    return min(max((total * scale) >> SHIFT, 0), BRIGHTEST)


@rule
def liking(thoughts: Record, order: int) -> int:
    """Returns how much the network likes an order; only comparisons mean something."""
    total = int(THIRD_BIAS[order])
    for unit in range(WIDTH):
        total += thoughts.second[unit] * THIRD[unit, order]
    return total * THIRD_SCALE[order]
