"""BattleBots as people see it: a bout as text that parses back, and pictures of it.

    round 12, hp 9/7, paralysed 1
    . . . . .
    . 1 B . L
    . . . . 2
    B x=2 y=1 dir=E
    L x=4 y=1

`1` and `2` are the bots; `B`, `M` and `L` show where weapons are, and `#` the squares below `min_coordinate`. The lines
below the board are the weapons in the order of their lists, written as bots are told them; a mine may be `spent`.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from botyard.games.battlebots.facts import DIRECTIONS
from botyard.games.battlebots.layout import (
    BOTS,
    BULLETS,
    LIVE,
    MISSILES,
    SPENT,
    layouts,
    make_arena,
    validate,
)
from botyard.games.battlebots.scene.picture import KEYS, events, palette, picture, picture_size, seat_picture, words
from botyard.games.battlebots.settings import BattlebotsSettings
from botyard.games.battlebots.wire import arena_text
from botyard.kernel.errors import BadRecord
from botyard.kernel.records import record_of

__all__ = [
    "KEYS", "draw", "draw_view", "events", "palette", "parse", "picture", "picture_size", "seat_picture", "words",
]  # fmt: skip

FLAGS = ("over", "fault")
SIGNS = {"B": BULLETS, "M": MISSILES}
HEADER = re.compile(r"round (\d{1,9}), hp (-?\d{1,9})/(-?\d{1,9})((?:, \w+(?: \d{1,9})?)*)")
SHOT = re.compile(r"([BM]) x=(\d+) y=(\d+) dir=([NESW]+)")
LAID = re.compile(r"L x=(\d+) y=(\d+)( spent)?")


# Drawing


def draw(arena: Any, state: Any) -> str:
    """Draws the whole state as text, except for its chance (the random generator).

    Every replay ends with this text's hash, so fields are read by `state["name"]`, a third of the time of `state.name`.
    """
    rows = [" ".join(row) for row in glyphs(arena, state)]
    return "\n".join([headline(state), *rows, *weapon_lines(state)])


def headline(state: Any) -> str:
    hp, paralysed, forfeited = state["hp"], state["paralysed"], state["forfeited"]
    words = [f"round {state['rounds']}, hp {hp[0]}/{hp[1]}"]
    words += [f"paralysed {paralysed}"] if paralysed else []
    words += [f"forfeited {forfeited}"] if forfeited >= 0 else []
    return ", ".join([*words, *(flag for flag in FLAGS if state[flag])])


def glyphs(arena: Any, state: Any) -> list[list[str]]:
    """Returns the board cell by cell, with one sign each: bots cover missiles, missiles bullets, bullets mines."""
    least, columns = int(arena["min_coordinate"]), range(int(arena["width"]))
    board = [["#" if x < least or y < least else "." for x in columns] for y in range(int(arena["height"]))]
    for x, y in state["mines"][: int(state["mine_count"])].tolist():
        board[y][x] = "L"
    for sign, x, y, _ in shots(state):
        board[y][x] = sign
    for bot, (x, y) in enumerate(state["bots"].tolist(), 1):
        board[y][x] = str(bot)
    return board


def shots(state: Any) -> list[tuple[str, int, int, int]]:
    """Lists sign, place and direction of every shot that flies: bullets, then missiles, the oldest first."""
    flying, count = state["shots"], state["shot_count"].tolist()
    return [
        (sign, x, y, direction)
        for sign, kind in SIGNS.items()
        for x, y, direction, _ in flying[kind, : count[kind]].tolist()
    ]


def weapon_lines(state: Any) -> list[str]:
    flying = [f"{sign} x={x} y={y} dir={DIRECTIONS[direction]}" for sign, x, y, direction in shots(state)]
    mines = [
        f"L x={x} y={y}" + (" spent" if state.mine_at[y, x] == SPENT else "")
        for x, y in state["mines"][: int(state["mine_count"])].tolist()
    ]
    return flying + mines


# Reading a drawing


def parse(text: str, settings: BattlebotsSettings | None = None) -> tuple[BattlebotsSettings, NDArray[Any]]:
    """Reads settings and a state (an array of one record) from a drawing; the header line may be missing.

    The size of the board and its unusable squares come from the drawing, every other setting from `settings`. Weapons
    are read from the lines below the board; their signs on the board may be left out.
    """
    lines = [line.strip() for line in text.strip().splitlines()]
    header = HEADER.fullmatch(lines[0]) if lines else None
    lines = lines[1:] if header else lines
    weapons = [line for line in lines if "=" in line]
    board = [line.split() for line in lines if "=" not in line]
    if not board or len({len(row) for row in board}) != 1:
        raise BadRecord(
            "not a drawing of a BattleBots board",
            hint="write rows of equal length with one space between squares: `. 1 .`",
        )
    fitting = fitted(settings or BattlebotsSettings(), board)
    states = np.zeros(1, layouts(fitting).state)
    arena, state = record_of(make_arena(fitting)), record_of(states)
    place_bots(state, board)
    for line in weapons:
        add_weapon(state, fitting, line)
    read_header(state, header, fitting.start_hp)
    validate(arena, state)
    compare_board(glyphs(arena, state), board)
    return fitting, states


def fitted(settings: BattlebotsSettings, board: list[list[str]]) -> BattlebotsSettings:
    height, width = len(board), len(board[0])
    least = next((at for at in range(min(height, width)) if board[at][at] != "#"), 0)
    if (width, height, least) == (settings.width, settings.height, settings.min_coordinate):
        return settings
    # The bots are drawn already, so the inset only has to be possible on a small board.
    return replace(settings, width=width, height=height, min_coordinate=least, start_inset=least)


def place_bots(state: Any, board: list[list[str]]) -> None:
    for bot in range(BOTS):
        found = [(x, y) for y, row in enumerate(board) for x, sign in enumerate(row) if sign == str(bot + 1)]
        if len(found) != 1:
            raise BadRecord(f"bot {bot + 1} is on the board {len(found)} times", hint="draw one 1 and one 2")
        state.bots[bot] = found[0]


def add_weapon(state: Any, settings: BattlebotsSettings, line: str) -> None:
    shot, mine = SHOT.fullmatch(line), LAID.fullmatch(line)
    if shot and shot[4] in DIRECTIONS:
        kind, x, y = SIGNS[shot[1]], *square(settings, shot[2], shot[3])
        at = int(state.shot_count[kind])
        if at == len(state.shots[kind]):
            raise BadRecord(
                f"no room for {line!r}", hint=f"a board of this size holds {at} bullets and as many missiles"
            )
        state.shots[kind, at, :3] = x, y, DIRECTIONS.index(shot[4])
        state.shot_count[kind] = at + 1
    elif mine:
        x, y = square(settings, mine[1], mine[2])
        if state.mine_at[y, x]:
            raise BadRecord(
                f"there is a mine already on the square of {line!r}", hint="a square must not hold two mines"
            )
        state.mines[int(state.mine_count)] = x, y
        state.mine_count += 1
        state.mine_at[y, x] = SPENT if mine[3] else LIVE
        state.spent_count += bool(mine[3])
    else:
        raise BadRecord(
            f"{line!r} is not a weapon", hint="write `B x=2 y=1 dir=E`, `M x=2 y=1 dir=E`, `L x=2 y=1` or `… spent`"
        )


def square(settings: BattlebotsSettings, x: str, y: str) -> tuple[int, int]:
    if int(x) >= settings.width or int(y) >= settings.height:
        raise BadRecord(f"square x={x} y={y} does not exist", hint=f"the board is {settings.width} × {settings.height}")
    return int(x), int(y)


def read_header(state: Any, header: re.Match[str] | None, start_hp: int) -> None:
    state.forfeited = -1
    state.hp[:] = start_hp
    if header is None:
        return
    state.rounds, state.hp[0], state.hp[1] = (int(header[at]) for at in range(1, 4))
    for word in header[4].split(", ")[1:]:
        name, _, number = word.partition(" ")
        if name == "paralysed" and number:
            state.paralysed = int(number)
        elif name == "forfeited" and number in ("0", "1"):
            state.forfeited = int(number)
        elif name in FLAGS and not number:
            state[name] = 1
        else:
            raise BadRecord(
                f"unknown word {word!r} in the header of a BattleBots drawing",
                hint=f"known: paralysed N, forfeited 0 or 1, {', '.join(FLAGS)}",
            )


def compare_board(drawn: list[list[str]], board: list[list[str]]) -> None:
    """Refuses a weapon on the board without a line: the board shows neither its direction nor its place in the list."""
    for y, row in enumerate(board):
        for x, sign in enumerate(row):
            if sign not in (".", drawn[y][x]):
                raise BadRecord(
                    f"{sign!r} at x={x} y={y} of a BattleBots drawing",
                    hint=f"by the lines below the board it must be {drawn[y][x]!r}",
                )


# For viewers


def draw_view(view: Any) -> str:
    """Draws where the bots are, and the text that a bot is given."""
    head = f"Y at x={view.x} y={view.y}, X at x={view.enemy_x} y={view.enemy_y}"
    return f"{head}\n{arena_text(view)}".rstrip("\n")
