"""What holds in every state of Snakepit; `layout.validate` refuses bytes for which it does not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from botyard.games.snakepit.layout import EMPTY, NOBODY, NOWHERE, PELLET, SNAKE, STAY, STEPS_PER_WORD
from botyard.games.snakepit.layout.bodies import Cell, alive, has_body, last_tick, on_board, read_body
from botyard.kernel.chance import KINDS
from botyard.kernel.facts import FAULT_OF

FLAGS = ("over", "wash", "starved", "eaten", "fresh")


def truths(arena: Any, state: Any) -> Iterator[tuple[str, bool]]:
    yield from counters(arena, state)
    seats = range(int(arena.snakes))
    for seat in seats:
        yield from snake_truths(arena, state, seat)
    bodies = [read_body(state, seat, int(arena.slots)) for seat in seats]
    for seat in seats:
        yield from body_truths(arena, state, seat, bodies[seat])
    yield from board_truths(arena, state, bodies)


def counters(arena: Any, state: Any) -> Iterator[tuple[str, bool]]:
    count, everybody = int(arena.snakes), (1 << int(arena.snakes)) - 1
    spares = (state.spare, state.spare_end, state.chance.spare)
    yield "spare bytes must be zero", not any(spare.any() for spare in spares)
    yield "the kind of chance must be known", state.chance.kind < len(KINDS)
    yield "counters must not be negative", min(state.tick, state.hunger) >= 0
    yield "hunger must not exceed the ticks played", state.hunger <= state.tick
    yield "flags must be 0 or 1", all(state[flag] <= 1 for flag in FLAGS)
    yield "a fault must belong to the rules or to a snake of this game", state.fault < FAULT_OF << count
    yield "only snakes of this game may be alive or gone", not (state.living | state.gone) & ~everybody
    unused = (state.snakes[count:], state.died[count:], state.ring[:, count:])
    yield "unused snakes must be zero", not any(part.tobytes().strip(b"\0") for part in unused)
    yield "the last survivor must be a snake or -1", NOBODY <= state.last_man < count
    yield "no step may be half done", not any(state.snakes[key].any() for key in ("aim_x", "aim_y", "fate"))
    lone = state.living & (state.living - 1) == 0
    yield "a running game must have a living snake", bool(state.over) or state.living != 0
    yield "a running game must have at least two living snakes", bool(state.over) or count == 1 or not lone


def snake_truths(arena: Any, state: Any, seat: int) -> Iterator[tuple[str, bool]]:
    """Lists what must hold before a body can be read at all."""
    who, snake, died = f"snake {seat}", state.snakes[seat], int(state.died[seat])
    lives = alive(state, seat)
    yield f"{who} must be alive, or have died in a past tick", (died == 0) if lives else 0 < died <= state.tick
    yield f"the length of {who} must fit into its ring", 1 <= snake["length"] <= arena.slots
    yield f"the growth and the pellets of {who} must not be negative", min(snake["growing"], snake["pellets"]) >= 0
    # A step on the spot kills unless the head was not marked on the grid; then it is the last step, or the only cell.
    stands = not lives or snake["pause"] == 1 or snake["length"] == 1
    yield f"{who} must face a direction", snake["facing"] <= (STAY if stands else STAY - 1)
    yield f"{who} must have a body while it lives", has_body(state, seat) == (lives or bool(arena.preserve_dead))
    steps = int(snake["length"]) - 1 if has_body(state, seat) else 0
    yield f"the pause of {who} must be one of the steps of its body", snake["pause"] <= steps


def body_truths(arena: Any, state: Any, seat: int, body: list[Cell]) -> Iterator[tuple[str, bool]]:
    who, snake, slots = f"snake {seat}", state.snakes[seat], int(arena.slots)
    left = (int(snake["left_x"]), int(snake["left_y"]))
    tail = (int(snake["tail_x"]), int(snake["tail_y"]))
    used = {(last_tick(state, seat) - back) % slots for back in range(len(body) - 1) if back + 1 != snake["pause"]}
    yield f"steps of {who} beyond its body must be zero", unused_clear(state, seat, slots, used)
    if not body:
        yield (
            f"{who} is gone, so its cells must be zero",
            left == tail == (int(snake["head_x"]), int(snake["head_y"])) == (0, 0),
        )
        return
    yield f"the head of {who} must be on the board", on_board(arena, body[0])
    yield f"the tail of {who} must be where its steps lead", body[-1] == tail
    low = int(arena.real_height) + int(arena.body_cells)
    yield f"{who} must lie where snakes can be", all(1 <= x <= arena.real_width and 1 <= y <= low for x, y in body)
    if not alive(state, seat):
        yield f"{who} is dead, so it must not have left a cell", left == (0, 0)
        return
    away = abs(left[0] - tail[0]) + abs(left[1] - tail[1])
    beside = away == 1 or (away == 0 and not arena.clean_start)  # the same cell after a step on the spot
    yield f"the tail of {who} must have left the cell beside it, or none", beside or left == (NOWHERE, NOWHERE)
    yield (
        f"the cell that {who} left must exist",
        left[0] == NOWHERE or (1 <= left[0] <= arena.real_width and 1 <= left[1] <= low),
    )


def unused_clear(state: Any, seat: int, slots: int, used: set[int]) -> bool:
    words = state.ring[:, seat].copy()
    for at in used:
        words[at // STEPS_PER_WORD] &= ~np.uint32(3 << 2 * (at % STEPS_PER_WORD))
    return not words.any()


def board_truths(arena: Any, state: Any, bodies: list[list[Cell]]) -> Iterator[tuple[str, bool]]:
    cells = state.cells
    pellet = (int(state.pellet_x), int(state.pellet_y))
    yield "the pellet must be on the board", pellet == (0, 0) or on_board(arena, pellet)
    off_board = cells.copy()
    off_board[: int(arena.real_height), : int(arena.real_width)] = EMPTY
    yield "nothing may lie outside the board", not off_board.any()
    yield "cell codes must be from 0 to 2", bool((cells <= SNAKE).all())
    marked = {(int(x) + 1, int(y) + 1) for y, x in np.argwhere(cells == SNAKE)}
    laid = [cell for body in bodies for cell in body]
    pellets = [(int(x) + 1, int(y) + 1) for y, x in np.argwhere(cells == PELLET)]
    yield "only cells on which a snake lies may be marked", marked <= set(laid)
    yield "the pellet must lie where it was announced", pellets in ([], [pellet])
    if arena.clean_start:
        yield "snakes must not overlap, and all their cells must be marked", len(laid) == len(marked)
        yield "the announced pellet must lie on the board", pellet == (0, 0) or pellets == [pellet]
