"""What holds in every state of Snake Battle; bytes for which it does not are refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from botyard.games.snakebattle.layout import (
    DOWN,
    EAT,
    KINDS_OF_GROUND,
    STEPS_PER_WORD,
    TIME_OVER,
    TURNS,
    body_cells,
    point_of,
)
from botyard.games.snakebattle.map.alphabet import APPLE, START, WALL
from botyard.kernel.chance import KINDS
from botyard.kernel.errors import BadRecord

FLAGS = ("here", "alive", "awake", "suicide", "died", "leaving", "forfeited")
KEPT = ("score", "leaving", "forfeited")  # fields of a seat that stay when its player has gone


def validate(arena: Any, state: Any) -> None:
    """Refuses a state that no game can be in, because the rules trust every index they read."""
    for what, holds in truths(arena, state):
        if not holds:
            raise BadRecord("not a state of snakebattle under these settings", hint=what)


def truths(arena: Any, state: Any) -> Iterator[tuple[str, bool]]:
    yield from plain_truths(state)
    yield from list_truths(arena, state)
    yield from ground_truths(arena, state)
    for seat in range(len(state.snakes)):
        yield from snake_truths(arena, state, seat)
    yield from picture_truths(arena, state)


def plain_truths(state: Any) -> Iterator[tuple[str, bool]]:
    clocks = (state.countdown, state.round_left, state.winner_left)
    yield "spare bytes must be zero", not (state.spare.any() or state.chance.spare.any())
    yield "the kind of chance must be known", state.chance.kind < len(KINDS)
    yield "flags must be 0 or 1", max(state.over, state.filled, state.fault) <= 1
    yield "clocks must be -1 (idle) or more", min(clocks) >= -1
    yield "counters must not be negative", min(state.tick, state.round_number, state.round_length, state.joined) >= 0
    yield "no fight may be half done", not (state.victims or state.notes_length or bool_of(state.notes))


def bool_of(records: Any) -> bool:
    return any(records.tobytes())


def list_truths(arena: Any, state: Any) -> Iterator[tuple[str, bool]]:
    count, seats = int(state.players), int(arena.rounds_players_per_room)
    here = [seat for seat in range(len(state.snakes)) if state.snakes[seat]["here"]]
    yield "there must not be more players than seats", count <= seats
    for name in ("roster", "register"):
        listed = state[name]
        yield f"the {name} must list every player once", sorted(listed[:count].tolist()) == here
        yield f"the rest of the {name} must be zero", not listed[count:].any()
    yield "players must sit on seats of this field", all(seat < seats for seat in here)
    length = int(state.log_length)
    yield "the log must not be longer than its record", length <= len(state.log)
    rows = state.log[: min(length, len(state.log))]
    yield "the log must name existing seats", bool((rows["seat"] < seats).all())
    yield "the log must name known events", bool(((rows["kind"] >= 1) & (rows["kind"] <= TIME_OVER)).all())
    yield "amounts must not be negative", bool((rows["amount"] >= 0).all())
    yield "the rest of the log must be zero", not (bool_of(state.log[length:]) or rows["spare"].any())
    yield "an EAT event must have an amount above 0", bool((rows["amount"][rows["kind"] == EAT] > 0).all())


def ground_truths(arena: Any, state: Any) -> Iterator[tuple[str, bool]]:
    yield "the kind of ground must be known", bool((state.ground < KINDS_OF_GROUND).all())
    for kind in (WALL, START):
        same = (state.ground == kind) == (arena.ground == kind)
        yield "walls and start cells must be those of the map", bool(same.all())
    counts = np.bincount(state.ground, minlength=KINDS_OF_GROUND)[:KINDS_OF_GROUND]
    counts[:APPLE] = 0
    yield "the counts of objects must match the field", bool((counts == state.counts).all())


def snake_truths(arena: Any, state: Any, seat: int) -> Iterator[tuple[str, bool]]:
    snake, which = state.snakes[seat], f"snake {seat}: "
    length, side = int(snake["length"]), int(arena.side)
    if not snake["here"]:
        rest = [name for name in snake.dtype.names if name not in KEPT]
        yield which + "nothing may be left of a player who has gone", not any(bool_of(snake[name]) for name in rest)
    yield which + "flags must be 0 or 1", all(snake[name] <= 1 for name in FLAGS)
    yield which + "spare bytes must be zero", not snake["spare"].any()
    numbers = ("score", "stones", "flying", "fury", "length", "cut", "folds")
    yield which + "numbers must not be negative", min(int(snake[name]) for name in numbers) >= 0
    yield which + "the direction must be known", snake["direction"] < TURNS - 1 and snake["turn"] < TURNS
    yield which + "the length must fit into its record", length <= STEPS_PER_WORD * len(snake["steps"])
    yield which + "a living snake must have cells", not snake["alive"] or length > 0
    points = [point_of(arena, cell) for cell in body_cells(arena, snake)]
    yield which + "the body must lie within the field's frame", all(-1 <= min(p) <= max(p) <= side for p in points)
    inside = bool(points) and 0 <= min(points[0]) <= max(points[0]) < side
    yield which + "the head of a living snake must be on the field", inside or not snake["alive"]
    tail = body_cells(arena, snake)[-1] if length else 0
    yield which + "the tail must be at the end of the body", int(snake["tail"]) == tail
    yield which + "a snake without cells must not have a head", length > 0 or snake["head"] == 0
    yield which + "the last tail must be a cell", 0 <= snake["last_tail"] < (side + 2) * int(arena.delta[DOWN])
    used = max(length - 1, 0)
    behind = sum(int(word) << (32 * at) for at, word in enumerate(snake["steps"])) >> (2 * used)
    yield which + "steps behind the tail must be zero", behind == 0


def picture_truths(arena: Any, state: Any) -> Iterator[tuple[str, bool]]:
    """Checks the planes that follow from the snakes and the ground."""
    from botyard.games.snakebattle.rules.picture import lay_snakes
    from botyard.kernel.records import record_of
    from botyard.kernel.rule import opened

    cover = np.zeros_like(state.cover)
    for seat in range(len(state.snakes)):
        cells = body_cells(arena, state.snakes[seat])
        cover[cells] |= 1 << seat
        folds = len(cells) - len(set(cells))
        yield f"snake {seat}: it must count {folds} folds of its body", int(state.snakes[seat]["folds"]) == folds
    yield "the covered cells must be those of the snakes", bool((cover == state.cover).all())
    arenas, states = np.zeros(1, arena.dtype), np.zeros(1, state.dtype)
    arenas[0], states[0] = arena, state
    drawn = record_of(states)
    drawn.picture[:] = drawn.ground.reshape(drawn.picture.shape)
    lay_snakes(opened(arenas)[0], opened(states)[0])
    yield "the picture must show the snakes and the ground", bool((drawn.picture == state.picture).all())
