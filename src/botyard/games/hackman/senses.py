"""What a learner of Hack-man senses: the maze around its player, and what is safe and near by the ways of the maze.

A view lists things by their cells; `note` lays them out on a board and works out, as the house bots do, where each bug
came from and which ways are safe.
"""

from __future__ import annotations

from typing import Any

from botyard.games.hackman.bots.sight import risky, survey, towards
from botyard.games.hackman.layout import PASS
from botyard.games.hackman.map.plan import NOWHERE as NO_CELL
from botyard.kernel.offsets import offset, rolled
from botyard.kernel.records import Record
from botyard.kernel.rule import rule
from botyard.kernel.senses import SensedNumber

GROUNDS = ("an open cell", "a snippet", "a weapon", "a cell of the server room or its gate")
CAME = ("from above", "from below", "from the left", "from the right", "from where nobody saw")

CODES = (
    "an open cell",
    "a snippet",
    "a weapon",
    "a cell of the server room or its gate, closed to players",
    "a wall, or beyond the edge",
    "the own player",
    "the rival",
    "both players",
    *(f"a bug that came {came}, on {ground}" for ground in GROUNDS for came in CAME),
)
OPEN, SNIPPET, WEAPON, CLOSED, WALL, OWN, RIVAL, BOTH, BUG = range(9)

FAR = 99  # steps to what is farther away, or cannot be reached safely
MANY, MOST = 16, 255
NOWHERE = -1

NUMBERS = (
    SensedNumber("snippets", 0, MOST, "snippets the own player has, at most 255"),
    SensedNumber("rival_snippets", 0, MOST, "snippets the rival has, at most 255"),
    SensedNumber("armed", 0, 1, "1 if the own player has a weapon"),
    SensedNumber("rival_armed", 0, 1, "1 if the rival has a weapon"),
    SensedNumber("paralysed", 0, 1, "1 if the own player will not move in this round"),
    SensedNumber("rival_paralysed", 0, 1, "1 if the rival will not move in this round"),
    SensedNumber("left", 0, MOST, "rounds left after this one, at most 255"),
    SensedNumber("bugs", 0, MANY, "bugs on the board, at most 16"),
    SensedNumber("row", 0, MOST, "the own player's row, from the top, at most 255"),
    SensedNumber("col", 0, MOST, "the own player's column, at most 255"),
    SensedNumber("risk_up", 0, 1, "1 if going up may meet a bug or an armed rival in this round"),
    SensedNumber("risk_down", 0, 1, "the same of going down"),
    SensedNumber("risk_left", 0, 1, "the same of going left"),
    SensedNumber("risk_right", 0, 1, "the same of going right"),
    SensedNumber("risk_pass", 0, 1, "the same of standing still"),
    SensedNumber("bug_away", 0, FAR, "steps that the nearest bug needs to the own player; 99: none comes"),
    SensedNumber("rival_away", 0, FAR, "steps to the rival; 99: there is no way"),
    SensedNumber("rival_south", 0, 16, "rows to the rival plus 8, at most 8 either way"),
    SensedNumber("rival_east", 0, 16, "columns to the rival plus 8, at most 8 either way"),
    SensedNumber("snippet_away", 0, FAR, "steps to the nearest snippet by a safe way; 99: there is none"),
    SensedNumber("snippet_way", 0, 4, "the first of these steps: up, down, left, right, none"),
    SensedNumber("snippet_race", 0, 2, "whether the rival is nearer to it (0), as near (1) or farther (2)"),
    SensedNumber("weapon_away", 0, FAR, "steps to the nearest weapon by a safe way; 99: there is none"),
    SensedNumber("weapon_way", 0, 4, "the first of these steps: up, down, left, right, none"),
    SensedNumber("weapon_race", 0, 2, "whether the rival is nearer to it (0), as near (1) or farther (2)"),
)

# What a position is worth, in twentieths of a snippet: the rival's snippets count less than the own ones, because at
# first they are noise; a weapon saves four snippets, but only if it is used.
POINT, RIVAL_POINT, ARMED, WIN = 20, 12, 20, 200


def sense_shape(arena: Any) -> tuple[int, int]:
    return int(arena.height) + 1, int(arena.width) + 1


