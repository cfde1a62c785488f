"""The rules of New game. Every function is a `@rule`: plain Python over records, with integers and loops.

The same source runs interpreted (in a debugger), compiled, over batches on all cores and on a GPU. So there are no
lists, dictionaries, exceptions or strings in it, and all that is random comes from `draw`.
"""

from __future__ import annotations

from botyard.kernel.chance import COUNTER, draw, start_chance
from botyard.kernel.records import Record
from botyard.kernel.rule import rule
from botyard_newgame.layout import BOTH, COIN, EMPTY, PLAYERS, UNSEEN, WALKER

UP, RIGHT, DOWN, LEFT, STAY = range(5)  # as in the facts
ORDERS = 5


@rule
def set_up(arena: Record, state: Record, seed: int) -> None:
    """Sets up the start of a game in a state that is all zero."""
    start_chance(state.chance, COUNTER, seed)
    rows, cols = state.cells.shape
    state.forfeited = -1
    state.walkers[1, 0] = rows - 1
    state.walkers[1, 1] = cols - 1
    for _ in range(arena.coins):
        drop_coin(arena, state)


@rule
def step(arena: Record, state: Record, orders: Record) -> None:
    """Plays one tick, and reads like the rule book: both walk, then both gather, then the end is judged."""
    if state.over:
        return
    for player in range(PLAYERS):
        walk(state, player, orders[player])
    gather(arena, state)
    state.tick += 1
    if state.tick >= arena.ticks:
        state.over = 1


@rule
def walk(state: Record, player: int, order: int) -> None:
    """Moves a walker by one step. Any integer may come as an order; one that does not exist means to stay."""
    if can_walk(state, player, order):
        state.walkers[player, 0] += row_step(order)
        state.walkers[player, 1] += col_step(order)


@rule
def can_walk(state: Record, player: int, order: int) -> bool:
    if order < UP or order > LEFT:
        return False
    rows, cols = state.cells.shape
    row = state.walkers[player, 0] + row_step(order)
    col = state.walkers[player, 1] + col_step(order)
    return 0 <= row < rows and 0 <= col < cols


@rule
def row_step(order: int) -> int:
    return -1 if order == UP else 1 if order == DOWN else 0


@rule
def col_step(order: int) -> int:
    return -1 if order == LEFT else 1 if order == RIGHT else 0


@rule
def gather(arena: Record, state: Record) -> None:
    """Gives each walker the coin it stands on, and drops another one; a coin that both reach at once is lost."""
    together = meet(state)
    for player in range(PLAYERS):
        row = state.walkers[player, 0]
        col = state.walkers[player, 1]
        if state.cells[row, col] == COIN:
            state.cells[row, col] = EMPTY
            if not together:
                state.scores[player] += 1
            drop_coin(arena, state)


@rule
def meet(state: Record) -> bool:
    return state.walkers[0, 0] == state.walkers[1, 0] and state.walkers[0, 1] == state.walkers[1, 1]


@rule
def drop_coin(arena: Record, state: Record) -> None:
    """Drops a coin on one of the free cells, each with the same chance, by one draw."""
    rows, cols = state.cells.shape
    free = 0
    for row in range(rows):
        for col in range(cols):
            free += is_free(state, row, col)
    chosen = draw(arena, state, free)
    for row in range(rows):
        for col in range(cols):
            if is_free(state, row, col):
                if chosen == 0:
                    state.cells[row, col] = COIN
                    return
                chosen -= 1


@rule
def is_free(state: Record, row: int, col: int) -> bool:
    for player in range(PLAYERS):
        if state.walkers[player, 0] == row and state.walkers[player, 1] == col:
            return False
    return state.cells[row, col] == EMPTY


# Who is asked, and what is seen


@rule
def asked(arena: Record, state: Record) -> int:
    """Returns the seats that are asked for an order now, one bit each."""
    return 0 if state.over else (1 << PLAYERS) - 1


@rule
def look(arena: Record, state: Record, seat: int, view: Record) -> None:
    """Fills a view with the numbers that a seat may know now. Nothing else ever reaches a bot."""
    view.tick = state.tick
    view.player = seat
    view.row = state.walkers[seat, 0]
    view.col = state.walkers[seat, 1]
    for player in range(PLAYERS):
        view.scores[player] = state.scores[player]


@rule
def board_shape(arena: Record, view: Record) -> tuple[int, int]:
    return view.cells.shape


@rule
def paint(arena: Record, state: Record, seat: int, view: Record, row: int, col: int) -> None:
    """Fills one cell of a view's board. On a GPU each cell has a thread of its own, so it reads no other cell."""
    if abs(row - view.row) + abs(col - view.col) > arena.sight:
        view.cells[row, col] = UNSEEN
        return
    shown = state.cells[row, col]
    for player in range(PLAYERS):
        if state.walkers[player, 0] == row and state.walkers[player, 1] == col:
            shown = BOTH if shown >= WALKER else WALKER + player
    view.cells[row, col] = shown


@rule
def allowed(arena: Record, state: Record, seat: int, mask: Record) -> None:
    """Marks the orders that can do something: no steps off the board."""
    for order in range(ORDERS):
        mask[order] = order == STAY or can_walk(state, seat, order)


@rule
def stray(arena: Record, state: Record, seat: int, dice: int) -> int:
    """Returns an order for random play, which benchmarks need."""
    return dice % ORDERS


# The end


@rule
def score(arena: Record, state: Record, out: Record) -> None:
    for player in range(PLAYERS):
        out[player] = state.scores[player]


@rule
def place(arena: Record, state: Record, out: Record) -> None:
    """Writes the place of each seat, 0 for the best; equal places are a draw. A player who gave up is last."""
    for player in range(PLAYERS):
        rival = 1 - player
        behind = state.scores[player] < state.scores[rival]
        out[player] = state.forfeited == player or (behind and state.forfeited != rival)


@rule
def entrant(arena: Record, state: Record, seat: int) -> int:
    """Returns which of the bots, in the order they came, has this seat; a game may deal the seats at random."""
    return seat


@rule
def forfeit(arena: Record, state: Record, seat: int) -> None:
    """Lets a seat give up, also if its bot never came."""
    if not state.over:
        state.over = 1
        state.forfeited = seat
