"""The rules of tic-tac-toe."""

from __future__ import annotations

from botyard.kernel.chance import COUNTER, start_chance
from botyard.kernel.records import Record
from botyard.kernel.rule import rule
from botyard_tictactoe.layout import EMPTY, MARK, SIDE

CELLS = SIDE * SIDE


@rule
def set_up(arena: Record, state: Record, seed: int) -> None:
    start_chance(state.chance, COUNTER, seed)
    state.winner = -1


@rule
def step(arena: Record, state: Record, orders: Record) -> None:
    """One mark. An order that cannot be carried out loses the game."""
    if state.over:
        return
    player = state.turn & 1
    order = orders[player]
    if not is_free(state, order):
        forfeit(arena, state, player)
        return
    state.cells[order // SIDE, order % SIDE] = MARK + player
    state.turn += 1
    if has_line(state.cells, MARK + player):
        state.over = 1
        state.winner = player ^ arena.misere
    elif state.turn == CELLS:
        state.over = 1


@rule
def is_free(state: Record, order: int) -> bool:
    return 0 <= order < CELLS and state.cells[order // SIDE, order % SIDE] == EMPTY


@rule
def has_line(cells: Record, mark: int) -> bool:
    falling = 0
    rising = 0
    for at in range(SIDE):
        row = 0
        col = 0
        for other in range(SIDE):
            row += cells[at, other] == mark
            col += cells[other, at] == mark
        if row == SIDE or col == SIDE:
            return True
        falling += cells[at, at] == mark
        rising += cells[at, SIDE - 1 - at] == mark
    return falling == SIDE or rising == SIDE


@rule
def asked(arena: Record, state: Record) -> int:
    return 0 if state.over else 1 << (state.turn & 1)


@rule
def look(arena: Record, state: Record, seat: int, view: Record) -> None:
    view.player = seat


@rule
def board_shape(arena: Record, view: Record) -> tuple[int, int]:
    return view.cells.shape


@rule
def paint(arena: Record, state: Record, seat: int, view: Record, row: int, col: int) -> None:
    view.cells[row, col] = state.cells[row, col]


@rule
def allowed(arena: Record, state: Record, seat: int, mask: Record) -> None:
    for order in range(CELLS):
        mask[order] = is_free(state, order)


@rule
def stray(arena: Record, state: Record, seat: int, dice: int) -> int:
    """The first free cell from a random one on."""
    order = dice % CELLS
    for _ in range(CELLS):
        if is_free(state, order):
            break
        order = (order + 1) % CELLS
    return order


@rule
def score(arena: Record, state: Record, out: Record) -> None:
    for seat in range(2):
        out[seat] = state.winner == seat


@rule
def place(arena: Record, state: Record, out: Record) -> None:
    for seat in range(2):
        out[seat] = state.winner == 1 - seat


@rule
def entrant(arena: Record, state: Record, seat: int) -> int:
    return seat


@rule
def forfeit(arena: Record, state: Record, seat: int) -> None:
    if not state.over:
        state.over = 1
        state.winner = 1 - seat
