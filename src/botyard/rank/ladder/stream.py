"""A random stream is one number of 64 bits, which is stored: the same number always gives the same draws.

The generator is SplitMix64. Each draw returns the next state, so nothing here remembers anything.
"""

from __future__ import annotations

from typing import Final

STREAM_BITS: Final = 64
MASK: Final = (1 << STREAM_BITS) - 1
STEP: Final = 0x9E3779B97F4A7C15
FRACTION_BITS: Final = 53  # as many as a float holds


def draw_word(state: int) -> tuple[int, int]:
    """Returns 64 random bits and the next state."""
    state = (state + STEP) & MASK
    word = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & MASK
    return word ^ (word >> 31), state


def draw_fraction(state: int) -> tuple[float, int]:
    """Returns a random number from 0 to below 1, and the next state."""
    word, state = draw_word(state)
    return (word >> (STREAM_BITS - FRACTION_BITS)) / (1 << FRACTION_BITS), state


def draw_below(state: int, bound: int) -> tuple[int, int]:
    """Returns a random whole number from 0 to below the bound, and the next state."""
    word, state = draw_word(state)
    return (word * bound) >> STREAM_BITS, state  # uneven by less than bound / 2**64
