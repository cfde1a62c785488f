"""The rules of Hive Arena. Section numbers are those of the specification."""

from __future__ import annotations

from botyard.games.hive.layout import (
    ACTIONS,
    BEE,
    BUILD,
    CARRIER,
    EMPTY,
    FLOWER,
    FORAGE,
    HIVE,
    MOVE,
    ORDERS,
    OUTSIDE,
    PLAYERS,
    WALL,
)
from botyard.kernel.chance import draw, start_chance
from botyard.kernel.duel import leader, place_winner
from botyard.kernel.records import Record
from botyard.kernel.rule import rule


@rule
def set_up(arena: Record, state: Record, seed: int) -> None:
    """Sets up the start of a game (2). The caller passes a zeroed state."""
    start_chance(state.chance, arena.chance_kind, seed)
    state.last_point_turn = -1
    state.winner = -1
    state.forfeited = -1
    lay_board(arena, state)
    place_hives(arena, state)
    place_bees(arena, state)
    grow_flowers(arena, state)
    draw_seats(arena, state)


@rule
def step(arena: Record, state: Record, orders: Record) -> None:
    """Plays one turn (3): one bee of one player acts."""
    if state.over:
        return
    player = to_act(state)
    order = orders[player]
    if order < 0 or order >= ORDERS:
        forfeit(arena, state, player)
        return
    act(arena, state, player, order)
    judge(arena, state)
    pass_turn(arena, state)


# Set-up (2)


@rule
def lay_board(arena: Record, state: Record) -> None:
    height, width = state.cells.shape
    for row in range(height):
        for col in range(width):
            state.cells[row, col] = OUTSIDE
    for row in range(arena.rows):
        for col in range(arena.cols):
            state.cells[row + arena.margin, col + arena.margin] = EMPTY


@rule
def place_hives(arena: Record, state: Record) -> None:
    for player in range(PLAYERS):
        row = arena.rows // 2 + arena.margin
        state.cells[row, mirrored(arena, player, arena.hive_inset)] = HIVE + player


@rule
def place_bees(arena: Record, state: Record) -> None:
    """Places the bees on the middle rows; bee 0 is the northernmost on both sides."""
    for player in range(PLAYERS):
        col = mirrored(arena, player, arena.bee_inset)
        for bee in range(arena.bees):
            row = arena.rows // 2 - arena.bees // 2 + bee + arena.margin
            state.cells[row, col] = BEE + player
            state.bees[player, bee, 0] = row
            state.bees[player, bee, 1] = col


@rule
def mirrored(arena: Record, player: int, inset: int) -> int:
    """Returns the column, in the frame, that lies `inset` cells inside the player's own edge."""
    if player == 0:
        return arena.margin + inset
    return arena.margin + arena.cols - 1 - inset


@rule
def grow_flowers(arena: Record, state: Record) -> None:
    """Draws a number of flowers, then cells until that many flowers lie; a taken cell uses up two draws as well."""
    count = arena.flowers_min + draw(arena, state, arena.flowers_max - arena.flowers_min + 1)
    while state.flowers < count:
        row = draw(arena, state, arena.rows) + arena.margin
        col = draw(arena, state, arena.cols) + arena.margin
        if state.cells[row, col] == EMPTY:
            state.cells[row, col] = FLOWER
            state.flowers += 1
        elif state.chance.fault:
            return  # a tape that has run out would never find an empty cell


@rule
def draw_seats(arena: Record, state: Record) -> None:
    """Draws who is player 0. The draw is always made; with random_seats off its value is ignored (10.1)."""
    kept = draw(arena, state, 2)
    if arena.random_seats and kept == 0:
        state.swapped = 1


# Who acts and what is seen (3, steps 1 and 2)


@rule
def to_act(state: Record) -> int:
    return state.turn & 1