@rule
def note(arena: Record, view: Record, memory: Record) -> None:
    survey(arena, view, memory, True)
    for cell in range(arena.cells):
        memory.board[cell] = ground_at(arena, cell)
    for at in range(view.snippet_count):
        memory.board[view.snippets[at]] = SNIPPET
    for at in range(view.weapon_count):
        memory.board[view.weapons[at]] = WEAPON
    for bug in range(view.bug_count):
        lay_bug(memory, view.bugs[bug], memory.came[bug])
    own, rival = view.cells[view.player], view.cells[1 - view.player]
    memory.board[rival] = RIVAL
    memory.board[own] = BOTH if own == rival else OWN
    memory.row, memory.col = own // arena.width, own % arena.width


@rule
def ground_at(arena: Record, cell: int) -> int:
    """Returns what a cell of the map is; only bugs walk where players may not, and a wall leads nowhere."""
    if (arena.rooms[cell >> 5] >> (cell & 31)) & 1:
        return OPEN
    for direction in range(4):
        if arena.ground.neighbours[4 * cell + direction] != NO_CELL:
            return CLOSED
    return WALL


@rule
def lay_bug(memory: Record, cell: int, came: int) -> None:
    """Lays a bug on what is there; of several on one cell the first is shown."""
    if memory.board[cell] < WALL:
        memory.board[cell] = BUG + len(CAME) * memory.board[cell] + came


@rule
def sense(arena: Record, view: Record, memory: Record, row: int, col: int) -> int:
    row = rolled(row, memory.row, arena.height)
    col = rolled(col, memory.col, arena.width)
    if row == arena.height or col == arena.width:
        return WALL
    return memory.board[row * arena.width + col]


@rule
def numbers(arena: Record, view: Record, memory: Record, out: Record) -> None:
    own, rival = view.cells[view.player], view.cells[1 - view.player]
    for player in range(2):
        seat = view.player if player == 0 else 1 - view.player
        out[player] = min(max(view.scores[seat], 0), MOST)
        out[2 + player] = view.armed[seat]
        out[4 + player] = view.paralysed[seat]
    out[6] = min(max(arena.max_rounds - view.round_number, 0), MOST)
    out[7] = min(view.bug_count, MANY)
    out[8], out[9] = min(memory.row, MOST), min(memory.col, MOST)
    for order in range(PASS + 1):
        target = own if order == PASS else arena.walk[4 * own + order]
        out[10 + order] = risky(arena, view, memory, target)
    out[15], out[16] = steps_of(memory.peril[own]), steps_of(memory.foe[own])
    out[17], out[18] = offset(rival // arena.width - memory.row), offset(rival % arena.width - memory.col)
    tell_goal(arena, view, memory, nearest(view.snippets, view.snippet_count, memory), out, 19)
    tell_goal(arena, view, memory, nearest(view.weapons, view.weapon_count, memory), out, 22)


@rule
def steps_of(mark: int) -> int:
    """Returns how many steps a mark of a search means, which is one more; 0 stands for cells it did not reach."""
    return FAR if mark == 0 else min(mark - 1, FAR)


@rule
def nearest(cells: Record, count: int, memory: Record) -> int:
    """Returns the cell of a list that is nearest by a safe way, NOWHERE if there is none."""
    found, least = NOWHERE, 1 << 30
    for at in range(count):
        if 1 < memory.own[cells[at]] < least:
            found = cells[at] + 0
            least = memory.own[cells[at]] + 0
    return found


@rule
def tell_goal(arena: Record, view: Record, memory: Record, goal: int, out: Record, at: int) -> None:
    out[at], out[at + 1], out[at + 2] = FAR, PASS, 1
    if goal != NOWHERE:
        own, foe = steps_of(memory.own[goal]), steps_of(memory.foe[goal])
        out[at] = own
        out[at + 1] = towards(arena, view, memory, goal)
        out[at + 2] = 1 + (foe > own) - (foe < own)


@rule
def worth(arena: Record, state: Record, seat: int) -> int:
    total = POINT * state.scores[seat] - RIVAL_POINT * state.scores[1 - seat]
    if state.over:
        return total + WIN * (state.winner == seat) - WIN * (state.winner == 1 - seat)
    return total + ARMED * (state.armed[seat] - state.armed[1 - seat])
