"""Senses that a researcher might write for the small game: two codes and a number, and what a tick brings."""

from __future__ import annotations

from typing import Any

from botyard.kernel.records import Record
from botyard.kernel.rule import rule
from botyard.kernel.senses import SensedNumber

CODES = ("nothing", "something")
NUMBERS = (SensedNumber("seven", 7, 7, "always the same"),)


def sense_shape(arena: Any) -> tuple[int, int]:
    return 1, 2


@rule
def note(arena: Record, view: Record, memory: Record) -> None:
    memory.chance.counter += 1  # a learner draws nothing, so this tells how often it was shown something


@rule
def sense(arena: Record, view: Record, memory: Record, row: int, col: int) -> int:
    return view.cells[row, col] != 0


@rule
def numbers(arena: Record, view: Record, memory: Record, out: Record) -> None:
    out[0] = 7


@rule
def gain(arena: Record, state: Record, seat: int) -> int:
    return 10
