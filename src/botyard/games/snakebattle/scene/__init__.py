"""Snake Battle as people see it: a field as text that parses back, and a scene for viewers.

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

from botyard.games.snakebattle.facts import DIRECTIONS
from botyard.games.snakebattle.layout import body_cells, point_of
from botyard.games.snakebattle.map.alphabet import (
    ENEMY,
    ENEMY_PARTS,
    GROUND,
    HEAD_DEAD,
    HEAD_EVIL,
    HEAD_FLY,
    HEAD_SLEEP,
    HORIZONTAL,
    MY_PARTS,
    NONE,
    TAIL,
    VERTICAL,
)
from botyard.games.snakebattle.rules.picture import OWNER
from botyard.games.snakebattle.scene.parsing import parse
from botyard.games.snakebattle.scene.wording import logged
from botyard.games.snakebattle.wire import board_line
from botyard.kernel.scene import Mark, Scene

__all__ = ["SIGN_STYLES", "draw", "draw_view", "parse", "scene"]

LETTERS = "abcdefghijklmnopqrstuvwxyz"
COUNTERS = {"stones": "stones", "flying": "flying", "fury": "furious", "cut": "cut"}
SNAKE_FLAGS = ("suicide", "died", "leaving", "forfeited")
STATE_FLAGS = ("filled", "over", "fault")
WIDE = 40  # fields up to this side are shown with two columns per cell


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
    board = []
    for row in state.picture[1 : side + 1, 1 : side + 1].tolist():
        board.append([letter_of(cell // OWNER, cell % OWNER) for cell in row])
    return board


def letter_of(owner: int, code: int) -> str:
    if owner == 0:
        return "." if code == NONE else GROUND[code]
    letter = LETTERS[owner - 1]
    return letter.upper() if code <= ENEMY + HEAD_SLEEP else letter


def hidden_ground(arena: Any, state: Any) -> list[tuple[int, int, int]]:
    """Lists what lies under snakes, starting at the top left."""
    side = int(arena.side)
    found = []
    for row, cells in enumerate(state.picture[1 : side + 1, 1 : side + 1].tolist()):
        for x, cell in enumerate(cells):
            code = int(state.ground[(row + 1) * state.picture.shape[1] + x + 1])
            if cell >= OWNER and code != NONE:
                found.append((x, side - 1 - row, code))
    return found


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


# For viewers

SIGNS = {"☼": ("#", "wall"), "#": ("_", "home0"), "○": ("o", "food"), "●": ("@", "danger")}
SIGNS |= {"©": ("f", "item"), "®": ("!", "item"), "$": ("$", "item"), ".": (".", "empty")}
SEATS = "0123456789abcde"
HEAD_SIGNS = {HEAD_DEAD: "x", HEAD_EVIL: "E", HEAD_FLY: "W", HEAD_SLEEP: "z"}
LEGEND = (
    ("<>^v", "seat0", "heads, with their seats"), ("x", "seat0", "dead"), ("z", "seat0", "asleep"),
    ("E", "seat0", "furious"), ("W", "seat0", "flying"), ("o", "food", "apple"), ("@", "danger", "stone"),
    ("$", "item", "gold"), ("f", "item", "flying pill"), ("!", "item", "fury pill"), ("#", "wall", "wall"),
    ("_", "home0", "start"),
)  # fmt: skip


SIGN_STYLES = {
    **dict.fromkeys(MY_PARTS, "mine"), **dict.fromkeys(ENEMY_PARTS, "foe"), **dict.fromkeys("○●©®$", "food"),
    **dict.fromkeys("☼#", "wall"),
}  # fmt: skip
"""How a page shows the signs of `draw_view`."""


def scene(arena: Any, state: Any) -> Scene:
    side = int(arena.side)
    width = 2 if side <= WIDE else 1
    rows = state.picture[1 : side + 1, 1 : side + 1].tolist()
    return Scene(
        headline=clock_words(arena, state),
        rows=tuple(tuple(mark(cell // OWNER, cell % OWNER, width) for cell in row) for row in rows),
        seats=tuple(", ".join(seat_words(state.snakes[seat])) for seat in range(int(arena.rounds_players_per_room))),
        legend=tuple((Mark(sign, style), meaning) for sign, style, meaning in LEGEND),
    )


def mark(owner: int, code: int, width: int) -> Mark:
    """Draws one cell. Where there is room, a head shows its seat, for people who see no colours."""
    if owner == 0:
        sign, style = SIGNS["." if code == NONE else GROUND[code]]
    else:
        sign, style = part_sign(code - ENEMY), f"seat{owner - 1}"
        sign += SEATS[owner - 1] if is_head(code - ENEMY) else ""
    return Mark(sign[:width].ljust(width), style)


def is_head(part: int) -> bool:
    return part < len(DIRECTIONS) or part in HEAD_SIGNS


def part_sign(part: int) -> str:
    if part < len(DIRECTIONS):
        return "<>^v"[part]
    if part in HEAD_SIGNS:
        return HEAD_SIGNS[part]
    if part >= TAIL:
        return "~"
    return {HORIZONTAL: "-", VERTICAL: "|"}.get(part, "+")


def clock_words(arena: Any, state: Any) -> str:
    if not arena.rounds_enabled:
        return f"tick {state.tick}"
    if state.countdown >= 0:
        return f"tick {state.tick}, round {state.round_number + (state.countdown > 0)} begins in {state.countdown}"
    return f"tick {state.tick}, round {state.round_number}, {state.round_left} ticks left"


def seat_words(snake: Any) -> Iterator[str]:
    yield f"{snake['score']} point{'' if snake['score'] == 1 else 's'}"
    if not snake["here"]:
        yield "gone"
    elif not snake["alive"]:
        yield "dead" if snake["length"] else "no free start cell"
    elif not snake["awake"]:
        yield "asleep"
    else:
        yield f"length {snake['length']}"
        yield from (f"{word} {snake[name]}" for name, word in COUNTERS.items() if snake[name])
