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
    yield "unknown kind of chance", state.chance.kind < len(KINDS)
    yield "counters must not be negative", min(state.tick, state.hunger) >= 0
    yield "hunger does not outlast the game", state.hunger <= state.tick
    yield "flags are 0 or 1", all(state[flag] <= 1 for flag in FLAGS)
    yield "a fault is ours or that of a snake of this game", state.fault < FAULT_OF << count
    yield "nobody but the snakes of this game lives or has gone", not (state.living | state.gone) & ~everybody
    unused = (state.snakes[count:], state.died[count:], state.ring[:, count:])
    yield "unused snakes must be zero", not any(part.tobytes().strip(b"\0") for part in unused)
    yield "the last man is a snake or -1", NOBODY <= state.last_man < count
    yield "steps must not be under way", not any(state.snakes[key].any() for key in ("aim_x", "aim_y", "fate"))
    lone = state.living & (state.living - 1) == 0
    yield "a game that goes on has snakes", bool(state.over) or state.living != 0
    yield "a game that goes on has rivals", bool(state.over) or count == 1 or not lone


def snake_truths(arena: Any, state: Any, seat: int) -> Iterator[tuple[str, bool]]:
    """Lists what must hold before a body can be read at all."""
    who, snake, died = f"snake {seat}", state.snakes[seat], int(state.died[seat])
    lives = alive(state, seat)
    yield f"{who} is either alive or died in a tick that was", (died == 0) if lives else 0 < died <= state.tick
    yield f"{who} has a length its ring can hold", 1 <= snake["length"] <= arena.slots
    yield f"{who} owes and has eaten no less than nothing", min(snake["growing"], snake["pellets"]) >= 0
    # A step on the spot kills unless the head was not marked on the grid; then it is the last step, or the only cell.
    stands = not lives or snake["pause"] == 1 or snake["length"] == 1
    yield f"{who} faces a direction", snake["facing"] <= (STAY if stands else STAY - 1)
    yield f"{who} lies on the board while it lives", has_body(state, seat) == (lives or bool(arena.preserve_dead))
    steps = int(snake["length"]) - 1 if has_body(state, seat) else 0
    yield f"{who} stood still in a step of its body", snake["pause"] <= steps


def body_truths(arena: Any, state: Any, seat: int, body: list[Cell]) -> Iterator[tuple[str, bool]]:
    who, snake, slots = f"snake {seat}", state.snakes[seat], int(arena.slots)
    left = (int(snake["left_x"]), int(snake["left_y"]))
    tail = (int(snake["tail_x"]), int(snake["tail_y"]))
    used = {(last_tick(state, seat) - back) % slots for back in range(len(body) - 1) if back + 1 != snake["pause"]}
    yield f"{who} has steps where it has no body", unused_clear(state, seat, slots, used)
    if not body:
        yield (
            f"{who} is gone with all its cells",
            left == tail == (int(snake["head_x"]), int(snake["head_y"])) == (0, 0),
        )
        return
    yield f"the head of {who} is on the board", on_board(arena, body[0])
    yield f"the tail of {who} is where its steps lead", body[-1] == tail
    low = int(arena.real_height) + int(arena.body_cells)
    yield f"{who} lies where snakes can be", all(1 <= x <= arena.real_width and 1 <= y <= low for x, y in body)
    if not alive(state, seat):
        yield f"{who} is dead and leaves nothing", left == (0, 0)
        return
    away = abs(left[0] - tail[0]) + abs(left[1] - tail[1])
    beside = away == 1 or (away == 0 and not arena.clean_start)  # the same cell after a step on the spot
    yield f"the tail of {who} left the cell beside it, or none", beside or left == (NOWHERE, NOWHERE)
    yield (
        f"{who} left a cell that is there",
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
    yield "the pellet is on the board", pellet == (0, 0) or on_board(arena, pellet)
    off_board = cells.copy()
    off_board[: int(arena.real_height), : int(arena.real_width)] = EMPTY
    yield "there is nothing outside the board", not off_board.any()
    yield "cell codes go from 0 to 2", bool((cells <= SNAKE).all())
    marked = {(int(x) + 1, int(y) + 1) for y, x in np.argwhere(cells == SNAKE)}
    laid = [cell for body in bodies for cell in body]
    pellets = [(int(x) + 1, int(y) + 1) for y, x in np.argwhere(cells == PELLET)]
    yield "a cell is marked that no snake lies on", marked <= set(laid)
    yield "the pellet lies where it was announced", pellets in ([], [pellet])
    if arena.clean_start:
        yield "snakes overlap, or are not marked", len(laid) == len(marked)
        yield "the announced pellet is lost", pellet == (0, 0) or pellets == [pellet]