@rule
def pass_turn(arena: Record, state: Record) -> None:
    """Passes the turn: players 0 and 1 act one after the other with the same bee, then comes the next bee."""
    if to_act(state) == PLAYERS - 1:
        state.bee = state.bee + 1 if state.bee + 1 < arena.bees else 0
    state.turn += 1


@rule
def asked(arena: Record, state: Record) -> int:
    """Returns the seats that are asked now, one bit each."""
    if state.over:
        return 0
    return 1 << to_act(state)


@rule
def look(arena: Record, state: Record, seat: int, view: Record) -> None:
    """Fills in what the seat is told now, except for the window around its bee."""
    view.turn = state.turn
    view.player = seat
    view.bee = state.bee
    view.row = state.bees[seat, state.bee, 0] - arena.margin
    view.col = state.bees[seat, state.bee, 1] - arena.margin


@rule
def board_shape(arena: Record, view: Record) -> tuple[int, int]:
    return view.window.shape


@rule
def paint(arena: Record, state: Record, seat: int, view: Record, row: int, col: int) -> None:
    """Paints one cell. The frame is as wide as the view is far, so the window begins at the bee's row and column."""
    view.window[row, col] = state.cells[view.row + row, view.col + col]


# The effect of an order (3, step 4)


@rule
def act(arena: Record, state: Record, player: int, order: int) -> None:
    bee = state.bee
    action = order >> 3
    direction = order & 7
    row = state.bees[player, bee, 0]
    col = state.bees[player, bee, 1]
    to_row = row + arena.row_step[direction]
    to_col = col + arena.col_step[direction]
    if action == MOVE:
        changed = move(arena, state, player, bee, to_row, to_col)
    elif action == FORAGE:
        changed = forage(state, player, row, col, to_row, to_col)
    elif action == BUILD:
        changed = build(state, to_row, to_col)
    else:
        changed = guard(arena, state, to_row, to_col)
    state.changed = changed


@rule
def move(arena: Record, state: Record, player: int, bee: int, to_row: int, to_col: int) -> bool:
    """Moves a bee. A carrying bee stays put with chance 1 / carry_fail_sides; for an occupied cell no draw is made."""
    if state.cells[to_row, to_col] != EMPTY:
        return False
    row = state.bees[player, bee, 0]
    col = state.bees[player, bee, 1]
    piece = state.cells[row, col]
    if piece == CARRIER + player and arena.carry_fail_sides > 0 and draw(arena, state, arena.carry_fail_sides) == 0:
        return False
    state.cells[row, col] = EMPTY
    state.cells[to_row, to_col] = piece
    state.bees[player, bee, 0] = to_row
    state.bees[player, bee, 1] = to_col
    return True


@rule
def forage(state: Record, player: int, row: int, col: int, to_row: int, to_col: int) -> bool:
    """Takes a flower, drops it on an empty cell, or brings it to a hive: a point for the owner of that hive."""
    carrying = state.cells[row, col] == CARRIER + player
    target = state.cells[to_row, to_col]
    if not carrying and target == FLOWER:
        state.cells[to_row, to_col] = EMPTY
        state.cells[row, col] = CARRIER + player
        return True
    if carrying and target == EMPTY:
        state.cells[to_row, to_col] = FLOWER
        state.cells[row, col] = BEE + player
        return True
    if carrying and (target == HIVE or target == HIVE + 1):
        state.scores[target - HIVE] += 1
        state.last_point_turn = state.turn
        state.flowers -= 1
        state.cells[row, col] = BEE + player
        return True
    return False


@rule
def build(state: Record, to_row: int, to_col: int) -> bool:
    if state.cells[to_row, to_col] != EMPTY:
        return False
    state.cells[to_row, to_col] = WALL
    return True


@rule
def guard(arena: Record, state: Record, to_row: int, to_col: int) -> bool:
    """Clears a wall or a flower away, or knocks the flower out of a carrying bee of either team."""
    target = state.cells[to_row, to_col]
    if target == WALL or target == FLOWER:
        if draw(arena, state, arena.guard_sides) != 0:
            return False
        state.cells[to_row, to_col] = EMPTY
        if target == FLOWER:
            state.flowers -= 1
        return True
    if target == CARRIER or target == CARRIER + 1:
        return knock_out(arena, state, to_row, to_col)
    return False


