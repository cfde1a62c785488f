"""Chance makes every random event of a game, from a small record inside its state.

The n-th draw is a pure function of the seed and n, so a game is its seed and its orders. Draws are made in the order a
specification gives, which lets a recorded game be fed in draw by draw (`TAPE`).

The arithmetic keeps every intermediate below 2**63 or masks it to its low 32 bits, so that Python's, Numba's and CUDA's
integers agree to the bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from botyard.kernel.errors import BadRecord, quoted
from botyard.kernel.records import Record, layout
from botyard.kernel.rule import rule

COUNTER = 0  # a mix of seed and counter: the default
GLIBC = 1  # rand_r of glibc, the generator of an original
TAPE = 2  # recorded draws from the arena's tape, each with its bound
LOWEST = 3  # always 0, for tests
HIGHEST = 4  # always the bound less 1, for tests

KINDS = ("counter", "glibc", "tape", "lowest", "highest")

# Why a draw could not be served.
WRONG_BOUND = 1  # the tape was recorded for another bound
TAPE_OVER = 2  # the tape holds no further draw

LOW32 = 0xFFFFFFFF

CHANCE = layout(
    [
        ("word", "u4", (2,)),  # the seed, low word first; for GLIBC word 0 is the generator's state
        ("counter", "u4"),  # draws made so far
        ("kind", "u1"),
        ("fault", "u1"),  # WRONG_BOUND or TAPE_OVER
        ("spare", "u1", (2,)),
    ]
)

TAPE_CAPACITY = 1024
TAPE_LAYOUT = layout(
    [
        ("values", "i8", (TAPE_CAPACITY,)),
        ("bounds", "u4", (TAPE_CAPACITY,)),
        ("length", "u4"),
        ("spare", "u4"),
    ]
)


@rule
def start_chance(chance: Record, kind: int, seed: int) -> None:
    chance.word[0] = seed & LOW32
    chance.word[1] = (seed >> 32) & LOW32
    chance.counter = 0
    chance.kind = kind
    chance.fault = 0


@rule
def draw(arena: Record, holder: Record, bound: int) -> int:
    """Draws a uniform integer in 0 … bound - 1. `holder` is the record whose `chance` is used: a state or a memory."""
    chance = holder.chance
    if chance.kind == COUNTER:
        value = (mixed(chance.word[0], chance.word[1], chance.counter) * bound) >> 32
    elif chance.kind == GLIBC:
        value = glibc_raw(chance) % bound
    elif chance.kind == TAPE:
        value = from_tape(arena.tape, chance, bound)
    elif chance.kind == LOWEST:
        value = 0
    else:
        value = bound - 1
    chance.counter = (chance.counter + 1) & LOW32
    return value


@rule
def mixed(low: int, high: int, counter: int) -> int:
    """Returns 32 well-mixed bits of a 64-bit seed and a counter."""
    x = (low + counter * 0x9E3779B9) & LOW32
    x ^= x >> 16
    x = (x * 0x21F0AAAD) & LOW32
    x ^= x >> 15
    x = (x ^ high) & LOW32
    x = (x * 0x735A2D97) & LOW32
    x ^= x >> 15
    x = (x * 0x85EBCA6B) & LOW32
    return x ^ (x >> 16)


@rule
def glibc_raw(chance: Record) -> int:
    """Returns one value of glibc's rand_r: 31 bits from three steps of a linear generator."""
    state = (chance.word[0] * 1103515245 + 12345) & LOW32
    raw = (state >> 16) & 2047
    state = (state * 1103515245 + 12345) & LOW32
    raw = (raw << 10) ^ ((state >> 16) & 1023)
    state = (state * 1103515245 + 12345) & LOW32
    raw = (raw << 10) ^ ((state >> 16) & 1023)
    chance.word[0] = state
    return raw


@rule
def from_tape(tape: Record, chance: Record, bound: int) -> int:
    at = chance.counter
    if at >= tape.length:
        chance.fault = TAPE_OVER
        return 0
    if tape.bounds[at] != bound:
        chance.fault = WRONG_BOUND
        return 0
    return tape.values[at]


def load_tape(arena: Any, state: Any, draws: Sequence[Sequence[int]]) -> None:
    """Makes recorded (bound, value) pairs the next draws of a state."""
    if len(draws) > TAPE_CAPACITY:
        raise BadRecord(
            f"a recording has {len(draws)} draws in one step", hint=f"at most {TAPE_CAPACITY} can be replayed"
        )
    tape = arena["tape"]
    for at, (bound, value) in enumerate(draws):
        if type(bound) is not int or type(value) is not int or not 0 <= value < bound <= LOW32:
            raise BadRecord(
                f"a recorded draw is {quoted(value)} with the bound {quoted(bound)}",
                hint="a draw must be a whole number, at least 0 and below its bound",
            )
        tape["bounds"][at] = bound
        tape["values"][at] = value
    tape["length"] = len(draws)
    chance = state["chance"]
    chance["kind"], chance["counter"], chance["fault"] = TAPE, 0, 0


def tape_used_up(arena: Any, state: Any) -> bool:
    """Whether exactly the loaded draws were made, each with its recorded bound."""
    chance = state["chance"]
    return bool(chance["fault"] == 0 and chance["counter"] == arena["tape"]["length"])
