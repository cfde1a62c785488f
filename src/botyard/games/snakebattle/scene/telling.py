"""What is said about a game of Snake Battle, and the keys of a person who plays it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import compress
from typing import Any

from botyard.games.snakebattle.facts import ACTIONS, order_name
from botyard.games.snakebattle.layout import ATE_GOLD, ATE_STONE, EAT, FLYING, FURY, WIN
from botyard.kernel.scene import Key, KeyPad, Mode, Words

EFFECTS = {"stones": "stones", "flying": "flying", "fury": "furious", "cut": "cut"}
TELLING = {
    WIN: "wins the round", ATE_GOLD: "finds gold", ATE_STONE: "swallows a stone", FLYING: "takes a flying pill",
    FURY: "takes a fury pill",
}  # fmt: skip


def words(arena: Any, state: Any) -> Words:
    seats, snakes = int(arena.rounds_players_per_room), state.snakes
    column = {name: snakes[name].tolist()[:seats] for name in ("score", "length", "here", "alive", "awake")}
    conditions = ["" if awake else "asleep" for awake in column["awake"]]
    for name, word in EFFECTS.items():
        for seat, left in enumerate(snakes[name].tolist()[:seats]):
            if left and column["alive"][seat] and column["awake"][seat]:
                conditions[seat] += f"{', ' if conditions[seat] else ''}{word} {left}"
    for seat, alive in enumerate(column["alive"]):
        if not alive:
            conditions[seat] = "dead" if column["length"][seat] else "no free start cell"
        if not column["here"][seat]:
            conditions[seat] = "gone"
    return Words(
        headline=clock_words(arena, state),
        numbers={"points": tuple(column["score"]), "length": tuple(column["length"])},
        conditions=tuple(conditions),
        out=frozenset(compress(range(seats), out_of_the_round(arena, state, column["alive"], column["awake"]))),
        round_number=coming_round(state),
    )


def coming_round(state: Any) -> int:
    """Returns the round that runs, or the next one where a round has ended and another is counted down to."""
    return int(state.round_number) + (int(state.countdown) > 0)


def out_of_the_round(arena: Any, state: Any, alive: list[int], awake: list[int]) -> Iterator[bool]:
    """Tells by seat whether its snake is dead, or a new one that sleeps until the next round."""
    runs = bool(arena.rounds_enabled) and state.countdown < 0
    return (not lives or (runs and not moves) for lives, moves in zip(alive, awake, strict=True))


def clock_words(arena: Any, state: Any) -> str:
    if not arena.rounds_enabled:
        return f"tick {state.tick}"
    if state.countdown >= 0:
        return f"tick {state.tick}, round {coming_round(state)} begins in {state.countdown}"
    return f"tick {state.tick}, round {state.round_number}, {state.round_left} ticks left"


def events(arena: Any, state: Any) -> Iterator[tuple[int, str]]:
    """Yields what the last tick brought, as far as points do not tell it: prey, pills, gold and stones."""
    log, length = state.log, int(state.log_length)
    for seat, kind, amount in zip(*(log[name][:length].tolist() for name in ("seat", "kind", "amount")), strict=True):
        if kind == EAT:
            yield seat, f"eats {amount} cell{'' if amount == 1 else 's'} of another"
        elif kind in TELLING:
            yield seat, TELLING[kind]


# The middle of the pad goes straight on, which is also what happens without a key.
STEERING = {
    "up": (("ArrowUp", "w"), "↑", 0, 1), "left": (("ArrowLeft", "a"), "←", 1, 0), "straight": (("Enter",), "·", 1, 1),
    "right": (("ArrowRight", "d"), "→", 1, 2), "down": (("ArrowDown", "s"), "↓", 2, 1),
}  # fmt: skip

KEYS = KeyPad(
    keys=(
        *(
            Key(names, label, tuple(order_name(turn, action) for action in ACTIONS), row, col)
            for turn, (names, label, row, col) in STEERING.items()
        ),
        Key(("0",), "die", ("die", "drop die", "die", "drop die"), 2, 2),
    ),
    modes=(Mode("steer"), Mode("drop", "Shift", " "), Mode("die", tap="Delete"), Mode("drop and die", tap="Backspace")),
)
