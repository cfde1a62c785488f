"""Snakepit as people see it: a board as text that parses back, and pictures of it.

    tick 41, hunger 3, pellet 5,3
    A facing r, pellets 2, growing 0, left 1,1, body 4,3 ll
    B died 12, facing u, pellets 0, growing 0, length 6
    . . . . .
    . . . . .
    . a a A *

`A` is the head of the first snake, `a` its body, `*` the pellet. The lines above the board hold what it does not show:
a body is its head and the directions to each next cell. A drawing made by hand may omit these lines: then the bodies
are traced on the board, and everything else is as at the start.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from botyard.games.snakepit.facts import DIRECTIONS
from botyard.games.snakepit.layout import (
    EMPTY,
    NOBODY,
    NOWHERE,
    PELLET,
    SNAKE,
    STEP_X,
    STEP_Y,
    layouts,
    make_arena,
    validate,
)
from botyard.games.snakepit.layout.bodies import Cell, alive, has_body, read_body, write_body
from botyard.games.snakepit.scene.picture import KEYS, LETTERS, palette, picture, picture_size, words
from botyard.games.snakepit.scene.tracing import trace
from botyard.games.snakepit.settings import SnakepitSettings
from botyard.kernel.errors import BadRecord
from botyard.kernel.records import record_of

__all__ = ["KEYS", "LETTERS", "draw", "draw_view", "palette", "parse", "picture", "picture_size", "words"]

FACINGS = DIRECTIONS + "?"  # the last one is the step on the spot
FLAGS = ("over", "wash", "starved", "eaten", "fresh", "fault")
NUMBERS = ("died", "pellets", "growing", "length")
SIGNS = {EMPTY: ".", PELLET: "*"}
SIGN_OF = "".join(SIGNS.get(code, "?") for code in range(256)).encode()  # the sign of a cell, by code

HEADER = re.compile(r"tick (\d+), hunger (\d+)(?:, pellet (\d+),(\d+))?(?:, last man ([A-Z]))?(?:, gone ([A-Z]+))?(.*)")
SNAKE_LINE = re.compile(r"([A-Z]) (?:died|facing|pellets|growing|length|left|body) .*")
CELL = re.compile(r"(-?\d+),(-?\d+)")


# Drawing


def draw(arena: Any, state: Any) -> str:
    """Draws the whole state as text, except for its chance (the random generator)."""
    lines = [headline(state), *(snake_line(arena, state, seat) for seat in range(int(arena.snakes)))]
    return "\n".join([*lines, *(" ".join(row) for row in glyphs(arena, state))])


def headline(state: Any) -> str:
    words = [f"tick {state.tick}, hunger {state.hunger}"]
    if state.pellet_x:
        words.append(f"pellet {state.pellet_x},{state.pellet_y}")
    if state.last_man != NOBODY:
        words.append(f"last man {LETTERS[state.last_man]}")
    if state.gone:
        words.append("gone " + "".join(letter for seat, letter in enumerate(LETTERS) if int(state.gone) >> seat & 1))
    return ", ".join([*words, *(flag for flag in FLAGS if state[flag])])


def snake_line(arena: Any, state: Any, seat: int) -> str:
    snake = state.snakes[seat]
    words = [] if alive(state, seat) else [f"died {state.died[seat]}"]
    words += [f"facing {FACINGS[snake['facing']]}", f"pellets {snake['pellets']}", f"growing {snake['growing']}"]
    if alive(state, seat) and snake["left_x"] != NOWHERE:
        words.append(f"left {snake['left_x']},{snake['left_y']}")
    if has_body(state, seat):
        words.append("body " + body_text(read_body(state, seat, int(arena.slots))))
    else:
        words.append(f"length {snake['length']}")
    return f"{LETTERS[seat]} " + ", ".join(words)


def body_text(cells: list[Cell]) -> str:
    steps = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(cells)]
    moves = list(zip(STEP_X, STEP_Y, strict=True))
    return f"{cells[0][0]},{cells[0][1]} {''.join(FACINGS[moves.index(step)] for step in steps)}".rstrip()


def glyphs(arena: Any, state: Any) -> list[list[str]]:
    """Returns the grid cell by cell. A marked cell shows a snake that lies there, heads first."""
    width, height = int(arena.real_width), int(arena.real_height)
    cells = state.cells[:height, :width].tobytes()
    text = cells.translate(SIGN_OF).decode()
    board = [list(text[start : start + width]) for start in range(0, len(text), width)]
    bodies = [read_body(state, seat, int(arena.slots)) for seat in range(int(arena.snakes))]
    for heads in (False, True):
        for seat in reversed(range(len(bodies))):
            for x, y in bodies[seat][:1] if heads else bodies[seat][1:]:
                if 1 <= x <= width and 1 <= y <= height and cells[(y - 1) * width + x - 1] == SNAKE:
                    board[y - 1][x - 1] = LETTERS[seat] if heads else LETTERS[seat].lower()
    return board


# Parsing


def parse(text: str, settings: SnakepitSettings | None = None) -> tuple[SnakepitSettings, NDArray[Any]]:
    """Reads settings and a state (an array of one record) from a drawing.

    The size of the board and the number of snakes come from the drawing, every other setting from `settings`.
    """
    lines = [line.strip() for line in text.strip().splitlines()]
    header = HEADER.fullmatch(lines[0]) if lines else None
    rest = lines[1:] if header else lines
    told = [line for line in rest if SNAKE_LINE.fullmatch(line)]
    board = [cut_row(line) for line in rest[len(told) :]]
    if not board or len({len(row) for row in board}) != 1 or rest[: len(told)] != told:
        raise BadRecord("not a drawing of a snakepit", hint="write rows of equal length, such as `. a A . *`")
    fitting = fitted(settings or SnakepitSettings(), board, len(told))
    states = np.zeros(1, layouts(fitting).state)
    arena, state = record_of(make_arena(fitting)), record_of(states)
    state.last_man, state.living = NOBODY, (1 << fitting.snakes) - 1
    if header:
        read_header(state, header)
    for seat in range(fitting.snakes):
        if told:
            read_snake(arena, state, seat, told[seat])
        else:
            lay_traced(arena, state, seat, board)
    read_board(state, board)
    validate(arena, state)
    return fitting, states


def cut_row(line: str) -> list[str]:
    return line.split() if " " in line else list(line)


def fitted(settings: SnakepitSettings, board: list[list[str]], told: int) -> SnakepitSettings:
    width, height = len(board[0]), len(board)
    if settings.swap_board_axes:
        width, height = height, width
    heads = told or sum(cell in LETTERS for row in board for cell in row)
    if heads == 0:
        raise BadRecord("the drawing has no snakes", hint="draw their heads as capital letters: A, B, C …")
    if (width, height, heads) == (settings.width, settings.height, settings.snakes):
        return settings
    # The bodies are drawn already, so the length at the start only has to be possible on a small board.
    return replace(settings, width=width, height=height, snakes=heads, initial_len=1, initial_len_counts_head=True)


def read_header(state: Any, header: re.Match[str]) -> None:
    state.tick, state.hunger = int(header[1]), int(header[2])
    if header[3]:
        state.pellet_x, state.pellet_y = int(header[3]), int(header[4])
    if header[5]:
        state.last_man = LETTERS.index(header[5])
    for letter in header[6] or "":
        state.gone |= 1 << LETTERS.index(letter)
    for word in header[7].split(", ")[1:]:
        if word not in FLAGS:
            raise BadRecord(f"unknown word {word!r} in the header of a drawing", hint=f"known: {', '.join(FLAGS)}")
        state[word] = 1


def read_snake(arena: Any, state: Any, seat: int, line: str) -> None:
    letter, words = line[0], dict(word.split(" ", 1) for word in re.split(r", (?=[a-z])", line[2:]))
    if letter != LETTERS[seat] or not {"body", "length"} & words.keys() or "facing" not in words:
        raise BadRecord(
            f"{line!r} does not describe snake {LETTERS[seat]}", hint="it needs `facing`, and `body` or `length`"
        )
    snake, numbers = state.snakes[seat], {key: int(words[key]) for key in NUMBERS if key in words}
    if "died" in numbers:
        state.living &= ~(1 << seat)
        state.died[seat] = numbers.pop("died")
    else:
        snake["left_x"], snake["left_y"] = read_cell(words.get("left", f"{NOWHERE},{NOWHERE}"))
    for key, number in numbers.items():
        snake[key] = number
    snake["facing"] = FACINGS.index(words["facing"])
    if "body" in words:
        head, _, steps = words["body"].partition(" ")
        cells = [read_cell(head)]
        for step in steps:
            way = FACINGS.index(step)
            cells.append((cells[-1][0] + STEP_X[way], cells[-1][1] + STEP_Y[way]))
        write_body(state, seat, int(arena.slots), cells)


def read_cell(text: str) -> Cell:
    found = CELL.fullmatch(text)
    if found is None:
        raise BadRecord(f"{text!r} is not a cell", hint="write it as x,y")
    return int(found[1]), int(found[2])


def lay_traced(arena: Any, state: Any, seat: int, board: list[list[str]]) -> None:
    """Lays a body that only the board shows."""
    snake = state.snakes[seat]
    snake["left_x"] = snake["left_y"] = NOWHERE
    write_body(state, seat, int(arena.slots), trace(board, LETTERS[seat]))


def read_board(state: Any, board: list[list[str]]) -> None:
    codes = {sign: code for code, sign in SIGNS.items()}
    for y, row in enumerate(board, 1):
        for x, cell in enumerate(row, 1):
            if cell.upper() not in LETTERS and cell not in codes:
                raise BadRecord(
                    f"unknown cell {cell!r} in a drawing", hint="known: `.`, `*`, heads A, B … and bodies a, b …"
                )
            state.cells[y - 1, x - 1] = codes.get(cell, SNAKE)
            if cell == "*" and not state.pellet_x:
                state.pellet_x, state.pellet_y = x, y


# Views


def draw_view(view: Any) -> str:
    """Draws what a bot is told, as it is on the wire."""
    pellet = f"pellet {view.pellet_x},{view.pellet_y}" if view.pellet_x else "no pellet"
    words = [f"tick {view.tick}, snake {LETTERS[view.seat]}, {pellet}{' (new)' if view.fresh else ''}"]
    for seat, (head, tail) in enumerate(zip(view.heads, view.tails, strict=True)):
        if view.alive[seat]:
            left = f" left {tail[0]},{tail[1]}" if tail[0] != NOWHERE else ""
            words.append(f"{LETTERS[seat]} {head[0]},{head[1]}{left}")
    return "; ".join(words)
