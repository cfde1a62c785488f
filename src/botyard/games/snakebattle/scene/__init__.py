"""Snake Battle as people see it: a field as text that parses back, and pictures of it.

    tick 14, round 1, countdown -1, round left 93 of 100, winner -1, 2 joined, filled
    ☼☼☼☼☼☼☼
    ☼#aA..☼
    ☼☼..○.☼
    ☼#..B.☼
    ☼☼..b.☼
    ☼☼..b.☼
    ☼☼☼☼☼☼☼
    seat 0: 3 points, head 3,5 right l, stones 1
    seat 1: 0 points, head 4,3 up dd, furious 7
    register 0 1

A seat's head is a capital letter. The seats stand in the order of the player list; after `head` come its point, its
direction, and the way along the body from head to tail. What lies under a snake has a line of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from botyard.games.snakebattle.facts import DIRECTIONS
from botyard.games.snakebattle.layout import body_cells, point_of
from botyard.games.snakebattle.map.alphabet import ENEMY, GROUND, HEAD_SLEEP, NONE
from botyard.games.snakebattle.rules.picture import OWNER
from botyard.games.snakebattle.scene.palette import palette
from botyard.games.snakebattle.scene.parsing import parse
from botyard.games.snakebattle.scene.picture import picture, picture_size, seat_picture
from botyard.games.snakebattle.scene.telling import KEYS, events, words
from botyard.games.snakebattle.scene.wording import logged
from botyard.games.snakebattle.wire import board_line

__all__ = [
    "KEYS", "draw", "draw_view", "events", "palette", "parse", "picture", "picture_size", "seat_picture",
    "words",
]  # fmt: skip

LETTERS = "abcdefghijklmnopqrstuvwxyz"
COUNTERS = {"stones": "stones", "flying": "flying", "fury": "furious", "cut": "cut"}
SNAKE_FLAGS = ("suicide", "died", "leaving", "forfeited")
STATE_FLAGS = ("filled", "over", "fault")


def draw(arena: Any, state: Any) -> str:
    """Draws the whole state as text, except for its chance (the random generator)."""
    return "\n".join(lines(arena, state))


def lines(arena: Any, state: Any) -> Iterator[str]:
    yield headline(state)
    yield from ("".join(row) for row in letters(arena, state))
    count = int(state.players)
    present = [int(seat) for seat in state.roster[:count]]
    gone = [seat for seat in range(int(arena.rounds_players_per_room)) if seat not in present]
    for seat in present + gone:
        yield f"seat {seat}: {', '.join(snake_words(arena, state.snakes[seat]))}"
    under = [f"{x},{y} {GROUND[code]}" for x, y, code in hidden_ground(arena, state)]
    if under:
        yield f"under {'; '.join(under)}"
    if count:
        yield f"register {' '.join(str(seat) for seat in state.register[:count])}"
    if state.log_length:
        yield f"events {'; '.join(f'{seat} {text}' for seat, text in logged(state))}"


def headline(state: Any) -> str:
    words = [f"tick {state.tick}", f"round {state.round_number}", f"countdown {state.countdown}"]
    words += [f"round left {state.round_left} of {state.round_length}", f"winner {state.winner_left}"]
    words += [f"{state.joined} joined", *(flag for flag in STATE_FLAGS if state[flag])]
    return ", ".join(words)


def letters(arena: Any, state: Any) -> list[list[str]]:
    """Returns the field cell by cell: the letter of the seat whose snake is seen there, else the ground."""
    side = int(arena.side)
    rows = state.picture[1 : side + 1, 1 : side + 1].tolist()
    known = {cell: letter_of(*divmod(cell, OWNER)) for cell in set().union(*rows)}
    return [[known[cell] for cell in row] for row in rows]


def letter_of(owner: int, code: int) -> str:
    if owner == 0:
        return "." if code == NONE else GROUND[code]
    letter = LETTERS[owner - 1]
    return letter.upper() if code <= ENEMY + HEAD_SLEEP else letter


def hidden_ground(arena: Any, state: Any) -> list[tuple[int, int, int]]:
    """Lists what lies under snakes, starting at the top left."""
    side, picture = int(arena.side), state.picture
    ground = state.ground.reshape(picture.shape)[1 : side + 1, 1 : side + 1]
    hidden = (picture[1 : side + 1, 1 : side + 1] >= OWNER) & (ground != NONE)
    return [(x, side - 1 - row, int(ground[row, x])) for row, x in np.argwhere(hidden).tolist()]


def snake_words(arena: Any, snake: Any) -> Iterator[str]:
    yield f"{snake['score']} points"
    if not snake["here"]:
        yield "gone"
    elif snake["length"] == 0:
        yield "no snake"
    else:
        x, y = point_of(arena, int(snake["head"]))
        yield f"head {x},{y} {DIRECTIONS[snake['direction']]} {way_back(arena, snake)}".rstrip()
    if snake["length"] and not snake["alive"]:
        yield "dead"
    if snake["length"] and not snake["awake"]:
        yield "asleep"
    if not snake["length"] and snake["awake"]:
        yield "awake"  # cleared away by a field that was driven without giving its players new snakes
    if snake["turn"]:
        yield f"turns {DIRECTIONS[snake['turn'] - 1]}"
    yield from (f"{word} {snake[name]}" for name, word in COUNTERS.items() if snake[name])
    if snake["last_tail"]:
        x, y = point_of(arena, int(snake["last_tail"]))
        yield f"last tail {x},{y}"
    yield from (name for name in SNAKE_FLAGS if snake[name])


def way_back(arena: Any, snake: Any) -> str:
    """Writes the way along the body from head to tail, one letter per step."""
    cells, delta = body_cells(arena, snake), arena.delta.tolist()
    return "".join(DIRECTIONS[delta.index(to - at)][0] for at, to in pairwise(cells))


def draw_view(view: Any) -> str:
    """Draws the board as the bot sees it, in the game's own alphabet."""
    line, side = board_line(view), int(view.side)
    return "\n".join(["", *(line[at : at + side] for at in range(0, len(line), side))])