@rule
def knock_out(arena: Record, state: Record, row: int, col: int) -> bool:
    """Drops the flower of the carrier at (row, col) on an empty cell beside it; if there is none, nothing is drawn."""
    room = 0
    for direction in range(8):
        if state.cells[row + arena.row_step[direction], col + arena.col_step[direction]] == EMPTY:
            room += 1
    if room == 0 or draw(arena, state, arena.guard_sides) != 0:
        return False
    landing = draw(arena, state, room)
    for direction in range(8):
        to_row = row + arena.row_step[direction]
        to_col = col + arena.col_step[direction]
        if state.cells[to_row, to_col] == EMPTY:
            if landing == 0:
                state.cells[to_row, to_col] = FLOWER
            landing -= 1
    state.cells[row, col] -= CARRIER - BEE
    return True


# The end (3, step 5, and 4)


@rule
def judge(arena: Record, state: Record) -> None:
    if state.flowers == 0 or (stalled(arena, state) and round_ends(arena, state)) or out_of_turns(arena, state):
        state.over = 1
        state.winner = leader(state.scores)


@rule
def stalled(arena: Record, state: Record) -> bool:
    quiet = state.turn - state.last_point_turn >= arena.stall_turns
    if not arena.stall_latched:
        return quiet
    if quiet:
        state.closing = 1
    return state.closing != 0


@rule
def round_ends(arena: Record, state: Record) -> bool:
    return state.turn % (PLAYERS * arena.bees) == PLAYERS * arena.bees - 1


@rule
def out_of_turns(arena: Record, state: Record) -> bool:
    """Tells whether the turn limit is reached: a safety stop that does not wait for the end of the round (10.3)."""
    return 0 < arena.max_turns <= state.turn + 1


@rule
def forfeit(arena: Record, state: Record, seat: int) -> None:
    """Makes the seat lose, whatever the score; board, turn and scores stay as they were (4)."""
    if state.over:
        return
    state.over = 1
    state.forfeited = seat
    state.winner = 1 - seat


# Reports on a game


@rule
def allowed(arena: Record, state: Record, seat: int, mask: Record) -> None:
    """Marks the orders that are not certain to do nothing; if all of them are, it marks all."""
    bee = state.bee
    row = state.bees[seat, bee, 0]
    col = state.bees[seat, bee, 1]
    carrying = state.cells[row, col] == CARRIER + seat
    useful = 0
    for direction in range(8):
        target = state.cells[row + arena.row_step[direction], col + arena.col_step[direction]]
        for action in range(ACTIONS):
            works = may_work(action, carrying, target)
            mask[8 * action + direction] = works
            useful += works
    if useful == 0:
        for order in range(ORDERS):
            mask[order] = 1


@rule
def may_work(action: int, carrying: bool, target: int) -> bool:
    if action == MOVE or action == BUILD:
        return target == EMPTY
    if action == FORAGE and carrying:
        return target == EMPTY or target == HIVE or target == HIVE + 1
    if action == FORAGE:
        return target == FLOWER
    return target == WALL or target == FLOWER or target == CARRIER or target == CARRIER + 1


@rule
def stray(arena: Record, state: Record, seat: int, dice: int) -> int:
    """Chooses an order for random play from 32 random bits; no order is deadly in this game."""
    return dice % ORDERS


@rule
def place(arena: Record, state: Record, out: Record) -> None:
    place_winner(state.winner, out)


@rule
def score(arena: Record, state: Record, out: Record) -> None:
    out[0] = state.scores[0]
    out[1] = state.scores[1]


@rule
def entrant(arena: Record, state: Record, seat: int) -> int:
    """Tells which bot plays this seat; bots are numbered in the order they came."""
    return seat ^ state.swapped
