"""Which seats are asked, and what they are shown (3, step 1, and 6)."""

from __future__ import annotations

from botyard.games.battlebots.layout import BULLETS, LIVE, MISSILES
from botyard.games.battlebots.rules.lists import cut_mines
from botyard.kernel.records import Record
from botyard.kernel.rule import rule


@rule
def asked(arena: Record, state: Record) -> int:
    """Returns the seats that are asked now, one bit each: both, until the bout is over."""
    return 0 if state.over else 3


@rule
def look(arena: Record, state: Record, seat: int, view: Record) -> None:
    """Fills in the view: what the text for a bot holds (6), so neither the round nor the paralysis nor who is bot 1."""
    view.width = arena.width
    view.height = arena.height
    view.hp = state.hp[seat]
    view.enemy_hp = state.hp[1 - seat]
    view.x = state.bots[seat, 0]
    view.y = state.bots[seat, 1]
    view.enemy_x = state.bots[1 - seat, 0]
    view.enemy_y = state.bots[1 - seat, 1]
    view.shot_count[BULLETS] = state.shot_count[BULLETS]
    view.shot_count[MISSILES] = state.shot_count[MISSILES]
    if mines_are_painted(arena):
        view.mine_count = state.mine_count
    elif arena.show_mines:
        cut_mines(view, show_live_mines(state, view))
    else:
        cut_mines(view, 0)


@rule
def mines_are_painted(arena: Record) -> bool:
    """Tells whether the list of mines is shown unchanged; not if it may hold spent mines, which are hidden (10.4)."""
    return arena.show_mines != 0 and arena.spent_mines_linger == 0


@rule
def show_live_mines(state: Record, view: Record) -> int:
    """Shows the mines that are not spent; returns how many there are."""
    shown = 0
    for at in range(state.mine_count):
        x, y = state.mines[at, 0], state.mines[at, 1]
        if state.mine_at[y, x] == LIVE:
            view.mines[shown, 0] = x
            view.mines[shown, 1] = y
            shown += 1
    return shown


# A view has no board; its lists are painted instead, as one row of words.


@rule
def board_shape(arena: Record, view: Record) -> tuple[int, int]:
    return 1, view.list_words.shape[0] if mines_are_painted(arena) else view.shot_words.shape[1]


@rule
def paint(arena: Record, state: Record, seat: int, view: Record, row: int, col: int) -> None:
    """Copies one word of the lists. They are zero behind their end, so nothing of an earlier view remains."""
    view.list_words[col] = state.list_words[col]
