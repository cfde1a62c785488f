"""Fights (specification 3.6). One pass visits all live heads; what they eat is noted, and counted at its end."""

from __future__ import annotations

from botyard.games.snakebattle.layout import EAT
from botyard.games.snakebattle.rules.body import index_of, neck, shorten
from botyard.games.snakebattle.rules.events import die, live, tell
from botyard.kernel.records import Record
from botyard.kernel.rule import rule

NOBODY = -1


@rule
def fight(arena: Record, state: Record) -> None:
    """Makes one pass. Each snake live at its start strikes, even if killed meanwhile; flying snakes do not strike."""
    heads = live_seats(state)
    for at in range(state.players):
        seat = state.roster[at]
        snake = state.snakes[seat]
        if (heads >> seat) & 1 and snake.flying == 0 and in_touch(arena, state, seat):
            strike(arena, state, seat)
    settle_notes(arena, state)


@rule
def live_seats(state: Record) -> int:
    seats = 0
    for at in range(state.players):
        seat = state.roster[at]
        if live(state.snakes[seat]):
            seats |= 1 << seat
    return seats


@rule
def in_touch(arena: Record, state: Record, seat: int) -> bool:
    """Tells whether another snake lies on the head or the neck of this one; if not, it has nothing to fight."""
    snake = state.snakes[seat]
    others = state.cover[snake.head]
    if snake.length > 1:
        others |= state.cover[neck(arena, snake)]
    return others != 1 << seat


@rule
def strike(arena: Record, state: Record, seat: int) -> None:
    foe = head_on_foe(arena, state, seat)
    if foe != NOBODY:
        meet_head_on(arena, state, seat, foe)
        return
    foe = body_foe(state, seat)
    if foe != NOBODY:
        hit_body(arena, state, seat, foe)


@rule
def head_on_foe(arena: Record, state: Record, seat: int) -> int:
    """Finds the first foe whose head or neck is under this head, or whose head is on this neck."""
    head = state.snakes[seat].head
    throat = neck(arena, state.snakes[seat])
    for at in range(state.players):
        other = state.roster[at]
        foe = state.snakes[other]
        if other != seat and live(foe):
            if foe.head == head or neck(arena, foe) == head or foe.head == throat:
                return other
    return NOBODY


@rule
def body_foe(state: Record, seat: int) -> int:
    head = state.snakes[seat].head
    for at in range(state.players):
        other = state.roster[at]
        foe = state.snakes[other]
        if other != seat and live(foe) and foe.flying == 0 and (state.cover[head] >> other) & 1:
            return other
    return NOBODY


@rule
def meet_head_on(arena: Record, state: Record, seat: int, other: int) -> None:
    snake = state.snakes[seat]
    foe = state.snakes[other]
    if foe.flying > 0:
        return
    if snake.fury > 0 and foe.fury == 0:
        die(arena, state, other)
        note(state, seat, other, foe.length)
    elif foe.fury > 0 and snake.fury == 0:
        if snake.alive:
            die(arena, state, seat)
            note(state, other, seat, snake.length)
    else:
        if not (state.victims >> seat) & 1:
            note(state, other, seat, lose_later(arena, state, seat, foe.length))
        if not (state.victims >> other) & 1:
            note(state, seat, other, lose_later(arena, state, other, snake.length))


@rule
def lose_later(arena: Record, state: Record, seat: int, cells: int) -> int:
    """Shortens a snake at its next move, or kills it if fewer than two cells would be left; returns the loss."""
    snake = state.snakes[seat]
    if snake.length < cells + 2:
        die(arena, state, seat)
        return snake.length
    snake.cut = cells
    return cells


@rule
def hit_body(arena: Record, state: Record, seat: int, other: int) -> None:
    """Lets a furious head bite off everything from its cell to the tail; any other head dies.

    At least head and neck of the bitten snake are left, because a head on either would have been head-on.
    """
    snake = state.snakes[seat]
    foe = state.snakes[other]
    if snake.fury > 0 and (foe.fury == 0 or arena.fury_bites_fury):
        lost = foe.length - index_of(arena, foe, snake.head)
        shorten(arena, state, other, lost)
        foe.last_tail = snake.head
        note(state, seat, other, lost)
    else:
        die(arena, state, seat)
        note(state, other, seat, snake.length)


@rule
def note(state: Record, eater: int, victim: int, amount: int) -> None:
    """Notes a meal. Each head makes at most two notes, so there is room."""
    meal = state.notes[state.notes_length]
    meal.eater = eater
    meal.amount = amount
    state.notes_length += 1
    state.victims |= 1 << victim


@rule
def settle_notes(arena: Record, state: Record) -> None:
    """Gives each snake that is still alive the points for what it has eaten."""
    for at in range(state.notes_length):
        meal = state.notes[at]
        if state.snakes[meal.eater].alive:
            tell(arena, state, meal.eater, EAT, meal.amount)
        meal.eater = 0
        meal.amount = 0
    state.notes_length = 0
    state.victims = 0
