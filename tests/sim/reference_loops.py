"""What a learner senses, called for one game at a time: a template for the plain players of `plain_drill.py`.

It is loaded for each game like the loops of the kernel, so that what it compiles is kept with the game's rules.
"""

from __future__ import annotations

from typing import Any

from botyard.kernel.records import Record
from botyard.kernel.rule import rule

senses: Any  # bound by the loader

sense = senses.sense
numbers = senses.numbers


@rule
def sense_at(arenas: Record, views: Record, memories: Record, codes: Record, told: Record) -> None:
    for row in range(codes.shape[0]):
        for col in range(codes.shape[1]):
            codes[row, col] = sense(arenas[0], views[0], memories[0], row, col)
    numbers(arenas[0], views[0], memories[0], told)


if hasattr(senses, "note"):
    note = senses.note

    @rule
    def note_at(arenas: Record, views: Record, memories: Record) -> None:
        note(arenas[0], views[0], memories[0])


if hasattr(senses, "worth"):
    worth = senses.worth

    @rule
    def worth_at(arenas: Record, states: Record, seat: int) -> int:
        return worth(arenas[0], states[0], seat)


if hasattr(senses, "gain"):
    gain = senses.gain

    @rule
    def gain_at(arenas: Record, states: Record, seat: int) -> int:
        return gain(arenas[0], states[0], seat)
