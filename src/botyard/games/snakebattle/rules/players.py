"""How players come, get snakes, and go (specification 2.5, 3.4 step 2, 4.3)."""

from __future__ import annotations

from botyard.games.snakebattle.layout import MATCH, ROOM
from botyard.games.snakebattle.map.alphabet import APPLE
from botyard.games.snakebattle.rules.body import drop_tail, take_off
from botyard.games.snakebattle.rules.events import die, forget_log, live, reward
from botyard.games.snakebattle.rules.field import put, seat_snake
from botyard.games.snakebattle.rules.picture import lay_snakes, lift_snakes
from botyard.kernel.records import Record
from botyard.kernel.rule import rule


@rule
def enter(arena: Record, state: Record, seat: int) -> None:
    """Registers a new player and places its snake. If seats do not reopen, a field is full once all were taken (D8)."""
    state.register[state.players] = seat
    state.roster[state.players] = seat
    state.players += 1
    state.joined += 1
    taken = state.players if arena.seats_reopen else state.joined
    if taken == arena.rounds_players_per_room:
        state.filled = 1
    state.snakes[seat].here = 1
    state.snakes[seat].score = 0
    state.snakes[seat].leaving = 0
    seat_snake(arena, state, seat)


@rule
def go(arena: Record, state: Record, seat: int) -> None:
    """Takes a player off the field; its live snake dies, and the last one left may have won (4.3)."""
    snake = state.snakes[seat]
    was_live = live(snake)
    if was_live:
        die(arena, state, seat)
    take_off(arena, state, seat)
    snake.here = 0
    strike_off(state.roster, state.players, seat)
    strike_off(state.register, state.players, seat)
    state.players -= 1
    if was_live and arena.rounds_enabled:
        reward(arena, state)


@rule
def strike_off(seats: Record, count: int, seat: int) -> None:
    """Takes a seat out of a list; the seats behind it move up."""
    kept = 0
    for at in range(count):
        if seats[at] != seat:
            seats[kept] = seats[at]
            kept += 1
    seats[kept] = 0


@rule
def join(arena: Record, state: Record, seat: int) -> None:
    """Gives a player a seat of a room, unless the seat is taken or, in the program, all were taken at some time."""
    if state.over or seat < 0 or seat >= arena.rounds_players_per_room or state.snakes[seat].here:
        return
    if not arena.seats_reopen and state.joined >= arena.rounds_players_per_room:
        return
    forget_log(state)
    lift_snakes(arena, state)
    enter(arena, state, seat)
    lay_snakes(arena, state)


@rule
def leave(arena: Record, state: Record, seat: int) -> None:
    """Lets a player leave; this ends a match in rounds if one player is left, and any match if none is."""
    if state.over or seat < 0 or seat >= arena.rounds_players_per_room or not state.snakes[seat].here:
        return
    forget_log(state)
    lift_snakes(arena, state)
    go(arena, state, seat)
    lay_snakes(arena, state)
    if arena.drive == MATCH and state.players < 1 + arena.rounds_enabled:
        state.over = 1


@rule
def forfeit(arena: Record, state: Record, seat: int) -> None:
    """Gives up a seat, also one whose bot never came: it leaves the field and is placed behind all others."""
    if state.over or seat < 0 or seat >= arena.rounds_players_per_room:
        return
    state.snakes[seat].forfeited = 1
    leave(arena, state, seat)


@rule
def replace_the_dead(arena: Record, state: Record) -> None:
    """Gives each player without a living snake a new one, or takes it off a room whose match is over."""
    at = 0
    while at < state.players:
        seat = state.register[at]
        snake = state.snakes[seat]
        if not snake.alive and snake.leaving and arena.drive == ROOM:
            go(arena, state, seat)
        else:
            if not snake.alive:
                seat_snake(arena, state, seat)
            at += 1


@rule
def clear_the_dead(arena: Record, state: Record) -> None:
    """Removes dead snakes that still lie there; the cells of a suicide turn into apples (3.3)."""
    for at in range(state.players):
        seat = state.roster[at]
        snake = state.snakes[seat]
        if snake.awake and not snake.alive:
            while snake.length > 0:
                cell = snake.tail
                drop_tail(arena, state, seat)
                if snake.suicide:
                    put(state, APPLE, cell)
            snake.head = 0
            snake.tail = 0
            snake.last_tail = 0
