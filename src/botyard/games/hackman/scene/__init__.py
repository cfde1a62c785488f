"""Hack-man as people see it: a board as text that parses back, and pictures of it.

    round 29, collected 11
    player 0: 5 snippets, weapon
    player 1: 6 snippets
    bugs: 1 0
    . C . 0 .
    x x . x 1<
    s g . > .

`0` and `1` are the players, `C` a snippet, `W` a weapon, `x` a wall. A bug is an arrow that shows its last step.
`s` is a cell where bugs appear and `g` an open cell beside one; both are closed to players. Things on one cell are
written together. The line `bugs` gives the ids of the bugs in the order in which they are drawn.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from botyard.games.hackman.layout import layouts, make_arena, validate
from botyard.games.hackman.map.plan import OPEN, PLAYERS, SNIPPET, WALL, WEAPON
from botyard.games.hackman.scene.picture import KEYS, palette, picture, picture_size, seat_picture, words
from botyard.games.hackman.settings import HackmanSettings
from botyard.kernel.errors import BadRecord, SettingsError
from botyard.kernel.records import record_of

__all__ = ["KEYS", "draw", "draw_view", "palette", "parse", "picture", "picture_size", "seat_picture", "words"]

SPAWN, GATE = "s", "g"
ARROWS = "^v<>"  # by direction
CELL = re.compile(rf"(?P<floor>[{WALL}{SPAWN}{GATE}.]?)(?P<item>[CW]?)(?P<players>0?1?)(?P<bugs>[\^v<>]*)")

ROUND_LINE = re.compile(
    r"round (?P<rounds>\d+), collected (?P<collected>\d+)(?:, next bug (?P<next_bug>\d+))?(?P<flags>.*)"
)
PLAYER_LINE = re.compile(r"player (?P<player>[01]): (?P<score>-?\d+) snippets?(?P<flags>.*)")
BUGS_LINE = re.compile(r"bugs: (?P<ids>\d+(?: \d+)*)")
FLAG = re.compile(r"over|fault|winner [01]")
PLAYER_FLAG = re.compile(r"weapon|paralysed \d+|out|absent")


# Drawing


def draw(arena: Any, state: Any) -> str:
    """Draws the whole state as text, except for its chance (the random generator)."""
    rows = glyphs(arena, state)
    width = 1 + max(max(map(len, row)) for row in rows)
    board = ["".join([cell.ljust(width) for cell in row]).rstrip() for row in rows]
    return "\n".join([*headlines(arena, state), *board])


def headlines(arena: Any, state: Any) -> list[str]:
    words = [f"round {state.rounds}, collected {state.collected}"]
    ids = [int(state.bug_ids[bug]) for bug in drawn_order(state)]
    if state.next_bug != 1 + max(ids, default=-1):
        words.append(f"next bug {state.next_bug}")
    words += [flag for flag in ("over", "fault") if state[flag]]
    words += [f"winner {state.winner}"] if state.winner >= 0 else []
    lines = [", ".join(words), *(player_line(state, player) for player in range(PLAYERS))]
    if ids:
        lines.append("bugs: " + " ".join(map(str, ids)))
    return lines


def player_line(state: Any, player: int) -> str:
    score = int(state.scores[player])
    words = [f"{score} snippet{'' if score == 1 else 's'}"]
    words += ["weapon"] if state.armed[player] else []
    words += [f"paralysed {state.paralysis[player]}"] if state.paralysis[player] else []
    words += [flag for flag in ("out", "absent") if state[flag][player]]
    return f"player {player}: {', '.join(words)}"


def drawn_order(state: Any) -> list[int]:
    """Lists the bugs row by row; those on one cell by their ids."""
    return sorted(range(state.bug_count), key=lambda bug: int(state.bugs[bug]))


def glyphs(arena: Any, state: Any) -> list[list[str]]:
    """Returns the board cell by cell, with everything that is on each."""
    width, height = int(arena.width), int(arena.height)
    cells = floors(arena)
    for sign, items, count in (
        (SNIPPET, state.snippets, state.snippet_count),
        (WEAPON, state.weapons, state.weapon_count),
    ):
        for cell in items[:count].tolist():
            cells[cell] = cells[cell].removeprefix(OPEN) + sign
    for player, cell in enumerate(state.cells.tolist()):
        cells[cell] = cells[cell].removeprefix(OPEN) + str(player)
    for bug in drawn_order(state):
        cell = int(state.bugs[bug])
        cells[cell] = cells[cell].removeprefix(OPEN) + ARROWS[state.headings[bug]]
    return [cells[row * width : (row + 1) * width] for row in range(height)]


def floors(arena: Any) -> list[str]:
    """Returns what each cell is when nobody and nothing is there."""
    count, rooms = int(arena.width) * int(arena.height), arena.rooms.tolist()
    gates = (arena.ground.neighbours[: 4 * count].reshape(count, 4) != 0xFFFF).any(axis=1).tolist()
    found = [GATE if gate else WALL for gate in gates]
    found = [OPEN if rooms[cell // 32] >> cell % 32 & 1 else sign for cell, sign in enumerate(found)]
    for cell in arena.spawns[: arena.spawn_count].tolist():
        found[cell] = SPAWN
    return found


# Parsing


def parse(text: str, settings: HackmanSettings | None = None) -> tuple[HackmanSettings, NDArray[Any]]:
    """Reads settings and a state (an array of one record) from a drawing; the lines above the board may be missing.

    The map comes from the drawing; if it is not the map of the settings, the players start where they stand. Every
    other setting comes from `settings`.
    """
    lines = [line.strip() for line in text.strip().splitlines()]
    head = [line for line in lines if line.startswith(("round ", "player ", "bugs: "))]
    board = [[taken_apart(cell) for cell in line.split()] for line in lines[len(head) :]]
    if not board or not board[0] or len({len(row) for row in board}) != 1:
        raise BadRecord(
            "not a drawing of a Hack-man board",
            hint="write rows with the same number of cells, separated by spaces: `. C 0<`",
        )
    fitting = fitted(settings or HackmanSettings(), board)
    states = np.zeros(1, layouts(fitting).state)
    arena, state = record_of(make_arena(fitting)), record_of(states)
    fill(state, [cell for row in board for cell in row])
    read_head(state, head)
    validate(arena, state)
    return fitting, states


def taken_apart(cell: str) -> dict[str, str]:
    found = CELL.fullmatch(cell)
    if found is None:
        hint = "a cell is a floor (x . s g), then an item (C W), then players (0 1), then bugs (^ v < >)"
        raise BadRecord(f"unknown cell {cell!r} in a Hack-man drawing", hint=hint)
    return found.groupdict()


def fitted(settings: HackmanSettings, board: list[list[dict[str, str]]]) -> HackmanSettings:
    width, cells = len(board[0]), [cell for row in board for cell in row]
    floors = [cell["floor"] or OPEN for cell in cells]
    spawns = [at for at, sign in enumerate(floors) if sign == SPAWN]
    walls = [WALL if sign == WALL else OPEN for sign in floors]
    plan = settings.plan
    known = (plan.width, [WALL if sign == WALL else OPEN for sign in plan.content], sorted(plan.spawns))
    if (width, walls, spawns) == known:
        return settings
    starts = [at for player in "01" for at, cell in enumerate(cells) if player in cell["players"]]
    try:
        return replace(
            settings,
            field_width=width,
            field_height=len(board),
            field_layout=",".join(walls),
            start_points=points(starts, width),
            bug_spawn_points=points(spawns, width),
        )
    except SettingsError as error:
        raise BadRecord("the drawing is not a map that can be played", hint=str(error)) from None


def points(cells: list[int], width: int) -> str:
    return " ".join(f"{cell % width},{cell // width}" for cell in cells)


def fill(state: Any, cells: list[dict[str, str]]) -> None:
    seen = [0] * PLAYERS
    for at, cell in enumerate(cells):
        for sign, items, count in ((SNIPPET, "snippets", "snippet_count"), (WEAPON, "weapons", "weapon_count")):
            if cell["item"] == sign:
                state[items][state[count]] = at
                state[count] += 1
        for player in map(int, cell["players"]):
            state.cells[player] = at
            seen[player] += 1
        for arrow in cell["bugs"]:
            if state.bug_count == len(state.bugs):
                raise BadRecord("the drawing has too many bugs", hint=f"these settings allow {len(state.bugs)}")
            state.bugs[state.bug_count] = at
            state.headings[state.bug_count] = ARROWS.index(arrow)
            state.bug_ids[state.bug_count] = state.bug_count
            state.bug_count += 1
    if seen != [1] * PLAYERS:
        raise BadRecord(
            "a drawing must show each player once",
            hint=f"player 0 is drawn {seen[0]} times, player 1 is drawn {seen[1]} times",
        )


def read_head(state: Any, head: list[str]) -> None:
    state.winner, state.next_bug = -1, state.bug_count
    for line in head:
        if found := ROUND_LINE.fullmatch(line):
            read_round(state, found)
        elif found := PLAYER_LINE.fullmatch(line):
            read_player(state, found)
        elif (found := BUGS_LINE.fullmatch(line)) and len(found["ids"].split()) == state.bug_count:
            name_bugs(state, [int(number) for number in found["ids"].split()])
        else:
            hint = "write: round 3, collected 5 / player 0: 2 snippets, weapon / bugs: 0 1 (an id for each arrow)"
            raise BadRecord(f"a Hack-man drawing has the line {line!r}", hint=hint)
    if not any(line.startswith("round ") and "next bug" in line for line in head):
        state.next_bug = 1 + max(state.bug_ids[: state.bug_count].tolist(), default=-1)


def read_round(state: Any, found: re.Match[str]) -> None:
    state.rounds, state.collected = int(found["rounds"]), int(found["collected"])
    state.next_bug = int(found["next_bug"] or 0)
    for flag in flags_of(found["flags"], FLAG):
        name, _, number = flag.partition(" ")
        state[name] = int(number or 1)


def read_player(state: Any, found: re.Match[str]) -> None:
    player = int(found["player"])
    state.scores[player] = int(found["score"])
    for flag in flags_of(found["flags"], PLAYER_FLAG):
        name, _, number = flag.partition(" ")
        state[{"weapon": "armed", "paralysed": "paralysis"}.get(name, name)][player] = int(number or 1)


def flags_of(text: str, known: re.Pattern[str]) -> list[str]:
    flags = text.split(", ")[1:]
    for flag in flags:
        if known.fullmatch(flag) is None:
            raise BadRecord(f"unknown word {flag!r} in a Hack-man drawing", hint=f"known: {known.pattern}")
    return flags


def name_bugs(state: Any, ids: list[int]) -> None:
    """Sorts the bugs by their ids."""
    order = sorted(range(len(ids)), key=ids.__getitem__)
    for slots in (state.bugs, state.headings):
        slots[: len(ids)] = slots[order]
    state.bug_ids[: len(ids)] = sorted(ids)


# For viewers


def draw_view(view: Any) -> str:
    """Draws what a bot is told, without the walls, which it knows."""
    width = int(view.width)

    def places(cells: Any, count: int) -> str:
        return " ".join(f"({cell % width},{cell // width})" for cell in cells[:count].tolist()) or "none"

    lines = [f"round {view.round_number}, player {view.player}"]
    for player in range(PLAYERS):
        flags = [word for word, flag in (("weapon", view.armed), ("paralysed", view.paralysed)) if flag[player]]
        where = places(view.cells[player : player + 1], 1)
        lines.append(", ".join([f"player {player} at {where}", f"{view.scores[player]} snippets", *flags]))
    lines.append(f"snippets {places(view.snippets, view.snippet_count)}")
    lines.append(f"weapons {places(view.weapons, view.weapon_count)}")
    lines.append(f"bugs {places(view.bugs, view.bug_count)}")
    return "\n".join(lines)
