"""What a seat is asked and shown (3, step 1, and 6)."""

from __future__ import annotations

from botyard.games.battlebots.layout import BULLETS, LIVE, MISSILES
from botyard.games.battlebots.rules.lists import copy_mines, copy_shots, cut_mines
from botyard.kernel.records import Record
from botyard.kernel.rule import rule


@rule
def asked(arena: Record, state: Record) -> int:
    """The seats that are asked now, one bit each: both, until it is over."""
    return 0 if state.over else 3


@rule
def look(arena: Record, state: Record, seat: int, view: Record) -> None:
    """All that the text for a bot holds (6): neither the round nor the paralysis nor who is bot 1."""
    view.width = arena.width
    view.height = arena.height
    view.hp = state.hp[seat]
    view.enemy_hp = state.hp[1 - seat]
    view.x = state.bots[seat, 0]
    view.y = state.bots[seat, 1]
    view.enemy_x = state.bots[1 - seat, 0]
    view.enemy_y = state.bots[1 - seat, 1]
    copy_shots(state, view, BULLETS)
    copy_shots(state, view, MISSILES)
    show_mines(arena, state, view)


@rule
def show_mines(arena: Record, state: Record, view: Record) -> None:
    """Spent mines are not shown (10.4)."""
    if not arena.show_mines:
        cut_mines(view, 0)
    elif state.spent_count == 0:
        copy_mines(state, view)
    else:
        cut_mines(view, show_live_mines(state, view))


@rule
def show_live_mines(state: Record, view: Record) -> int:
    """How many there are."""
    shown = 0
    for at in range(state.mine_count):
        x, y = state.mines[at, 0], state.mines[at, 1]
        if state.mine_at[y, x] == LIVE:
            view.mines[shown, 0] = x
            view.mines[shown, 1] = y
            shown += 1
    return shown


@rule
def board_shape(view: Record) -> tuple[int, int]:
    return 0, 0


@rule
def paint(arena: Record, state: Record, seat: int, view: Record, row: int, col: int) -> None:
    """A view has no board: its lists say everything."""
